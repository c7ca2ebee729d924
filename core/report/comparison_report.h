// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "report/reporter.h"

#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {
struct Comparison;
}

namespace jitscope::report {

/// The formats that `renderComparison` knows.
[[nodiscard]] std::vector<std::string_view> comparisonFormats();

/// The comparison in a format, ending with a newline. RuntimeOption for an unknown name.
[[nodiscard]] base::Result<std::string> renderComparison(const analysis::Comparison &comparison, std::string_view format,
                                                         const ReportOptions &options);

} // namespace jitscope::report
