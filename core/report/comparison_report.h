// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "report/document/document.h"

#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {
struct Comparison;
struct CompareOptions;
struct CountKey;
struct LegComparison;
struct LegVerdicts;
} // namespace jitscope::analysis

namespace jitscope::report {

/// The comparison as sections: verdict, warnings, benchmarks, counts, compile times.
[[nodiscard]] Document comparisonDocument(const analysis::Comparison &comparison);

/// The verdicts on the legs: "1 of 4 legs slower, 2 equal, 1 cannot tell (noise ±73.0 %)".
[[nodiscard]] std::string legVerdictsText(const analysis::LegVerdicts &verdicts);

/// Remarks on a leg besides its figures: why the comparison cannot tell, and that the leg was measured again. May be empty.
[[nodiscard]] std::string legRemark(const analysis::LegComparison &leg, const analysis::CompareOptions &options);

/// What is counted: the function, "f (eager)", or "the whole session".
[[nodiscard]] std::string countSubject(const analysis::CountKey &key);

/// What the comparison comes to in a sentence, e.g. "Regression: 1 of 4 legs slower, 3 equal; 2 counts worse".
[[nodiscard]] std::string comparisonVerdict(const analysis::Comparison &comparison);

/// The comparison for programs: one JSON object, times in nanoseconds.
[[nodiscard]] std::string renderComparisonJson(const analysis::Comparison &comparison);

/// The formats that `renderComparison` knows.
[[nodiscard]] std::vector<std::string_view> comparisonFormats();

/// The comparison in a format, ending with a newline. RuntimeOption for an unknown name.
[[nodiscard]] base::Result<std::string> renderComparison(const analysis::Comparison &comparison, std::string_view format,
                                                         const ReportOptions &options);

} // namespace jitscope::report
