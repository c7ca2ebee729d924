// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/session_counts.h"
#include "analysis/compare/compile_comparison.h"
#include "analysis/compare/leg_comparison.h"
#include "base/error.h"
#include "session/file/session_open.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

/// Whether a contender is worse than a base.
namespace jitscope::analysis {

/// One count of the session or of a function. What only one session has is not judged.
struct CountComparison {
  CountKey key;
  std::optional<std::uint64_t> base = {};
  std::optional<std::uint64_t> contender = {};
  Verdict verdict = Verdict::Equal;
  bool isUnrecorded = false; ///< the side without a count has the function, but recorded no remarks to count

  /// "more", "fewer", "equal", "new", "gone" or "not recorded in base".
  [[nodiscard]] std::string_view word() const;
};

/// One of the two sessions.
struct ComparedSession {
  std::string path;
  session::SessionRow session;
};

/// How many legs got each verdict.
struct LegVerdicts {
  std::size_t all = 0;
  std::size_t slower = 0;
  std::size_t faster = 0;
  std::size_t equal = 0;
  std::size_t cannotTell = 0;
  double noise = 0; ///< the largest of those that cannot be told
};

struct Comparison {
  ComparedSession base;
  ComparedSession contender;
  CompareOptions options;
  std::vector<std::string> warnings;       ///< what else differs: CPU, LLVM, options…
  std::vector<std::string> insufficient;   ///< why this is too little, or not comparable, to be called good
  bool hasOnlyCounts = false;              ///< neither session has a benchmark case
  bool isCopy = false;                     ///< both are one session with the same samples, counts and compile times
  std::vector<LegComparison> legs;         ///< in the order of the base's cases, cold before warm
  std::vector<CountComparison> counts;     ///< of the whole session first, then by function
  std::vector<CompileComparison> compiles; ///< of functions under pipelines, what took longest first
  std::vector<std::string> onlyInBase;     ///< cases and legs without a match
  std::vector<std::string> onlyInContender;

  /// Something is worse: slower, or a count that should not have grown.
  [[nodiscard]] bool hasRegressed() const;
  /// Legs for which the comparison cannot tell, and whose median is over the threshold.
  [[nodiscard]] std::vector<const LegComparison *> possiblySlower() const;
  /// Everything that prevents calling the comparison good although nothing is worse: `insufficient`, and each leg that may be
  /// slower.
  [[nodiscard]] std::vector<std::string> doubts() const;
  [[nodiscard]] bool isSufficient() const { return doubts().empty(); }
  /// The same, but a session without benchmarks is acceptable if its counts could be compared.
  [[nodiscard]] bool isSufficientForScript() const { return isSufficient() || (hasOnlyCounts && insufficient.size() == 1); }
  /// A leg that is slower, or may be, has been measured again, in a comparison with the same base. Slower stays what is slower each
  /// time; else the last measurement takes the place of the first.
  void confirmBy(const Comparison &again);
  [[nodiscard]] LegVerdicts legVerdicts() const;
  [[nodiscard]] std::size_t countsWith(Verdict verdict) const;
};

/// Compares two sessions: times by `judgeLegs`, counts exactly. A session and its own copy are equal. Reads each session's calls
/// once: two sessions of a million calls take about a second.
[[nodiscard]] base::Result<Comparison> compareSessions(session::SessionReader &base, session::SessionReader &contender,
                                                       const CompareOptions &options = {});

} // namespace jitscope::analysis
