// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compare/comparison.h"
#include "analysis/compiles/optimizer_summary.h"
#include "analysis/findings/finding.h"
#include "event/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a batch of scripts came to, for the reports on it.
namespace jitscope::report {

enum class ScriptState : std::uint8_t {
  Finished,   ///< ran to its end; expectations may have failed
  Failed,     ///< ended with an error
  Crashed,    ///< its process died
  TimedOut,   ///< did not end in time
  NotStarted, ///< no process could be started, or the batch was stopped before
};

/// "finished", "failed", "crashed"…
std::string_view nameOf(ScriptState state);

/// One of a session's findings.
struct ScriptFinding {
  analysis::Finding finding;
  bool isForbidden = false; ///< it makes the script fail
};

/// One script of a batch.
struct ScriptResult {
  std::string script;  ///< its path as it was given
  std::string name;    ///< that its files have in the batch's folder
  std::string session; ///< path; empty if there is none
  std::string report;  ///< path of its HTML report; empty if there is none
  ScriptState state = ScriptState::NotStarted;
  std::string message; ///< why it did not finish
  std::string output;  ///< the last that it printed
  double seconds = 0;
  std::string startedUtc; ///< ISO 8601
  std::string host;
  std::string llvmVersion;
  std::vector<event::ExpectationEvent> expectations;
  std::vector<analysis::LoopFinding> scalarLoops;    ///< that no pipeline or not every one vectorized
  std::vector<ScriptFinding> findings;               ///< in their order
  std::vector<analysis::FindingKind> forbiddenKinds; ///< those that were looked for, whether or not there is one
  std::optional<analysis::Comparison> comparison;    ///< with its baseline
  std::string baselineProblem;                       ///< why there is no comparison though one was asked for; empty for none

  [[nodiscard]] std::uint64_t failedExpectations() const;
  [[nodiscard]] std::uint64_t forbiddenFindings() const;
  /// It did not finish, an expectation failed, there is a forbidden finding, or something is worse than in the baseline.
  [[nodiscard]] bool hasFailed() const;
  /// There is a comparison that cannot tell.
  [[nodiscard]] bool isInsufficient() const;
  /// "passed", "crashed", "2 of 3 expectations failed", "1 forbidden finding", "Regression: 1 of 2 legs slower, 1 equal"…
  [[nodiscard]] std::string verdict() const;
};

struct BatchResult {
  std::vector<ScriptResult> scripts; ///< in the order in which they were given
  std::string shard;                 ///< "2/4"; empty for all
  std::string version;               ///< of Jitscope
  bool hasBaseline = false;
  std::vector<std::string> problems; ///< of the batch as a whole, which keep it from being called good

  [[nodiscard]] bool hasFailed() const;
  [[nodiscard]] bool isInsufficient() const;
};

/// One JSON object.
[[nodiscard]] std::string renderBatchJson(const BatchResult &batch);

} // namespace jitscope::report
