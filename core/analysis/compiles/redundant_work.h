// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The redundant work: how often each function was optimized, linked and emitted, and what the repeats cost.
namespace jitscope::analysis {

struct RedundantWorkEntry {
  event::FunctionWork work;
  std::string name;
};

struct RedundantWork {
  std::vector<RedundantWorkEntry> functions; ///< in the order of the compile
  event::FunctionWork total;                 ///< of all functions; `functionId` is none
  /// Repeats of functions whose copies survived to be emitted again, optimizing and emitting together.
  std::uint64_t survivingNs = 0;
  /// Repeats of functions whose copies were optimized in other modules and gone before code was made.
  std::uint64_t droppedNs = 0;
  std::uint64_t survivingCopies = 0; ///< machine code made beyond the first of each function
};

/// Where repeated work comes from.
enum class RepeatCause : std::uint8_t {
  None,            ///< hardly anything is repeated
  SurvivingCopies, ///< copies of callees in their callers' modules, which are optimized and emitted again
  InlinedBodies    ///< bodies that callers carry since they were inlined, or copies that were there only to be inlined
};
/// "none", "surviving-copies" or "inlined-bodies".
std::string_view nameOf(RepeatCause cause);

struct RedundantWorkVerdict {
  RepeatCause cause = RepeatCause::None;
  /// Optimizing and code generation beyond what the reference took, by the timed repetitions.
  std::uint64_t excessNs = 0;
  /// The part of the excess that is not work on copies: callers carry inlined bodies through every pass again.
  std::uint64_t inlinedNs = 0;
  std::string text; ///< the verdict in a sentence or two
};

/// Optimizing and code generation of one pipeline.
struct PipelineWork {
  std::string pipeline;
  std::uint64_t timedNs = 0;    ///< median of the timed repetitions
  std::uint64_t recordedNs = 0; ///< of the compile whose redundant work is listed
};

/// Adds up what each function cost in one compile, by the names that `functions` gives.
[[nodiscard]] RedundantWork redundantWorkOf(const event::CompileEvent &compile, const std::vector<event::FunctionEvent> &functions);

/// Judges one pipeline beside another that works on each body once, as deferred does; `reference` may be the same. The work on
/// copies is scaled as a share of the recorded compile, because recording and the first touch of code make that compile slower.
[[nodiscard]] RedundantWorkVerdict judge(const RedundantWork &redundantWork, const PipelineWork &work,
                                         const PipelineWork &reference);

} // namespace jitscope::analysis
