// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/stale_capture.h"

#include "base/try.h"
#include "event/stale_capture.h"
#include "session/file/database.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::analysis {

namespace {

/// The function that the warning is about. Several may have its name: then it is the one whose call began last before the warning,
/// which is given when a call has ended. None where no function has the name.
base::Result<base::FunctionId> functionOf(FindingEvidence &evidence, const event::LogEvent &warning, const std::string &name) {
  std::vector<base::FunctionId> named;
  for (const event::FunctionEvent &function : evidence.functions()) {
    if (function.name == name && !function.eager) {
      named.push_back(function.id);
    }
  }
  if (named.size() <= 1) {
    return named.empty() ? base::FunctionId() : named.front();
  }
  JITSCOPE_TRY(session::Statement select,
               evidence.database().prepare("SELECT max(start_ns) FROM call_record WHERE start_ns <= ?1 AND context_id = ?2"));
  base::FunctionId latest;
  std::uint64_t latestNs = 0;
  for (const ContextRecord &context : evidence.contexts()) {
    if (std::ranges::find(named, context.functionId) == named.end()) {
      continue;
    }
    select.reset();
    select.bind(1, warning.atNs);
    select.bind(2, context.id);
    JITSCOPE_TRY(const bool row, select.step());
    if (row && !select.isNull(0) && (!latest.isValid() || select.unsignedInteger(0) > latestNs)) {
      latest = context.functionId;
      latestNs = select.unsignedInteger(0);
    }
  }
  return latest;
}

} // namespace

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
    JITSCOPE_TRY(const base::FunctionId function, functionOf(evidence, entry, capture->function));
    finding.rows.functions.push_back(function);
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
