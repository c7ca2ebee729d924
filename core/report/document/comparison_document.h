// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <string>

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

} // namespace jitscope::report
