// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/bench_progress.h"
#include "analysis/calls/call_span_index.h"
#include "analysis/compiles/compile_list.h"
#include "base/error.h"
#include "session/import/merged_part.h"
#include "ui/charts/timeline_chart.h"

#include <cstdint>
#include <vector>

namespace jitscope::ui {

/// What a timeline shows besides calls, and its limits.
struct TimelineBase {
  std::vector<analysis::CompileSpan> compiles;
  std::vector<charts::SectionBand> sections;
  std::vector<analysis::ProcessStart> starts;
  std::vector<session::MergedPart> parts;
  analysis::TimeRange limits;
  std::uint64_t calls = 0;
  analysis::BenchProgress progress; ///< nothing once the session has ended
};

/// Of a session in one state. What was recorded since the last time is added to the index first.
[[nodiscard]] base::Result<TimelineBase> readTimelineBase(session::SessionReader &reader, analysis::CallSpanIndex &index);

} // namespace jitscope::ui
