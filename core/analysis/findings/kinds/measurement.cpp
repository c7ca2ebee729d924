// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/measurement.h"

#include "analysis/statistics/case_statistics.h"
#include "analysis/statistics/median_shift.h"
#include "analysis/statistics/statistics.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"
#include "event/compile_cost.h"
#include "session/session_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::analysis {

namespace {

constexpr std::uint64_t kFewestSamples = 30;
/// A deviation beyond the average says nothing about a usual call.
constexpr double kUselessDeviation = 1;
/// A sample of so few steps of the clock is rounded by more than a tenth.
constexpr double kFewSteps = 10;
/// The second half of the samples differs from the first by more than this, and by more than its parts differ.
constexpr double kDrift = 0.2;

/// What can be wrong with a leg, the worst first.
enum class Problem : std::uint8_t { NearClock, NoSteadyState, Outliers };

/// A leg that has a problem.
struct LegProblem {
  Problem problem = Problem::Outliers;
  std::string leg;  ///< "warm"
  std::string text; ///< what the figures are, beginning in lower case and without a full stop
};

/// The median of the second half as a ratio to that of the first, where it drifts; empty where the leg is steady. Each thread's
/// samples are halved by themselves: their order between threads is not recorded.
std::optional<double> driftOf(const FindingEvidence &evidence, const LegStatistics &leg) {
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> second;
  for (const CallGroup &group : evidence.sampleGroups()) {
    if (group.caseId == leg.caseId && group.leg == leg.leg && group.phase == event::CallPhase::Sample &&
        !event::heldUpByCompile(group.outcome)) {
      const auto middle = group.totalsNs.begin() + static_cast<std::ptrdiff_t>(group.totalsNs.size() / 2);
      first.insert(first.end(), group.totalsNs.begin(), middle);
      second.insert(second.end(), middle, group.totalsNs.end());
    }
  }
  // A steady half strays little from its own median; a step or a slope in it would.
  const double noise = std::max(medianNoise(first), medianNoise(second));
  std::ranges::sort(first);
  std::ranges::sort(second);
  const std::optional<MedianShift> shift = medianShift(first, second);
  if (!shift || shift->ratioInterval.contains(1)) {
    return std::nullopt;
  }
  const double change = shift->ratio > 1 ? shift->ratio - 1 : 1 / shift->ratio - 1;
  return change > kDrift && change > noise ? std::optional(shift->ratio) : std::nullopt;
}

/// Long calls are everywhere. They matter where they move the average out of the range of usual calls and outweigh it.
bool areOutliersInTheWay(const Statistics &times) { return times.deviationRatio > kUselessDeviation && times.average > times.p75; }

std::optional<LegProblem> problemOf(const FindingEvidence &evidence, const LegStatistics &leg) {
  const Statistics &times = leg.steadyState();
  if (leg.outcomes.total() - leg.outcomes.heldUpByCompile() < kFewestSamples) {
    return std::nullopt;
  }
  LegProblem result;
  result.leg = nameOf(leg.leg);
  const event::BenchLegEvent &measuring = leg.measuring;
  if (measuring.callsPerSample <= 1 && measuring.clockStepNs > 0 && times.median < kFewSteps * measuring.clockStepNs) {
    result.problem = Problem::NearClock;
    result.text = fmt::format("the median is {}, and the clock tells times apart that differ by {}",
                              base::formatDuration(times.median), base::formatDuration(measuring.clockStepNs));
  } else if (const std::optional<double> drift = driftOf(evidence, leg)) {
    result.problem = Problem::NoSteadyState;
    result.text = fmt::format("the median of the second half of {} is {:.2f} times that of the first",
                              base::counted(times.sampleSize, "sample"), *drift);
  } else if (areOutliersInTheWay(times)) {
    result.text = fmt::format("the average is {} ± {}, though half of the samples lie between {} and {}; the longest is {}",
                              base::formatDuration(times.average), base::formatShare(times.deviationRatio),
                              base::formatDuration(times.p25), base::formatDuration(times.p75), base::formatNs(times.maximum));
  } else {
    return std::nullopt;
  }
  return result;
}

/// Title, meaning and remedy for the legs of a case that share a problem.
void describeProblem(Finding &finding, const std::string &caseName, const std::vector<LegProblem> &legs) {
  std::vector<std::string> names;
  std::vector<std::string> texts;
  for (const LegProblem &leg : legs) {
    names.push_back(leg.leg);
    texts.push_back(fmt::format("{}: {}.", leg.leg, leg.text));
  }
  const std::string name = fmt::format("{} ({})", caseName, fmt::join(names, ", "));
  finding.explanation = fmt::format("{}", fmt::join(texts, " "));
  switch (legs.front().problem) {
  case Problem::NearClock:
    finding.title = fmt::format("The samples of {} are near the clock's step", name);
    finding.explanation += " Percentiles and differences within a few steps are rounding.";
    finding.remedy = "Give each call more work, such as a larger input.";
    break;
  case Problem::NoSteadyState:
    finding.title = fmt::format("{} never reached a steady state", name);
    finding.explanation += " Calls that a compile held up are left out. Averages mix two speeds.";
    finding.remedy = "Give the benchmark a longer warmup and time, and keep other work off the machine.";
    break;
  case Problem::Outliers:
    finding.title = fmt::format("Outliers make average and deviation of {} meaningless", name);
    finding.remedy = "Read the median and its interval, not the average, and keep other work off the machine.";
    break;
  }
}

} // namespace

base::Result<void> findMeasurementProblems(FindingEvidence &evidence, FindingList &list) {
  if (evidence.legs().empty()) {
    return {};
  }
  JITSCOPE_TRY(const std::vector<event::BenchCaseEvent> cases, evidence.reader().benchCases());
  for (const event::BenchCaseEvent &bench : cases) {
    std::vector<LegProblem> problems;
    for (const LegStatistics &leg : evidence.legs()) {
      if (leg.caseId == bench.id) {
        if (std::optional<LegProblem> problem = problemOf(evidence, leg)) {
          problems.push_back(std::move(*problem));
        }
      }
    }
    if (problems.empty()) {
      continue;
    }
    // The worst problem speaks for the case: what helps against it comes first.
    const Problem worst = std::ranges::min(problems, {}, &LegProblem::problem).problem;
    std::erase_if(problems, [worst](const LegProblem &problem) { return problem.problem != worst; });
    Finding finding = evidence.about(FindingKind::Measurement, evidence.function(bench.functionId));
    finding.rows.cases.push_back(bench.id);
    describeProblem(finding, event::caseName(bench.name, bench.input), problems);
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
