// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/finding.h"

#include <algorithm>

namespace jitscope::analysis {

namespace {

struct KindText {
  FindingKind kind;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of `FindingKind`.
constexpr std::array<KindText, kFindingKinds.size()> kKindTexts{{
    {FindingKind::StaleCapture, "stale-capture", "a function computes with a value from outside that has changed since its trace"},
    {FindingKind::Storm, "storm", "a function is compiled again and again for other arguments"},
    {FindingKind::MadeAnew, "made-anew", "many functions of one name are made at one line, and each is compiled"},
    {FindingKind::SmallCache, "small-cache", "executables are evicted and compiled again"},
    {FindingKind::FlipFlop, "flip-flop", "calls alternate between few dtypes or static values"},
    {FindingKind::Waiting, "waiting", "threads wait for a compile of another thread"},
    {FindingKind::NeverPaidBack, "never-paid-back", "executables are called less often than their compile needs to pay off"},
    {FindingKind::DiskCache, "disk-cache", "the disk cache has entries that cannot be used"},
    {FindingKind::SlowPhase, "slow-phase", "one phase or one pass dominates compile time"},
    {FindingKind::ScalarLoop, "scalar-loop", "a function that takes much of the execution time has loops that stayed scalar"},
    {FindingKind::RedundantWork, "redundant-work", "the optimizer works on copies of functions more than once"},
    {FindingKind::ColdStart, "cold-start", "first calls wait for compiles"},
    {FindingKind::Measurement, "measurement", "a benchmark's statistics say less than they seem to"},
}};

template <typename IdType> void tidyIds(std::vector<IdType> &ids) {
  std::ranges::sort(ids);
  const auto repeats = std::ranges::unique(ids);
  ids.erase(repeats.begin(), repeats.end());
  std::erase(ids, IdType());
  ids.resize(std::min(ids.size(), FindingRows::kMaxRows));
}

} // namespace

std::string_view nameOf(FindingKind kind) { return kKindTexts[static_cast<std::size_t>(kind)].name; }

std::optional<FindingKind> findingKindFromName(std::string_view name) {
  const auto *const found = std::ranges::find(kKindTexts, name, &KindText::name);
  return found == kKindTexts.end() ? std::nullopt : std::optional(found->kind);
}

std::string_view meaningOf(FindingKind kind) { return kKindTexts[static_cast<std::size_t>(kind)].meaning; }

void FindingRows::tidy() {
  tidyIds(functions);
  tidyIds(templates);
  tidyIds(compiles);
  tidyIds(calls);
  tidyIds(cases);
}

} // namespace jitscope::analysis
