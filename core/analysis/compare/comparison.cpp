// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compare/comparison.h"

#include "analysis/compare/session_differences.h"
#include "analysis/statistics/steady_samples.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
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
  SteadySamples samples;
};

/// What is read of a session, all of one state.
struct Side {
  std::vector<KeyedLeg> legs;
  SessionCounts counts;
  CompileDurations compiles;
};

Result<Side> readSide(SessionReader &reader) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  Result<std::vector<event::BenchCaseEvent>> cases = reader.benchCases();
  Result<std::vector<SteadySamples>> legs = cases ? readSteadySamples(reader.database()) : std::unexpected(cases.error());
  Result<SessionCounts> counts = legs ? readSessionCounts(reader) : std::unexpected(legs.error());
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
    for (SteadySamples &samples : *legs) {
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

LegComparison compareLeg(KeyedLeg &base, KeyedLeg &contender, const CompareOptions &options) {
  LegComparison result = measureLeg(base.samples, contender.samples, options);
  result.name = base.key.name;
  result.input = base.key.input;
  result.leg = base.key.leg;
  return result;
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
    // Bytes of code move with the smallest change of a compiler, and what only one side has is compared with nothing.
    if (count.base != count.contender && (key.count == Count::CodeBytes || !count.base || !count.contender)) {
      count.verdict = Verdict::NotJudged;
    }
    // Each function that a session knows has templates.
    const bool isOneSided = count.base.has_value() != count.contender.has_value();
    const SessionCounts &lacking = count.base ? contender : base;
    count.isUnrecorded =
        isOneSided && key.count == Count::VectorizedLoops && lacking.contains({Count::Templates, key.function, key.eager});
    result.push_back(std::move(count));
  }
  std::ranges::stable_sort(result, {}, [](const CountComparison &count) {
    return std::tuple(!count.key.function.empty(), count.key.eager, count.key.function, count.key.count);
  });
  return result;
}

} // namespace

std::string_view CountComparison::word() const {
  if (!base) {
    return isUnrecorded ? "not recorded in base" : "new";
  }
  if (!contender) {
    return isUnrecorded ? "not recorded in contender" : "gone";
  }
  if (*base == *contender) {
    return nameOf(Verdict::Equal);
  }
  if (verdict == Verdict::Worse) {
    return *contender > *base ? "MORE" : "FEWER";
  }
  return *contender > *base ? "more" : "fewer";
}

bool Comparison::hasRegressed() const { return legVerdicts().slower + countsWith(Verdict::Worse) > 0; }

std::vector<const LegComparison *> Comparison::possiblySlower() const {
  std::vector<const LegComparison *> result;
  for (const LegComparison &leg : legs) {
    if (leg.mayBeSlower(options.threshold)) {
      result.push_back(&leg);
    }
  }
  return result;
}

std::vector<std::string> Comparison::doubts() const {
  std::vector<std::string> result = insufficient;
  for (const LegComparison *leg : possiblySlower()) {
    // `insufficient` has these of the first measurement.
    const bool isListed = leg->doubt == Doubt::TooFewSamples || leg->doubt == Doubt::OtherCpu;
    if (!isListed || leg->firstChange) {
      result.push_back(fmt::format("{}: {}", describe({leg->name, leg->input, 0, leg->leg}), doubtText(*leg, options)));
    }
  }
  return result;
}

void Comparison::confirmBy(const Comparison &again) {
  for (LegComparison &leg : legs) {
    const bool isSlower = leg.verdict == Verdict::Worse;
    if (!isSlower && !leg.mayBeSlower(options.threshold)) {
      continue;
    }
    const auto other = std::ranges::find_if(again.legs, [&leg](const LegComparison &one) { return one.isSameLeg(leg); });
    const bool isSlowerAgain = other != again.legs.end() && other->verdict == Verdict::Worse;
    if (isSlower && isSlowerAgain) {
      continue;
    }
    if (other == again.legs.end() || isSlowerAgain) {
      leg.verdict = Verdict::CannotTell;
      leg.doubt = Doubt::NotRepeated;
      continue;
    }
    const double firstChange = leg.firstChange.value_or(leg.change());
    leg = *other;
    leg.firstChange = firstChange;
  }
}

LegVerdicts Comparison::legVerdicts() const {
  const auto with = [this](Verdict verdict) {
    return static_cast<std::size_t>(std::ranges::count(legs, verdict, &LegComparison::verdict));
  };
  LegVerdicts verdicts{legs.size(), with(Verdict::Worse), with(Verdict::Better), with(Verdict::Equal), with(Verdict::CannotTell)};
  for (const LegComparison &leg : legs) {
    if (leg.verdict == Verdict::CannotTell) {
      verdicts.noise = std::max(verdicts.noise, leg.noise);
    }
  }
  return verdicts;
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
    result.legs.push_back(compareLeg(leg, *match, options));
  }
  for (const KeyedLeg &leg : contenderSide.legs) {
    if (std::ranges::find(baseSide->legs, leg.key, &KeyedLeg::key) == baseSide->legs.end()) {
      result.onlyInContender.push_back(describe(leg.key));
    }
  }
  result.warnings = differencesOf(result.base.session, result.contender.session);
  const bool sameCpu = haveSameCpu(result.base.session.info, result.contender.session.info);
  const bool isSameSession = areSameSession(result.base.session.info, result.contender.session.info);
  judgeLegs(result.legs, options, sameCpu, isSameSession);
  result.counts = compareCounts(baseSide->counts, contenderSide.counts);
  result.compiles = compareCompiles(baseSide->compiles, contenderSide.compiles);
  result.hasOnlyCounts = result.legs.empty() && result.onlyInBase.empty() && result.onlyInContender.empty();
  result.isCopy = isSameSession && result.onlyInBase.empty() && result.onlyInContender.empty() &&
                  baseSide->counts == contenderSide.counts && baseSide->compiles == contenderSide.compiles &&
                  std::ranges::all_of(result.legs, &LegComparison::isCopy);
  result.insufficient = insufficiencies(result, sameCpu);
  return result;
}

} // namespace jitscope::analysis
