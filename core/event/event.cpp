// SPDX-License-Identifier: GPL-3.0-or-later
#include "event/event.h"

#include <array>
#include <cstddef>

#include <fmt/format.h>

namespace jitscope::event {

namespace {

// Spellings in the order of the enumerators.
constexpr std::array<std::string_view, 6> kOutcomeNames{"hit", "retrace", "disk", "miss", "wait", "bypass"};
constexpr std::array<std::string_view, 12> kReasons{"new-function", "new-shape",    "new-dtype",         "new-rank",
                                                    "new-arity",    "static-value", "options",           "evicted",
                                                    "cleared",      "disk-corrupt", "disk-other-target", "study"};
constexpr std::array<std::string_view, 3> kLegs{"", "cold", "warm"};
constexpr std::array<std::string_view, 4> kPhases{"setup", "run", "warmup", "sample"};
constexpr std::array<std::string_view, 3> kRemarkKinds{"passed", "missed", "analysis"};
constexpr std::array<std::string_view, 5> kLoopStates{"vectorized", "interleaved", "scalar", "unrolled", "outer"};
constexpr std::array<std::string_view, 10> kStages{"",       "before",   "function",  "link", "cheap",
                                                   "module", "pre-link", "post-link", "emit", "final"};
constexpr std::array<std::string_view, 3> kEvictionReasons{"entries", "bytes", "clear"};
constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warning", "error"};

template <typename Enum, std::size_t N> std::string_view spell(const std::array<std::string_view, N> &names, Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : std::string_view("?");
}

template <typename Enum, std::size_t N>
std::optional<Enum> parse(const std::array<std::string_view, N> &names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) {
      return static_cast<Enum>(i);
    }
  }
  return std::nullopt;
}

} // namespace

std::string_view nameOf(Outcome outcome) { return spell(kOutcomeNames, outcome); }
std::string_view nameOf(MissReason reason) { return spell(kReasons, reason); }
std::string_view nameOf(Leg leg) { return spell(kLegs, leg); }
std::string_view nameOf(CallPhase phase) { return spell(kPhases, phase); }
std::string_view nameOf(RemarkKind kind) { return spell(kRemarkKinds, kind); }
std::string_view nameOf(LoopState state) { return spell(kLoopStates, state); }
std::string_view nameOf(Stage stage) { return spell(kStages, stage); }
std::string_view nameOf(EvictionReason reason) { return spell(kEvictionReasons, reason); }
std::string_view nameOf(LogLevel level) { return spell(kLevels, level); }

std::string functionLabel(std::string_view name, int line) {
  const std::string ending = fmt::format(":{}", line);
  return line <= 0 || name.ends_with(ending) ? std::string(name) : std::string(name) + ending;
}

std::string sectionLabel(std::string_view name) { return name.empty() ? "(before any section)" : std::string(name); }

std::string caseName(std::string_view name, std::string_view input) {
  return input.empty() ? std::string(name) : fmt::format("{} [{}]", name, input);
}

std::optional<Outcome> outcomeFromName(std::string_view name) { return parse<Outcome>(kOutcomeNames, name); }
std::optional<MissReason> missReasonFromName(std::string_view name) { return parse<MissReason>(kReasons, name); }
std::optional<Leg> legFromName(std::string_view name) { return parse<Leg>(kLegs, name); }
std::optional<CallPhase> callPhaseFromName(std::string_view name) { return parse<CallPhase>(kPhases, name); }
std::optional<RemarkKind> remarkKindFromName(std::string_view name) { return parse<RemarkKind>(kRemarkKinds, name); }
std::optional<LoopState> loopStateFromName(std::string_view name) { return parse<LoopState>(kLoopStates, name); }
std::optional<Stage> stageFromName(std::string_view name) { return parse<Stage>(kStages, name); }
std::optional<EvictionReason> evictionReasonFromName(std::string_view name) {
  return parse<EvictionReason>(kEvictionReasons, name);
}
std::optional<LogLevel> logLevelFromName(std::string_view name) { return parse<LogLevel>(kLevels, name); }

} // namespace jitscope::event
