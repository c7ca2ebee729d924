// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {

/// What is wrong. docs/findings.md has a section for each.
enum class FindingKind : std::uint8_t {
  StaleCapture, ///< code computes with a value that has changed since
  Storm,        ///< a function compiled again and again for other arguments
  MadeAnew,     ///< many functions of one name made at one line
  SmallCache,   ///< evicted, then compiled again
  FlipFlop,     ///< calls alternate between few dtypes or static values
  Waiting,      ///< threads held up by a compile of another one
  NeverPaidBack,
  DiskCache, ///< on, but its entries could not be used
  SlowPhase, ///< one phase or pass dominates compile time
  ScalarLoop,
  RedundantWork,
  ColdStart,
  Measurement
};
inline constexpr std::array kFindingKinds{FindingKind::StaleCapture,  FindingKind::Storm,         FindingKind::MadeAnew,
                                          FindingKind::SmallCache,    FindingKind::FlipFlop,      FindingKind::Waiting,
                                          FindingKind::NeverPaidBack, FindingKind::DiskCache,     FindingKind::SlowPhase,
                                          FindingKind::ScalarLoop,    FindingKind::RedundantWork, FindingKind::ColdStart,
                                          FindingKind::Measurement};

/// The spelling that options and files use, e.g. "made-anew".
[[nodiscard]] std::string_view nameOf(FindingKind kind);
[[nodiscard]] std::optional<FindingKind> findingKindFromName(std::string_view name);
/// What the kind means, in half a sentence: for help texts and rule descriptions.
[[nodiscard]] std::string_view meaningOf(FindingKind kind);

/// The rows of the session that a finding stands on, by their ids in ascending order; at most `kMaxRows` of each.
struct FindingRows {
  static constexpr std::size_t kMaxRows = 100;
  std::vector<base::FunctionId> functions;
  std::vector<base::TemplateId> templates;
  std::vector<base::CompileId> compiles;
  std::vector<base::CallId> calls;
  std::vector<base::CaseId> cases;

  /// Sorts, drops repeats and what is beyond the limit.
  void tidy();
};

/// One thing that is wrong in a session, what it costs, and what to do about it.
struct Finding {
  FindingKind kind = FindingKind::Storm;
  std::string title;        ///< one line without a full stop: what, where, and what it costs
  std::uint64_t costNs = 0; ///< that could be saved at most; 0 where no time is lost or it is not known
  double share = 0;         ///< of the time that the session took; 0 to 1 unless threads overlap
  std::string explanation;  ///< two or three sentences
  std::string remedy;       ///< what to do
  std::string effect;       ///< what doing it would bring; empty where the session cannot tell
  FindingRows rows;
  std::string file; ///< the script's path; empty where it is not known
  int line = 0;     ///< 0: not known
};

/// Whether it concerns results rather than time: such findings come first, whatever the others cost.
[[nodiscard]] constexpr bool isAboutCorrectness(FindingKind kind) { return kind == FindingKind::StaleCapture; }

} // namespace jitscope::analysis
