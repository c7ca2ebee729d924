// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compare/leg_comparison.h"

#include "analysis/statistics/break_even.h"
#include "analysis/statistics/rank_test.h"
#include "analysis/statistics/steady_samples.h"
#include "base/percentile.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace jitscope::analysis {

namespace {

double longest(const std::vector<std::uint64_t> &samples) {
  return samples.empty() ? 0 : static_cast<double>(*std::ranges::max_element(samples));
}

/// Compiles that take longer for calls that take less, in whichever direction.
std::optional<std::uint64_t> breakEvenOf(const LegComparison &leg) {
  if (leg.baseCompileNs <= 0 || leg.contenderCompileNs <= 0) {
    return std::nullopt;
  }
  const CostLine base{leg.baseCompileNs - leg.baseMedianNs, leg.baseMedianNs};
  const CostLine contender{leg.contenderCompileNs - leg.contenderMedianNs, leg.contenderMedianNs};
  const bool contenderInvests = contender.onceNs > base.onceNs;
  const std::optional<std::uint64_t> calls = contenderInvests ? breakEvenCalls(contender, base) : breakEvenCalls(base, contender);
  return calls && *calls > 1 ? calls : std::nullopt;
}

bool areLegsOfOneCase(const LegComparison &one, const LegComparison &other) {
  return one.name == other.name && one.input == other.input && one.leg != other.leg;
}

/// Without their compiles, the cold and the warm leg of a case call the same code, in different processes: how far their medians
/// are apart in the base is how far they may be apart for no reason.
void addNoiseOfProcesses(std::vector<LegComparison> &legs) {
  for (LegComparison &leg : legs) {
    for (const LegComparison &other : legs) {
      if (areLegsOfOneCase(leg, other) && leg.shift && other.shift) {
        const double smaller = std::min(leg.baseMedianNs, other.baseMedianNs);
        leg.noise = std::max(leg.noise, std::abs(leg.baseMedianNs - other.baseMedianNs) / smaller);
      }
    }
  }
}

void doubt(LegComparison &leg, Doubt why) {
  leg.verdict = Verdict::CannotTell;
  leg.doubt = why;
}

void decide(LegComparison &leg, Verdict verdict) {
  leg.verdict = verdict;
  leg.doubt = Doubt::None;
}

/// By how much the slower of the two takes longer: as a share of the base a gain never exceeds 1, but noise may.
double excessOf(const LegComparison &leg) { return std::max(leg.shift->ratio, 1 / leg.shift->ratio) - 1; }

void judgeShift(LegComparison &leg, const CompareOptions &options) {
  const Interval &interval = leg.shift->ratioInterval;
  const double excess = excessOf(leg);
  const bool isSignificant = leg.adjustedPValue < options.significance && !interval.contains(1);
  const double limit = 1 + options.threshold;
  if (isSignificant && excess > std::max(options.threshold, leg.noise)) {
    decide(leg, leg.change() > 0 ? Verdict::Worse : Verdict::Better);
  } else if (interval.lower >= 1 / limit && interval.upper <= limit) {
    decide(leg, Verdict::Equal);
  } else if (excess <= options.threshold) {
    doubt(leg, Doubt::WideInterval);
  } else {
    doubt(leg, isSignificant ? Doubt::Noise : Doubt::Chance);
  }
}

/// What is slower in one leg of a case and not in the other, which calls the same code in another process, is slower by chance or
/// by the machine: a cause in the code shows in both.
void confirmByOtherLeg(std::vector<LegComparison> &legs) {
  std::vector<LegComparison *> unconfirmed;
  for (LegComparison &leg : legs) {
    const bool isContradicted = std::ranges::any_of(legs, [&leg](const LegComparison &other) {
      const bool isMeasured = other.shift && other.doubt != Doubt::OtherCpu;
      return areLegsOfOneCase(leg, other) && isMeasured && other.verdict != Verdict::Worse;
    });
    if (leg.verdict == Verdict::Worse && isContradicted) {
      unconfirmed.push_back(&leg);
    }
  }
  for (LegComparison *leg : unconfirmed) {
    doubt(*leg, Doubt::OtherLeg);
  }
}

} // namespace

std::string_view nameOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Equal:
    return "equal";
  case Verdict::Better:
    return "faster";
  case Verdict::Worse:
    return "slower";
  case Verdict::CannotTell:
    return "cannot tell";
  case Verdict::NotJudged:
    break;
  }
  return "not judged";
}

std::string_view nameOf(Doubt doubt) {
  switch (doubt) {
  case Doubt::None:
    return "";
  case Doubt::TooFewSamples:
    return "too few samples";
  case Doubt::OtherCpu:
    return "other cpu";
  case Doubt::NoTime:
    return "no time";
  case Doubt::Noise:
    return "noise";
  case Doubt::Chance:
    return "chance";
  case Doubt::WideInterval:
    return "wide interval";
  case Doubt::OtherLeg:
    return "other leg";
  case Doubt::NotRepeated:
    break;
  }
  return "not repeated";
}

std::string changeText(double share) { return fmt::format("{:+.1f} %", share * 100); }

LegComparison measureLeg(SteadySamples &base, SteadySamples &contender, const CompareOptions &options) {
  constexpr double kHalf = 50;
  LegComparison result;
  result.isCopy = base.steadyNs == contender.steadyNs && base.heldUpNs == contender.heldUpNs;
  result.baseSamples = base.steadyNs.size();
  result.contenderSamples = contender.steadyNs.size();
  result.baseCompileNs = longest(base.heldUpNs);
  result.contenderCompileNs = longest(contender.heldUpNs);
  result.noise = medianNoise(base.steadyNs);
  std::ranges::sort(base.steadyNs);
  std::ranges::sort(contender.steadyNs);
  result.baseMedianNs = base::percentile(base.steadyNs, kHalf);
  result.contenderMedianNs = base::percentile(contender.steadyNs, kHalf);
  if (std::min(result.baseSamples, result.contenderSamples) < options.fewestSamples) {
    result.doubt = Doubt::TooFewSamples;
    return result;
  }
  result.doubt = Doubt::NoTime;
  result.shift = medianShift(base.steadyNs, contender.steadyNs);
  if (result.shift) {
    result.doubt = Doubt::Chance;
    result.pValue = mannWhitney(base.steadyNs, contender.steadyNs).pValue;
    result.breakEven = breakEvenOf(result);
  }
  return result;
}

void judgeLegs(std::vector<LegComparison> &legs, const CompareOptions &options, bool sameCpu, bool isSameSession) {
  addNoiseOfProcesses(legs);
  std::vector<double> pValues;
  for (const LegComparison &leg : legs) {
    if (leg.shift) {
      pValues.push_back(leg.pValue);
    }
  }
  const std::vector<double> adjusted = holm(pValues);
  std::size_t next = 0;
  for (LegComparison &leg : legs) {
    if (leg.shift) {
      leg.adjustedPValue = adjusted[next++];
    }
    if (leg.isCopy && (leg.shift || isSameSession)) {
      decide(leg, Verdict::Equal);
    } else if (!leg.shift) {
      leg.verdict = Verdict::CannotTell; // for the reason that its measuring gave
    } else if (!sameCpu && !options.acrossMachines) {
      doubt(leg, Doubt::OtherCpu);
    } else {
      judgeShift(leg, options);
    }
  }
  confirmByOtherLeg(legs);
}

std::string doubtText(const LegComparison &leg, const CompareOptions &options) {
  const std::string change = changeText(leg.change());
  const std::string noise = "±" + base::formatShare(leg.noise);
  switch (leg.doubt) {
  case Doubt::None:
    return {};
  case Doubt::TooFewSamples:
    return fmt::format("{} and {} samples; {} are needed on each side; measure for longer", leg.baseSamples, leg.contenderSamples,
                       options.fewestSamples);
  case Doubt::OtherCpu:
    return "times of different CPUs are not judged";
  case Doubt::NoTime:
    return "the calls of the base are too short for the clock";
  case Doubt::Noise:
    return fmt::format("{} is within the noise of the base, {}", change, noise);
  case Doubt::Chance:
    return fmt::format("{} may be chance (p = {}, noise {}); measure for longer", change, pValueText(leg.adjustedPValue), noise);
  case Doubt::WideInterval:
    return fmt::format("the interval, {} to {}, crosses the threshold of {:g} % (noise {}); measure for longer",
                       changeText(leg.shift->ratioInterval.lower - 1), changeText(leg.shift->ratioInterval.upper - 1),
                       options.threshold * 100, noise);
  case Doubt::OtherLeg:
    return fmt::format("{}, and the other leg, which calls the same code, is not slower (noise {})", change, noise);
  case Doubt::NotRepeated:
    break;
  }
  return fmt::format("{}, and another measurement does not agree (noise {})", change, noise);
}

} // namespace jitscope::analysis
