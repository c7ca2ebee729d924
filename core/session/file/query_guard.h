// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "session/file/database.h"

#include <chrono>
#include <string_view>

/// What `Database` and `Statement` do with a `QueryGuard`.
namespace jitscope::session {

/// SQLite asks this each so many instructions of its machine, some tens of microseconds. Other than 0 ends the statement.
int checkGuard(void *guard);
/// Charges the time that SQLite works from now on to `spent`.
void charge(QueryGuard *guard, std::chrono::nanoseconds &spent);
/// Damage, with the session that has it where that is known.
base::Error named(base::Error error, const QueryGuard *guard);
/// What a query is told that gives `what`, more than is held in memory.
base::Error tooMuch(std::string_view what, const QueryGuard *guard);
/// Why a statement ended: the guard's reason where it was the guard.
base::Error failureOf(sqlite3 *database, const QueryGuard *guard);

} // namespace jitscope::session
