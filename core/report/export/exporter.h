// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::report {

/// Takes the next piece of an export; an error ends the export and is what it then gives.
using ExportOutput = std::function<base::Result<void>(std::string_view)>;

/// Writes everything a session holds, for other programs, piece by piece: memory does not grow with the calls.
class Exporter {
public:
  virtual ~Exporter() = default;
  /// Reads one state of the session. The same session gives the same text.
  [[nodiscard]] virtual base::Result<void> write(session::SessionReader &reader, const ExportOutput &output) const = 0;
};

/// The formats that `makeExporter` knows, and the tables of CSV.
[[nodiscard]] std::vector<std::string_view> exportFormats();
[[nodiscard]] std::vector<std::string_view> exportTables();

/// An exporter by the name of its format; `table` is what CSV holds. RuntimeOption for unknown names.
[[nodiscard]] base::Result<std::unique_ptr<Exporter>> makeExporter(std::string_view format, std::string_view table);

/// Collects pieces until they are worth handing on.
class ExportBuffer {
public:
  explicit ExportBuffer(const ExportOutput &output) : m_output(output) {}
  /// Where to append to.
  [[nodiscard]] std::string &text() { return m_text; }
  /// Hands on what is there once it is much, or in any case.
  [[nodiscard]] base::Result<void> flushIfFull();
  [[nodiscard]] base::Result<void> flush();

private:
  const ExportOutput &m_output;
  std::string m_text;
};

} // namespace jitscope::report
