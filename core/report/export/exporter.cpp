// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/exporter.h"

#include "report/export/chrome_trace.h"
#include "report/export/csv_export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::report {

std::vector<std::string_view> exportFormats() { return {"chrome-trace", "csv"}; }

std::vector<std::string_view> exportTables() { return {"calls", "compiles"}; }

base::Result<std::unique_ptr<Exporter>> makeExporter(std::string_view format, std::string_view table) {
  if (format == "chrome-trace") {
    return std::make_unique<ChromeTraceExporter>();
  }
  if (format != "csv") {
    return base::fail(base::ErrorCode::RuntimeOption,
                      fmt::format("unknown export format \"{}\"; choose one of {}", format, fmt::join(exportFormats(), ", ")));
  }
  if (table == "calls") {
    return std::make_unique<CallsCsvExporter>();
  }
  if (table == "compiles") {
    return std::make_unique<CompilesCsvExporter>();
  }
  return base::fail(base::ErrorCode::RuntimeOption,
                    fmt::format("unknown table \"{}\"; choose one of {}", table, fmt::join(exportTables(), ", ")));
}

base::Result<void> ExportBuffer::flushIfFull() {
  constexpr std::size_t kFull = std::size_t{256} * 1024;
  return m_text.size() < kFull ? base::Result<void>() : flush();
}

base::Result<void> ExportBuffer::flush() {
  base::Result<void> written = m_output(m_text);
  m_text.clear();
  return written;
}

} // namespace jitscope::report
