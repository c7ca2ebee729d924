// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/comparison.h"

#include "analysis/break_even.h"
#include "analysis/rank_test.h"
#include "analysis/session_differences.h"
#include "analysis/settled_samples.h"
#include "analysis/statistics.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace jitscope::analysis {

namespace {

using base::Result;
using session::SessionReader;

/// By what cases of two sessions are matched. The occurrence tells cases of one name in several benches apart.
struct LegKey {
  std::string name;
  std::string input;
  std::uint32_t occurrence = 0;
  event::Leg leg = event::Leg::None;

  friend auto operator<=>(const LegKey &, const LegKey &) = default;
};

struct KeyedLeg {
  LegKey key;
  SettledSamples samples;
};

/// What is read of a session, all of one state.
struct Side {
  std::vector<KeyedLeg> legs;
  SessionCounts counts;
  CompileDurations compiles;
};

Result<Side> readSide(SessionReader &reader) {
  JITSCOPE_TRY_VOID(reader.snapshot());
  Result<std::vector<event::BenchCaseEvent>> cases = reader.benchCases();
  Result<std::vector<SettledSamples>> legs = cases ? readSettledSamples(reader.database()) : std::unexpected(cases.error());
  Result<SessionCounts> counts = legs ? readSessionCounts(reader.database()) : std::unexpected(legs.error());
  Result<CompileDurations> compiles = counts ? readCompileDurations(reader.database()) : std::unexpected(counts.error());
  if (!compiles) {
    return std::unexpected(std::move(compiles.error()).within(fmt::format("while reading \"{}\"", reader.path().string())));
  }
  Side side;
  side.counts = *std::move(counts);
  side.compiles = *std::move(compiles);
  std::map<std::pair<std::string, std::string>, std::uint32_t> occurrences;
  for (const event::BenchCaseEvent &bench : *cases) {
    const std::uint32_t occurrence = occurrences[{bench.name, bench.input}]++;
    for (SettledSamples &samples : *legs) {
      if (samples.caseId == bench.id) {
        side.legs.push_back({{bench.name, bench.input, occurrence, samples.leg}, std::move(samples)});
      }
    }
  }
  return side;
}

std::string describe(const LegKey &key) {
  std::string text = event::caseName(key.name, key.input);
  return key.leg == event::Leg::None ? text : fmt::format("{}, {}", text, nameOf(key.leg));
}

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

/// All but the verdict. Sorts the samples.
LegComparison measure(const LegKey &key, SettledSamples &base, SettledSamples &contender, const CompareOptions &options) {
  LegComparison result;
  result.name = key.name;
  result.input = key.input;
  result.leg = key.leg;
  result.baseSamples = base.settledNs.size();
  result.contenderSamples = contender.settledNs.size();
  result.baseCompileNs = longest(base.heldUpNs);
  result.contenderCompileNs = longest(contender.heldUpNs);
  result.noise = medianNoise(base.settledNs);
  std::ranges::sort(base.settledNs);
  std::ranges::sort(contender.settledNs);
  result.baseMedianNs = percentile(base.settledNs, 50);
  result.contenderMedianNs = percentile(contender.settledNs, 50);
  if (std::min(result.baseSamples, result.contenderSamples) < options.fewestSamples) {
    return result;
  }
  result.verdict = Verdict::NotJudged;
  result.shift = medianShift(base.settledNs, contender.settledNs);
  if (result.shift) {
    result.verdict = Verdict::Alike;
    result.pValue = mannWhitney(base.settledNs, contender.settledNs).pValue;
    result.breakEven = breakEvenOf(result);
  }
  return result;
}

void judge(std::vector<LegComparison> &legs, const CompareOptions &options, bool sameCpu) {
  std::vector<double> pValues;
  std::vector<LegComparison *> judged;
  for (LegComparison &leg : legs) {
    if (leg.verdict == Verdict::Alike) {
      pValues.push_back(leg.pValue);
      judged.push_back(&leg);
    }
  }
  const std::vector<double> adjusted = holm(pValues);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    LegComparison &leg = *judged[i];
    leg.adjustedPValue = adjusted[i];
    if (!sameCpu && !options.acrossMachines) {
      leg.verdict = Verdict::NotJudged;
      continue;
    }
    const bool isSignificant = leg.adjustedPValue < options.significance && !leg.shift->ratioInterval.contains(1);
    // By how much the slower of the two takes longer: as a share of the base a gain never exceeds 1, but noise may.
    const double excess = std::max(leg.shift->ratio, 1 / leg.shift->ratio) - 1;
    const bool isLarge = excess > std::max(options.threshold, leg.noise);
    if (isSignificant && isLarge) {
      leg.verdict = leg.change() > 0 ? Verdict::Worse : Verdict::Better;
    }
  }
}

/// What is slower in one leg of a case and not in the other, which calls the same code in another process, is slower by chance or
/// by the machine: a cause in the code shows in both.
void confirmByOtherLeg(std::vector<LegComparison> &legs) {
  std::vector<LegComparison *> unconfirmed;
  for (LegComparison &leg : legs) {
    const bool isContradicted = std::ranges::any_of(legs, [&leg](const LegComparison &other) {
      const bool isOtherLeg = other.name == leg.name && other.input == leg.input && other.leg != leg.leg;
      return isOtherLeg && (other.verdict == Verdict::Alike || other.verdict == Verdict::Better);
    });
    if (leg.verdict == Verdict::Worse && isContradicted) {
      unconfirmed.push_back(&leg);
    }
  }
  for (LegComparison *leg : unconfirmed) {
    leg->verdict = Verdict::Unconfirmed;
  }
}

/// Without their compiles, the cold and the warm leg of a case call the same code, in different processes: how far their medians
/// are apart in the base is how far they may be apart for no reason.
void addNoiseOfProcesses(std::vector<LegComparison> &legs) {
  for (LegComparison &leg : legs) {
    for (const LegComparison &other : legs) {
      const bool isOtherLeg = other.name == leg.name && other.input == leg.input && other.leg != leg.leg;
      if (isOtherLeg && leg.shift && other.shift) {
        const double smaller = std::min(leg.baseMedianNs, other.baseMedianNs);
        leg.noise = std::max(leg.noise, std::abs(leg.baseMedianNs - other.baseMedianNs) / smaller);
      }
    }
  }
}

std::vector<CountComparison> compareCounts(const SessionCounts &base, const SessionCounts &contender) {
  std::map<CountKey, CountComparison> all;
  for (const auto &[key, value] : base) {
    all[key].base = value;
  }
  for (const auto &[key, value] : contender) {
    all[key].contender = value;
  }
  std::vector<CountComparison> result;
  for (auto &[key, count] : all) {
    count.key = key;
    if (count.base && count.contender && *count.base != *count.contender) {
      const bool grew = *count.contender > *count.base;
      count.verdict = grew == moreIsBetter(key.count) ? Verdict::Better : Verdict::Worse;
    }
    // Bytes of code move with the smallest change of a compiler; told, not judged.
    if (key.count == Count::CodeBytes && count.verdict != Verdict::Alike) {
      count.verdict = Verdict::NotJudged;
    }
    result.push_back(std::move(count));
  }
  std::ranges::stable_sort(result, {}, [](const CountComparison &count) {
    return std::tuple(!count.key.function.empty(), count.key.eager, count.key.function, count.key.count);
  });
  return result;
}

} // namespace

std::string_view timeWord(Verdict verdict) {
  switch (verdict) {
  case Verdict::Alike:
    return "alike";
  case Verdict::Better:
    return "faster";
  case Verdict::Worse:
    return "SLOWER";
  case Verdict::Unconfirmed:
    return "unconfirmed";
  case Verdict::TooFew:
    return "too few samples";
  case Verdict::NotJudged:
    break;
  }
  return "not judged";
}

std::string_view CountComparison::word() const {
  if (!base) {
    return "new";
  }
  if (!contender) {
    return "gone";
  }
  if (*base == *contender) {
    return "alike";
  }
  if (verdict == Verdict::Worse) {
    return *contender > *base ? "MORE" : "FEWER";
  }
  return *contender > *base ? "more" : "fewer";
}

bool Comparison::hasRegressed() const { return legsWith(Verdict::Worse) + countsWith(Verdict::Worse) > 0; }

void Comparison::confirmBy(const Comparison &again) {
  for (LegComparison &leg : legs) {
    const auto isSame = [&leg](const LegComparison &other) {
      return other.name == leg.name && other.input == leg.input && other.leg == leg.leg && other.verdict == Verdict::Worse;
    };
    if (leg.verdict == Verdict::Worse && std::ranges::none_of(again.legs, isSame)) {
      leg.verdict = Verdict::Unconfirmed;
    }
  }
}

std::size_t Comparison::legsWith(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(legs, verdict, &LegComparison::verdict));
}

std::size_t Comparison::countsWith(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(counts, verdict, &CountComparison::verdict));
}

Result<Comparison> compareSessions(SessionReader &base, SessionReader &contender, const CompareOptions &options) {
  Result<Side> baseSide = readSide(base);
  JITSCOPE_TRY(Side contenderSide, baseSide ? readSide(contender) : std::unexpected(baseSide.error()));
  Comparison result;
  result.base = {base.path().string(), base.session()};
  result.contender = {contender.path().string(), contender.session()};
  result.options = options;
  for (KeyedLeg &leg : baseSide->legs) {
    const auto match = std::ranges::find(contenderSide.legs, leg.key, &KeyedLeg::key);
    if (match == contenderSide.legs.end()) {
      result.onlyInBase.push_back(describe(leg.key));
      continue;
    }
    result.legs.push_back(measure(leg.key, leg.samples, match->samples, options));
  }
  for (const KeyedLeg &leg : contenderSide.legs) {
    if (std::ranges::find(baseSide->legs, leg.key, &KeyedLeg::key) == baseSide->legs.end()) {
      result.onlyInContender.push_back(describe(leg.key));
    }
  }
  result.warnings = differencesOf(result.base.session, result.contender.session);
  const bool sameCpu = haveSameCpu(result.base.session.info, result.contender.session.info);
  addNoiseOfProcesses(result.legs);
  judge(result.legs, options, sameCpu);
  confirmByOtherLeg(result.legs);
  result.counts = compareCounts(baseSide->counts, contenderSide.counts);
  result.compiles = compareCompiles(baseSide->compiles, contenderSide.compiles);
  result.hasOnlyCounts = result.legs.empty() && result.onlyInBase.empty() && result.onlyInContender.empty();
  result.insufficient = insufficiencies(result, sameCpu);
  return result;
}

} // namespace jitscope::analysis
