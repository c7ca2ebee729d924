// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/finding_kinds.h"
#include "analysis/statistics/case_statistics.h"
#include "analysis/statistics/median_shift.h"
#include "analysis/statistics/statistics.h"
#include "analysis/statistics/steady_samples.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace jitscope::analysis {

namespace {

constexpr std::size_t kFewestSamples = 30;
/// A deviation beyond the average says nothing about a usual call.
constexpr double kUselessDeviation = 1;
/// A sample of so few steps of the clock is rounded by more than a tenth.
constexpr double kFewSteps = 10;
/// The second half of the samples differs from the first by more than this, and by more than its parts differ.
constexpr double kDrift = 0.2;

/// The median of the second half as a ratio to that of the first, where it drifts; empty where the leg is steady.
std::optional<double> driftOf(std::span<const std::uint64_t> inOrder) {
  const std::size_t half = inOrder.size() / 2;
  std::vector<std::uint64_t> first(inOrder.begin(), inOrder.begin() + static_cast<std::ptrdiff_t>(half));
  std::vector<std::uint64_t> second(inOrder.begin() + static_cast<std::ptrdiff_t>(half), inOrder.end());
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

} // namespace

base::Result<void> findMeasurementProblems(FindingEvidence &evidence, FindingList &list) {
  JITSCOPE_TRY(const std::vector<event::BenchCaseEvent> cases, evidence.reader().benchCases());
  if (cases.empty()) {
    return {};
  }
  JITSCOPE_TRY(const std::vector<event::BenchLegEvent> legs, evidence.reader().benchLegs());
  JITSCOPE_TRY(const std::vector<SteadySamples> samples, readSteadySamples(evidence.database()));
  for (const SteadySamples &leg : samples) {
    const auto bench = std::ranges::find(cases, leg.caseId, &event::BenchCaseEvent::id);
    if (bench == cases.end() || leg.steadyNs.size() < kFewestSamples) {
      continue;
    }
    const Statistics times = describe(leg.steadyNs);
    const auto measuring = std::ranges::find_if(
        legs, [&leg](const event::BenchLegEvent &entry) { return entry.caseId == leg.caseId && entry.leg == leg.leg; });
    const std::string name = fmt::format("{}, {}", event::caseName(bench->name, bench->input), nameOf(leg.leg));
    Finding finding = evidence.about(FindingKind::Measurement, evidence.function(bench->functionId));
    finding.rows.cases.push_back(leg.caseId);
    if (measuring != legs.end() && measuring->callsPerSample <= 1 && measuring->clockStepNs > 0 &&
        times.median < kFewSteps * measuring->clockStepNs) {
      finding.title = fmt::format("The samples of {} are near the clock's step", name);
      finding.explanation = fmt::format("Their median is {}, and the clock tells times apart that differ by {}. Percentiles and "
                                        "differences within a few steps are rounding.",
                                        base::formatDuration(times.median), base::formatDuration(measuring->clockStepNs));
      finding.remedy = "Give each call more work, such as a larger input.";
    } else if (const std::optional<double> drift = driftOf(leg.steadyNs)) {
      finding.title = fmt::format("{} never reached a steady state", name);
      finding.explanation =
          fmt::format("The median of the second half of its {} is {:.2f} times that of the first, after calls that a "
                      "compile held up are left out. Averages mix two speeds.",
                      base::counted(leg.steadyNs.size(), "sample"), *drift);
      finding.remedy = "Give the benchmark a longer warmup and time, and keep other work off the machine.";
    } else if (times.deviationRatio > kUselessDeviation && times.outliers() > 0) {
      finding.title = fmt::format("Outliers make the deviation of {} meaningless", name);
      finding.explanation =
          fmt::format("The deviation is {} of the average, though half of the samples lie between {} and {}. The "
                      "longest, {}, is {:.0f} times the median.",
                      base::formatShare(times.deviationRatio), base::formatDuration(times.p25), base::formatDuration(times.p75),
                      base::formatNs(times.maximum), times.median > 0 ? static_cast<double>(times.maximum) / times.median : 0);
      finding.remedy = "Read the median and its interval, not the average, and keep other work off the machine.";
    } else {
      continue;
    }
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
