// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {
struct Summary;
}

namespace jitscope::report {

class ChartSource;

/// Renders a summary in one format. Stateless: any number of threads, any number of times.
class Reporter {
public:
  virtual ~Reporter() = default;
  /// The whole report, ending with a newline. The same summary gives the same text.
  [[nodiscard]] virtual std::string render(const analysis::Summary &summary) const = 0;
};

struct ReportOptions {
  /// Colour by terminal escapes, in text only.
  bool colour = false;
  /// Columns that text may take; tables are elided to fit between 60 and 200.
  std::size_t width = 100;
  /// Rows that a table of templates or sections shows before it says how many more there are, in text only.
  std::size_t rows = 20;
  /// Minimum, maximum, sample size, mode and intervals of benchmarks as well, in text only.
  bool extended = false;
  /// What draws, in HTML only; none where it is null. Must outlive the reporter.
  const ChartSource *charts = nullptr;
};

/// The formats that `makeReporter` knows.
[[nodiscard]] std::vector<std::string_view> reportFormats();

/// A reporter by the name of its format, e.g. "text" or "json". RuntimeOption for an unknown name.
[[nodiscard]] base::Result<std::unique_ptr<Reporter>> makeReporter(std::string_view format, const ReportOptions &options = {});

} // namespace jitscope::report
