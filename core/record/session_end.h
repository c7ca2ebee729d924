// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jitscope::record {

/// How far a session has come. `Running` while it is recorded; one of the others for good.
enum class SessionStatus : std::uint8_t {
  Running,
  Finished,
  Failed,      ///< the script, or the recording itself, ended with an error
  Interrupted, ///< a signal, a time limit, or the process died
};

/// The spelling that sessions and people see, e.g. "finished".
std::string_view nameOf(SessionStatus status);
/// The way back from a spelling; empty where there is no such status.
std::optional<SessionStatus> sessionStatusFromName(std::string_view name);

/// What is known when a session ends.
struct SessionEnd {
  SessionStatus status = SessionStatus::Finished;
  std::string error;       ///< empty unless something went wrong
  std::uint64_t endNs = 0; ///< nanoseconds since the session began; 0 where nobody knows
};

} // namespace jitscope::record
