// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compile_comparison.h"
#include "analysis/median_shift.h"
#include "analysis/session_counts.h"
#include "base/error.h"
#include "event/event.h"
#include "session/session_open.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

/// Whether a contender is worse than a base.
namespace jitscope::analysis {

struct CompareOptions {
  double threshold = 0.05;    ///< how much of the base's median a shift has to exceed
  double significance = 0.05; ///< what the adjusted p-value has to be below
  /// Judge times of different CPUs as if they were comparable.
  bool acrossMachines = false;
  /// Samples without a compile that a leg needs on either side. Below six a median has no interval.
  std::size_t fewestSamples = 6;
};

enum class Verdict : std::uint8_t {
  Alike,
  Better,
  Worse,
  Unconfirmed, ///< worse, but not in the case's other leg, or not when it was measured again
  TooFew,      ///< too few samples to tell
  NotJudged,   ///< measured on other CPUs, or in no time at all
};

/// "alike", "faster" or "fewer", "slower" or "more"… for a time or a count.
std::string_view timeWord(Verdict verdict);

/// One case, input and leg that both sessions have. The samples that no compile held up are judged.
struct LegComparison {
  std::string name;
  std::string input;
  event::Leg leg = event::Leg::None;
  std::size_t baseSamples = 0;
  std::size_t contenderSamples = 0;
  double baseMedianNs = 0;
  double contenderMedianNs = 0;
  std::optional<MedianShift> shift = {}; ///< empty with too few samples
  double pValue = 1;                     ///< Mann-Whitney, of this leg alone
  double adjustedPValue = 1;             ///< by Holm, for all legs together
  /// How far the base's median strays without a cause, as a share of it: see `medianNoise`; and how far the medians of its cold
  /// and its warm leg are apart, should there be both.
  double noise = 0;
  double baseCompileNs = 0; ///< longest sample that a compile held up; 0 for none. It is one sample, so it is not judged
  double contenderCompileNs = 0;
  /// Where one side compiles longer and calls faster: the calls after which that has paid.
  std::optional<std::uint64_t> breakEven = {};
  Verdict verdict = Verdict::TooFew;

  /// 0.2 for a fifth slower.
  [[nodiscard]] double change() const { return shift ? shift->ratio - 1 : 0; }
};

/// One count that differs, or that both have. Of functions that only one session has nothing is judged.
struct CountComparison {
  CountKey key;
  std::optional<std::uint64_t> base = {};
  std::optional<std::uint64_t> contender = {};
  Verdict verdict = Verdict::Alike;

  /// "more", "fewer", "alike", "new" or "gone".
  [[nodiscard]] std::string_view word() const;
};

/// One of the two sessions.
struct ComparedSession {
  std::string path;
  session::SessionRow session;
};

struct Comparison {
  ComparedSession base;
  ComparedSession contender;
  CompareOptions options;
  std::vector<std::string> warnings;       ///< what else differs: CPU, LLVM, options…
  std::vector<std::string> insufficient;   ///< why this is too little, or not comparable, to be called alike
  bool hasOnlyCounts = false;              ///< neither session has a benchmark case
  std::vector<LegComparison> legs;         ///< in the order of the base's cases, cold before warm
  std::vector<CountComparison> counts;     ///< of the whole session first, then by function
  std::vector<CompileComparison> compiles; ///< of functions under pipelines, what took longest first
  std::vector<std::string> onlyInBase;     ///< cases and legs without a match
  std::vector<std::string> onlyInContender;

  /// Something is worse: slower, or a count that should not have grown.
  [[nodiscard]] bool hasRegressed() const;
  [[nodiscard]] bool isSufficient() const { return insufficient.empty(); }
  /// The same where a session without benchmarks is all right, as long as its counts could be compared.
  [[nodiscard]] bool isSufficientForScript() const { return isSufficient() || (hasOnlyCounts && insufficient.size() == 1); }
  /// Takes back what another comparison with the same base does not find worse.
  void confirmBy(const Comparison &again);
  [[nodiscard]] std::size_t legsWith(Verdict verdict) const;
  [[nodiscard]] std::size_t countsWith(Verdict verdict) const;
};

/// Compares two sessions. A shift of a median counts where it is significant, over the threshold, over the base's own noise, and
/// in both legs of a case that has two; counts have to be equal. Reads each session's calls once: two sessions of a million calls
/// take about a second.
[[nodiscard]] base::Result<Comparison> compareSessions(session::SessionReader &base, session::SessionReader &contender,
                                                       const CompareOptions &options = {});

} // namespace jitscope::analysis
