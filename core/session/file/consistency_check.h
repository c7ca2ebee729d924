// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "session/file/session_check.h"

/// Whether the figures of a session can all be true at once.
namespace jitscope::session {

class Database;

/// Whether no figure contradicts another one: compiles within their calls, calls within the session, phases within their compile,
/// passes within their phase. StorageCorrupt, naming table, row and contradiction. `Small` leaves out tables that grow with the
/// calls and the optimizer's work. The values must have been checked (`checkValues`).
[[nodiscard]] base::Result<void> checkConsistency(Database &database, CheckedTables tables);

} // namespace jitscope::session
