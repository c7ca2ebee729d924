// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::session {
class Database;
class SessionReader;
} // namespace jitscope::session

/// What became of the loops of compiles, by the rule of event/loops.h.
namespace jitscope::analysis {

/// One loop and what became of it, where several compiles agree in that.
struct LoopFinding {
  event::LoopResult loop;
  std::string function;               ///< where it is written; of code that is nobody's function the symbol
  std::string holder;                 ///< the function that holds its code, where that is another one; else empty
  std::vector<std::string> pipelines; ///< under which, as they were first met
  bool isAgreed = true;               ///< the same became of it under every pipeline that its compiles used
  std::uint64_t compiles = 0;
  std::string remedy; ///< the remedy; empty if none is known
};

/// "inner", or "inner, in outer" where another function holds the loop's code.
[[nodiscard]] std::string functionText(const LoopFinding &finding);
/// The pipelines that agree in the finding; "all" where every one of several does.
[[nodiscard]] std::string pipelinesText(const LoopFinding &finding);

struct LoopSummary {
  bool isRecorded = false;      ///< there are compiles whose loops were recorded
  std::uint64_t vectorized = 0; ///< loops of each compile, added up
  std::uint64_t innermost = 0;  ///< the same of all that hold no others
  std::uint64_t outer = 0;      ///< of those that do, each once however many compiles have it
  std::uint64_t unreached = 0;  ///< copies in code that the root does not reach, which count nowhere else
  std::vector<std::string> pipelines;
  /// Innermost loops. Those that pipelines disagree about come first, then scalar ones, then by location.
  std::vector<LoopFinding> findings;
};

/// The loops of one compile.
struct CompiledLoops {
  std::string pipeline;
  std::vector<event::LoopResult> loops;
};

/// Puts the findings of several compiles together. `functions` are the session's, for their names.
[[nodiscard]] LoopSummary summarizeLoops(const std::vector<CompiledLoops> &compiles,
                                         const std::vector<event::FunctionEvent> &functions);

/// Which compiles of a session to look at.
enum class LoopScope : std::uint8_t {
  Calls, ///< those outside studies
  All
};

/// The loops of the selected compiles.
[[nodiscard]] base::Result<LoopSummary> readLoopSummary(session::SessionReader &reader, const Selection &selection,
                                                        LoopScope scope);

} // namespace jitscope::analysis
