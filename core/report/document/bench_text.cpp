// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/bench_text.h"

#include "analysis/compare/case_comparison.h"
#include "analysis/statistics/case_statistics.h"
#include "analysis/summary.h"
#include "base/units.h"
#include "report/document/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace jitscope::report {

namespace {

/// What held the samples up: their own compiles, others' or both.
std::string_view heldUpText(const analysis::OutcomeCounts &outcomes) {
  const std::uint64_t paid = outcomes.paidForCompile();
  return paid == outcomes.heldUpByCompile() ? "compiled" : paid == 0 ? "waited for a compile" : "compiled or waited for a compile";
}

/// Which of the samples: alone by its number, several by the longest.
std::string whichSamples(const analysis::LegStatistics &leg) {
  const std::uint64_t heldUp = leg.outcomes.heldUpByCompile();
  const std::string_view what = heldUpText(leg.outcomes);
  const std::string size = base::formatCount(leg.times.sampleSize);
  // A number is that within the leg, of which a selection may leave out a part.
  const std::string taken = base::formatCount(std::max<std::uint64_t>(leg.samplesTaken, leg.times.sampleSize));
  const bool isLongestHeldUp = event::heldUpByCompile(leg.longestOutcome);
  if (heldUp == 1) {
    return isLongestHeldUp ? fmt::format("Sample {} of {} {} and took {}", base::formatCount(leg.longest.sampleNumber), taken, what,
                                         base::formatNs(leg.longest.totalNs))
                           : fmt::format("One of {} samples {}", size, what);
  }
  std::string text = fmt::format("{} of {} samples {}", base::formatCount(heldUp), size, what);
  if (isLongestHeldUp) {
    text += fmt::format("; the longest of them, sample {}, took {}", base::formatCount(leg.longest.sampleNumber),
                        base::formatNs(leg.longest.totalNs));
  }
  return text;
}

} // namespace

std::string caseName(const event::BenchCaseEvent &bench) { return event::caseName(bench.name, bench.input); }

std::string legName(event::Leg leg) { return leg == event::Leg::None ? "-" : std::string(nameOf(leg)); }

std::string deviationText(double ratio) { return "±" + base::formatShare(ratio); }

std::string intervalText(const std::optional<analysis::Interval> &interval) {
  // Student's interval of a few samples may reach below what a time can be.
  return interval
             ? fmt::format("{} to {}", base::formatDuration(std::max(0.0, interval->lower)), base::formatDuration(interval->upper))
             : "too few samples";
}

std::string firstText(const analysis::LegStatistics &leg) {
  return leg.hasFirst() ? base::formatNs(leg.first.totalNs) : std::string("left out");
}

std::string firstOutcomeText(const analysis::LegStatistics &leg) {
  return leg.hasFirst() ? std::string(nameOf(leg.firstOutcome)) : std::string("-");
}

std::string compileNote(const analysis::LegStatistics &leg) {
  const std::uint64_t heldUp = leg.outcomes.heldUpByCompile();
  if (heldUp == 0) {
    return {};
  }
  if (!leg.withoutCompiles) {
    const std::string_view what = heldUpText(leg.outcomes);
    return heldUp == 1 ? fmt::format("Its one sample {}", what)
                       : fmt::format("Each of its {} samples {}", base::formatCount(heldUp), what);
  }
  const analysis::Statistics &settled = *leg.withoutCompiles;
  std::string text = whichSamples(leg);
  if (const std::optional<std::uint64_t> calls = leg.callsUntilPaidBack(); calls && *calls > 1) {
    text += fmt::format(", as long as {} calls without a compile", base::formatCount(*calls));
  }
  text += fmt::format(". Without {}: average {} instead of {}", heldUp == 1 ? "it" : "them", base::formatDuration(settled.average),
                      base::formatDuration(leg.times.average));
  if (settled.sampleSize > 1) {
    text +=
        fmt::format(", deviation {} instead of {}", deviationText(settled.deviationRatio), deviationText(leg.times.deviationRatio));
  }
  text += fmt::format(", maximum {} instead of {}", base::formatNs(settled.maximum), base::formatNs(leg.times.maximum));
  const std::string median = base::formatDuration(settled.median);
  const std::string whole = base::formatDuration(leg.times.median);
  text += median == whole ? fmt::format("; the median is {} either way", median)
                          : fmt::format(", median {} instead of {}", median, whole);
  return text;
}

std::string benchTitle(const analysis::Summary &summary, std::uint32_t bench, bool isOnly) {
  const std::string script = scriptOfBench(summary, bench);
  return (isOnly ? std::string("Benchmark") : fmt::format("Benchmark {}", bench)) + (script.empty() ? "" : " of " + script);
}

std::vector<std::string> legNotes(const analysis::LegStatistics &leg) {
  std::vector<std::string> notes;
  if (std::string compiled = compileNote(leg); !compiled.empty()) {
    notes.push_back(std::move(compiled));
  }
  const std::uint64_t retraced = leg.outcomes[event::Outcome::Retrace];
  const std::uint64_t loaded = leg.outcomes[event::Outcome::Disk];
  if (retraced + loaded > 0) {
    notes.push_back(fmt::format("{} of {} samples found no code in memory: {} retraced, {} loaded from disk",
                                base::formatCount(retraced + loaded), base::formatCount(leg.times.sampleSize),
                                base::formatCount(retraced), base::formatCount(loaded)));
  }
  if (leg.evictions > 0) {
    notes.push_back(leg.evictions == 1
                        ? std::string("The cache evicted an entry while it was measured")
                        : fmt::format("The cache evicted {} entries while it was measured", base::formatCount(leg.evictions)));
  }
  const event::BenchLegEvent &measuring = leg.measuring;
  if (measuring.callsPerSample > 1) {
    notes.push_back(fmt::format("A call is too short for the clock, which goes in steps of {}: a sample is the mean of {} in a row",
                                base::formatDuration(measuring.clockStepNs), base::formatCount(measuring.callsPerSample)));
  }
  if (measuring.isCapped) {
    notes.push_back(fmt::format("It ended before its time: {} samples are the most that are kept (max_samples)",
                                base::formatCount(measuring.maxSamples)));
  }
  constexpr double kNotable = 0.01;
  const double median = leg.steadyState().median;
  if (median > 0 && measuring.overheadNs > kNotable * median) {
    notes.push_back(fmt::format("Of its median of {} measuring takes {}, {}", base::formatDuration(median),
                                base::formatDuration(measuring.overheadNs), base::formatShare(measuring.overheadNs / median)));
  }
  return notes;
}

std::vector<std::string> benchNotes(std::span<const analysis::CaseSummary> cases, std::uint32_t bench) {
  double overheadNs = 0;
  std::optional<std::uint64_t> seed;
  for (const analysis::CaseSummary &entry : cases) {
    if (entry.bench.bench == bench) {
      for (const analysis::LegStatistics &leg : entry.legs) {
        overheadNs = std::max(overheadNs, leg.measuring.overheadNs);
        seed = leg.measuring.seed ? leg.measuring.seed : seed;
      }
    }
  }
  std::vector<std::string> notes;
  if (overheadNs > 0) {
    notes.push_back(fmt::format("Measuring adds up to {} to a sample", base::formatDuration(overheadNs)));
  }
  if (seed) {
    notes.push_back(fmt::format("The order of the legs was drawn; --seed {} draws it again", *seed));
  }
  return notes;
}

std::string slowerText(const analysis::ComparisonLine &line) {
  return line.moreNs > 0 ? fmt::format("{:.2f}x slower +{}", line.times, base::formatDuration(line.moreNs)) : std::string();
}

std::string comparisonTitle(const analysis::CaseComparison &comparison) {
  std::string title = "Comparison";
  if (comparison.leg != event::Leg::None) {
    title += fmt::format(", {}", nameOf(comparison.leg));
  }
  if (!comparison.input.empty()) {
    title += fmt::format(", input {}", comparison.input);
  }
  return title;
}

} // namespace jitscope::report
