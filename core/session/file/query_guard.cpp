// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/query_guard.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

namespace jitscope::session {

int checkGuard(void *context) {
  // A statement that comes to a row between two questions has worked about as long.
  constexpr std::chrono::microseconds kBetween{100};
  auto &guard = *static_cast<QueryGuard *>(context);
  if (guard.cancelled != nullptr && guard.cancelled->load(std::memory_order_relaxed)) {
    return 1;
  }
  if (guard.limits.queryTime.count() == 0) {
    return 0;
  }
  const auto now = std::chrono::steady_clock::now();
  const bool isFirst = guard.lastTick == std::chrono::steady_clock::time_point();
  *guard.spent += isFirst ? std::chrono::nanoseconds(kBetween) : now - guard.lastTick;
  guard.lastTick = now;
  guard.isExpired = *guard.spent > guard.limits.queryTime;
  return static_cast<int>(guard.isExpired);
}

void charge(QueryGuard *guard, std::chrono::nanoseconds &spent) {
  if (guard != nullptr) {
    guard->spent = &spent;
    guard->lastTick = {};
    guard->isExpired = false;
  }
}

base::Error named(base::Error error, const QueryGuard *guard) {
  if (error.code == base::ErrorCode::StorageCorrupt && guard != nullptr && !guard->session.empty()) {
    error.message = fmt::format("the session \"{}\" cannot be read: {}", guard->session, error.message);
  }
  return error;
}

base::Error tooMuch(std::string_view what, const QueryGuard *guard) {
  return named({base::ErrorCode::StorageCorrupt,
                fmt::format("a query gives {}, the maximum that is held in memory; record a shorter run", what),
                {}},
               guard);
}

base::Error failureOf(sqlite3 *database, const QueryGuard *guard) {
  base::Error error = lastError(database);
  if (guard != nullptr && guard->isExpired && error.code == base::ErrorCode::StorageCancelled) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(guard->limits.queryTime).count();
    error = {base::ErrorCode::StorageCorrupt,
             fmt::format("a query was stopped after {} s, the maximum for a file of this size; take another copy of the "
                         "session, or record a shorter run",
                         seconds),
             {}};
  }
  return named(std::move(error), guard);
}

} // namespace jitscope::session
