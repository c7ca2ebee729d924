// SPDX-License-Identifier: GPL-3.0-or-later
#include "event/stale_capture.h"

#include "analysis/findings/finding_kinds.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <optional>

namespace jitscope::analysis {

base::Result<void> findStaleCaptures(FindingEvidence &evidence, FindingList &list) {
  JITSCOPE_TRY(const std::vector<event::LogEvent> logs, evidence.reader().logs());
  for (const event::LogEvent &entry : logs) {
    const std::optional<event::StaleCapture> capture = event::staleCaptureFrom(entry.message);
    if (entry.level != event::LogLevel::Warning || !capture) {
      continue;
    }
    Finding finding;
    finding.kind = FindingKind::StaleCapture;
    finding.line = event::lineOfPlace(capture->place);
    for (const event::FunctionEvent &function : evidence.functions()) {
      if (function.name == capture->function) {
        finding.rows.functions.push_back(function.id);
      }
    }
    finding.title = fmt::format("{} computes with a value that has changed: {}", capture->function, capture->changes);
    finding.explanation =
        fmt::format("{} reads it from outside. Its value became a constant of the executable when the function was "
                    "traced, and the call at line {} got a result for the old value.",
                    capture->function, finding.line);
    finding.remedy = fmt::format("Pass {} as an argument.", capture->names);
    finding.effect = "Results follow the value; as a tensor or a number it needs no further compile.";
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
