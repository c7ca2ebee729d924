// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jitscope::analysis {
struct CaseComparison;
struct CaseSummary;
struct ComparisonLine;
struct Interval;
struct LegStatistics;
struct Summary;
} // namespace jitscope::analysis

/// What the formats say of benchmarks in the same words. Names come as they are, for each format to make safe; all else is plain.
namespace jitscope::report {

/// "name", or "name [input]".
std::string caseName(const event::BenchCaseEvent &bench);

/// "cold", "warm", or "-" for neither.
std::string legName(event::Leg leg);

/// "±8.0 %".
std::string deviationText(double ratio);

/// "322 µs to 324 µs", or "too few samples".
std::string intervalText(const std::optional<analysis::Interval> &interval);

/// How long the first sample of a leg took; "left out" where a selection leaves it out.
std::string firstText(const analysis::LegStatistics &leg);

/// How the first sample of a leg was served; "-" where a selection leaves it out.
std::string firstOutcomeText(const analysis::LegStatistics &leg);

/// Which samples of a leg a compile held up, what that did to its statistics, and when it is paid back; "" where none did.
std::string compileNote(const analysis::LegStatistics &leg);

/// "Benchmark", with its number unless it is the only one, and in a merged session with its script.
std::string benchTitle(const analysis::Summary &summary, std::uint32_t bench, bool isOnly);

/// What to know of a leg beside its figures, a line each: `compileNote`, and how its samples were taken where that is not as usual.
std::vector<std::string> legNotes(const analysis::LegStatistics &leg);

/// What to know of all legs of a bench: what measuring costs, and the order if it was drawn. Empty where the session does not say.
std::vector<std::string> benchNotes(std::span<const analysis::CaseSummary> cases, std::uint32_t bench);

/// "1.23x slower +0.1 ms"; "" for the fastest.
std::string slowerText(const analysis::ComparisonLine &line);

/// "Comparison, warm" or "Comparison, warm, input large".
std::string comparisonTitle(const analysis::CaseComparison &comparison);

} // namespace jitscope::report
