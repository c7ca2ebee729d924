// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/divergence.h"
#include "analysis/compiles/loop_summary.h"
#include "analysis/compiles/redundant_work.h"
#include "analysis/query/selection.h"
#include "analysis/statistics/timing.h"
#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::session {
class Database;
class SessionReader;
} // namespace jitscope::session

/// What the optimizer did in a session. Times and durations are nanoseconds, sizes bytes.
namespace jitscope::analysis {

/// What one pass took under one pipeline.
struct PassCost {
  std::uint64_t durationNs = 0; ///< without the passes that ran inside it
  std::uint64_t runs = 0;
  std::uint64_t changes = 0; ///< runs that may have changed the code
};

struct PassTotal {
  std::string name;
  std::vector<PassCost> byPipeline; ///< as `OptimizerSummary::pipelines` has them
  PassCost total;
};

/// Remarks of one pass by kind.
struct RemarkTotal {
  std::string pass;
  std::uint64_t passed = 0;
  std::uint64_t missed = 0;
  std::uint64_t analysis = 0;

  [[nodiscard]] std::uint64_t count() const { return passed + missed + analysis; }
};

/// Remarks of one kind, pass and name.
struct RemarkCount {
  std::string kind; ///< "passed", "missed" or "analysis"
  std::string pass;
  std::string name;
  std::uint64_t count = 0;
};

/// How often one function was worked on over all compiles, and what the repeats cost.
struct FunctionWorkSummary {
  std::string name;
  bool eager = false;
  std::uint64_t compiles = 0; ///< that it was part of
  std::uint64_t optimized = 0;
  std::uint64_t linked = 0;
  std::uint64_t emitted = 0;
  std::uint64_t optimizeNs = 0;
  std::uint64_t emitNs = 0;
  std::uint64_t codeBytes = 0;
  std::uint64_t repeatNs = 0; ///< part of optimizing and emitting: of copies that other functions' modules held
};

/// Time of a compile by phase, of the repetitions that were only timed.
struct PhaseTimings {
  Timing trace;
  Timing lower;
  Timing optimize;
  Timing codegen;
  Timing link;
  Timing total;
  /// There were none: these are of the compile that was recorded in detail, which took longer for it.
  bool isRecordedInDetail = false;
};

/// A study's pipeline, what it made and what that cost.
struct StudyPipeline {
  event::StudyResultEvent result;
  std::string target; ///< of the compile; empty if there is none
  /// Of the root itself, as code was made of it; none where its text was not recorded. The result's counts are of all functions.
  std::optional<std::uint64_t> rootInstructions;
  PhaseTimings compile;
  double compileRatio = 0;              ///< to the first pipeline; 0 where one of them is unknown
  std::vector<event::LoopResult> loops; ///< the vectorized ones
  Timing execute;                       ///< of one call
  double executeRatio = 0;              ///< to the first pipeline; 0 where one of them is unknown
  RedundantWork redundantWork;
  RedundantWorkVerdict verdict;
};

struct StudySummary {
  event::StudyEvent study;
  std::vector<std::string> notes;
  std::vector<StudyPipeline> pipelines; ///< in the order in which the study named them
  LoopSummary loops;                    ///< of all pipelines
  /// Of the root: the first pipeline against each other one, as far as both have a result.
  std::vector<Divergence> divergences;
};

struct OptimizerSummary {
  std::vector<std::string> pipelines; ///< those of compiles that were recorded in detail, as they were met
  std::vector<PassTotal> passes;      ///< the longest first
  PassCost passTotal;
  std::uint64_t remarks = 0;
  std::vector<RemarkCount> remarkCounts;  ///< the most frequent first
  std::vector<RemarkTotal> remarksByPass; ///< the most frequent first
  LoopSummary loops;                      ///< of compiles outside studies
  std::vector<FunctionWorkSummary> work;  ///< the longest repeats first
  std::vector<StudySummary> studies;
};

/// Summarizes the selected compiles in one state of a session, within a snapshot of the caller; studies with one of them, which are
/// read whole, one after the other.
[[nodiscard]] base::Result<OptimizerSummary> summarizeOptimizer(session::SessionReader &reader, const Selection &selection);

} // namespace jitscope::analysis
