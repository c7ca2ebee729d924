// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <sys/stat.h>

/// Files with code to run. They are read only if nobody else can have written them.
namespace jitscope::jit {

/// Why somebody else may decide what a folder holds: it is a link, belongs to another user, or others may write to it. Empty where
/// none of that is so, and where there is nothing.
[[nodiscard]] std::string whyNotPrivate(const std::filesystem::path &folder);

/// An open file, closed at the end of its object's life.
class PrivateFile {
public:
  /// Opens a file that this user owns, in a folder that this user owns: a regular one of at most `maxBytes`. No link is followed,
  /// and nothing is waited for.
  PrivateFile(const std::filesystem::path &path, std::uint64_t maxBytes);
  ~PrivateFile();
  PrivateFile(const PrivateFile &) = delete;
  PrivateFile &operator=(const PrivateFile &) = delete;

  [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }
  [[nodiscard]] int descriptor() const { return m_descriptor; }
  [[nodiscard]] const struct stat &status() const { return m_status; }
  /// Why an existing file was not opened; empty if there is no file.
  [[nodiscard]] const std::string &problem() const { return m_problem; }

private:
  /// Empty for a file that may be read.
  [[nodiscard]] std::string judge(std::uint64_t maxBytes);

  int m_descriptor = -1;
  struct stat m_status{};
  std::string m_problem;
};

} // namespace jitscope::jit
