// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/export/exporter.h"

namespace jitscope::report {

/// The run as a trace in Chrome's JSON format, which Perfetto opens
/// (https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU): calls as slices on the track of their process
/// and thread; within those that were no hits the lookup, the compile with its phases and the passes in them, and the execution.
/// Sections have a track of their own, memory and cache are counters, evictions are marks. Of passes only durations are recorded:
/// they are laid out one after the other from the beginning of their phase, and made shorter where they would outlast it.
class ChromeTraceExporter final : public Exporter {
public:
  [[nodiscard]] base::Result<void> write(session::SessionReader &reader, const ExportOutput &output) const override;
};

} // namespace jitscope::report
