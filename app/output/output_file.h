// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

namespace jitscope::app {

/// A result on its way to standard output, where the path is empty or "-", or to a file by way of a temporary one beside it, so
/// that the name only ever stands for a whole file. Pipes and devices are written as they are; sessions and other databases are
/// never replaced. All errors are StorageWrite, StorageOpen or StorageExists, naming path and cause; nothing half-written stays.
class OutputFile {
public:
  [[nodiscard]] static base::Result<OutputFile> open(const std::filesystem::path &path);
  OutputFile(OutputFile &&other) noexcept;
  OutputFile &operator=(OutputFile &&) = delete;
  /// Without a `commit` before, removes what was written.
  ~OutputFile();

  /// Appends. A pipe whose reader has seen enough is no failure: what follows goes nowhere.
  [[nodiscard]] base::Result<void> write(std::string_view text);
  /// Gives the file its name.
  [[nodiscard]] base::Result<void> commit();

private:
  OutputFile(std::filesystem::path path, std::filesystem::path target, std::string temporary, std::FILE *file)
      : m_path(std::move(path)), m_target(std::move(target)), m_temporary(std::move(temporary)), m_file(file) {}
  [[nodiscard]] std::unexpected<base::Error> cannotWrite(int cause) const;

  std::filesystem::path m_path;   ///< as it was given, for messages; empty for standard output
  std::filesystem::path m_target; ///< behind links
  std::string m_temporary;        ///< empty where it is written as it is
  std::FILE *m_file;
};

/// Writes a whole result.
base::Result<void> writeResult(const std::filesystem::path &path, std::string_view text);

} // namespace jitscope::app
