// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_span_index.h"
#include "analysis/query/selection.h"
#include "base/error.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// A compile in its place: when, in which thread, and its phases one after the other.
struct CompileSpan {
  base::CompileId id;
  base::CallId callId; ///< none where it was compiled ahead of time
  base::TemplateId templateId;
  std::string functionName; ///< that was compiled, or studied
  std::string pipeline;
  ThreadName thread; ///< the script's own where it was compiled ahead of time
  std::uint64_t startNs = 0;
  std::array<std::uint64_t, 5> phasesNs{}; ///< trace, lower, optimize, codegen, link
  std::uint64_t totalNs = 0;
};

/// The names of `CompileSpan::phasesNs`.
inline constexpr std::array<const char *, 5> kPhaseNames{"trace", "lower", "optimize", "codegen", "link"};

/// The selected compiles in the order of their start.
[[nodiscard]] base::Result<std::vector<CompileSpan>> readCompileSpans(session::Database &database, const Selection &selection);

/// A compile of a study that only time was taken of, and the one whose passes, remarks and code stand for it.
struct RepeatedCompile {
  base::CompileId id;
  base::CompileId firstId; ///< of the first round: the same study, pipeline and template
};

/// The repeats among the selected compiles, by id.
[[nodiscard]] base::Result<std::vector<RepeatedCompile>> readRepeatedCompiles(session::Database &database,
                                                                              const Selection &selection);

/// Takes from the unrecorded time before processes what others compiled meanwhile: code may be compiled ahead of time, without
/// calls.
void takeCompilesFrom(std::vector<ProcessStart> &starts, const std::vector<CompileSpan> &compiles);

/// Adds threads that only compiled to those of a view, in their order: code may be compiled ahead of time, or for a study.
void addThreadsOf(const std::vector<CompileSpan> &compiles, TimelineView &view);

} // namespace jitscope::analysis
