// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/statistics/median_shift.h"
#include "event/event.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Whether the times of a benchmark's leg differ between two sessions, and when a comparison cannot tell.
namespace jitscope::analysis {

struct SteadySamples;

struct CompareOptions {
  double threshold = 0.05;    ///< by how much of the faster median the slower one must exceed it to count
  double significance = 0.05; ///< the adjusted p-value must be below this
  /// Judge times of different CPUs as if they were comparable.
  bool acrossMachines = false;
  /// Samples without a compile that a leg needs on either side. Below six a median has no interval.
  std::size_t fewestSamples = 6;
};

/// The verdict of a comparison on a time or a count. This is the only list of verdicts; `nameOf` spells them.
enum class Verdict : std::uint8_t {
  Equal,      ///< the interval of a time lies within the threshold; a count is the same on both sides
  Better,     ///< faster; or a count that improved
  Worse,      ///< slower; or a count that got worse
  CannotTell, ///< a time may have changed or not: see `Doubt`
  NotJudged,  ///< a count that is shown and not judged
};

/// "equal", "faster", "slower", "cannot tell", "not judged": a time's verdict, in every format.
[[nodiscard]] std::string_view nameOf(Verdict verdict);

/// Why the comparison of a time cannot tell.
enum class Doubt : std::uint8_t {
  None,
  TooFewSamples, ///< on either side
  OtherCpu,      ///< the sessions are of different CPUs
  NoTime,        ///< the base took no time that the clock shows
  Noise,         ///< the change is significant, but the base varies as much without a cause
  Chance,        ///< the medians differ by more than the threshold, but not significantly
  WideInterval,  ///< the medians are close, but the interval crosses the threshold
  OtherLeg,      ///< slower in this leg, but not in the other leg of the case
  NotRepeated,   ///< slower here, and not the first time, or the other way round, when it was measured again
};

/// "noise", "too few samples"…, as JSON spells it; empty for none.
[[nodiscard]] std::string_view nameOf(Doubt doubt);

/// One case, input and leg that both sessions have. Samples that compiled, or waited for a compile, are left out of the medians.
struct LegComparison {
  std::string name;
  std::string input;
  event::Leg leg = event::Leg::None;
  std::size_t baseSamples = 0;
  std::size_t contenderSamples = 0;
  double baseMedianNs = 0;
  double contenderMedianNs = 0;
  bool isCopy = false;                   ///< both sides have the very same samples
  std::optional<MedianShift> shift = {}; ///< empty with too few samples
  double pValue = 1;                     ///< Mann-Whitney, of this leg alone
  double adjustedPValue = 1;             ///< by Holm, for all legs together
  /// How far the base's median varies without a cause, as a share of it: see `medianNoise`; and how far the medians of its cold and
  /// its warm leg are apart, if there are both.
  double noise = 0;
  double baseCompileNs = 0; ///< longest sample that compiled; 0 for none. Shown, not judged: it is one sample
  double contenderCompileNs = 0;
  /// Where one side compiles longer and calls faster: the calls after which that has paid.
  std::optional<std::uint64_t> breakEven = {};
  Verdict verdict = Verdict::CannotTell;
  Doubt doubt = Doubt::None; ///< none except for `CannotTell`
  /// The change of the first measurement, where it was measured again and these are the figures of the last one.
  std::optional<double> firstChange = {};

  /// 0.2 for a fifth slower.
  [[nodiscard]] double change() const { return shift ? shift->ratio - 1 : 0; }
  /// The comparison cannot tell, and the contender's median is over the threshold: it must not count as "no regression".
  [[nodiscard]] bool mayBeSlower(double threshold) const {
    return verdict == Verdict::CannotTell && contenderMedianNs > baseMedianNs * (1 + threshold);
  }
  [[nodiscard]] bool isSameLeg(const LegComparison &other) const {
    return name == other.name && input == other.input && leg == other.leg;
  }
};

/// The figures of a leg, without a verdict. Sorts the samples.
[[nodiscard]] LegComparison measureLeg(SteadySamples &base, SteadySamples &contender, const CompareOptions &options);

/// Gives each leg its verdict. `isSameSession` says that both sides are one session, so that legs of few samples that are the same
/// are equal. A leg is slower or faster where the change is significant, over the threshold, over the base's own noise, and, if
/// slower, found in both legs of a case that has two.
void judgeLegs(std::vector<LegComparison> &legs, const CompareOptions &options, bool sameCpu, bool isSameSession);

/// Why the leg cannot be told, as a clause with its figures: "+69.6 % is within the noise of the base, ±73.0 %". Empty for a leg
/// that can be told.
[[nodiscard]] std::string doubtText(const LegComparison &leg, const CompareOptions &options);

/// "+12.3 %" for 0.123.
[[nodiscard]] std::string changeText(double share);

} // namespace jitscope::analysis
