// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "record/session_end.h"
#include "report/document/document.h"

#include <string>
#include <string_view>

namespace jitscope::analysis {
struct Summary;
} // namespace jitscope::analysis
namespace jitscope::session {
struct SessionRow;
}

/// What the formats say of a session in the same words. Names come as they are, for each format to make safe.
namespace jitscope::report {

/// How a call's outcome is coloured: what compiled stands out.
Tone toneOf(event::Outcome outcome);
Tone toneOf(record::SessionStatus status);

/// A miss reason in words, e.g. "compiled before, for other sizes"; in a process other than the script's own, which is one of a
/// cold leg, nobody but the leg has cleared the cache.
std::string_view explain(event::MissReason reason, std::uint16_t process);

/// "name:line", or "name (eager)".
std::string functionText(const std::string &name, int line, bool eager);

/// A template's signature, or "no arguments".
std::string signatureText(const std::string &signature);

/// "Finished in 1.23 s", "Failed after 1.23 s"…
std::string statusText(const session::SessionRow &session);

/// "2024-05-01 12:00:00 UTC" from "2024-05-01T12:00:00.123Z"; anything else as it stands.
std::string timeText(const std::string &startedUtc);

/// The name of the script, or how many sessions a merged one holds.
std::string titleText(const analysis::Summary &summary);
/// Of a merged session the script (its file's name) that a bench or an expectation, counted from 1, came from; "" of another one.
std::string scriptOfBench(const analysis::Summary &summary, std::uint32_t bench);
std::string scriptOfExpectation(const analysis::Summary &summary, std::size_t number);

/// What to say where there are no calls.
std::string noCallsText(const analysis::Summary &summary);

/// What restricts the report, e.g. "Only section benchmark, outcome miss"; "" for a report on the whole session.
std::string onlyText(const analysis::Summary &summary);

} // namespace jitscope::report
