// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

/// The tables of a session file. Every time is in nanoseconds since the session began, every duration in nanoseconds, every size
/// in bytes; a reference that means "none" is NULL.
namespace jitscope::session {

/// "Jtsc": what makes an SQLite file a session (PRAGMA application_id, bytes 68…71 of the file).
inline constexpr std::int32_t kApplicationId = 0x4a747363;
/// The newest layout that this version knows (PRAGMA user_version, bytes 60…63 of the file).
inline constexpr std::int32_t kSchemaVersion = 5;
/// Small pages keep a session of a few calls small; larger ones bring no more calls a second.
inline constexpr int kPageSize = 4096;

/// Makes every table and view in an empty database and marks it as a session.
std::string schemaSql();

/// The indexes that readers of a whole session profit from. Made when the session ends, since a recording would pay for them with
/// every row; all of them "IF NOT EXISTS".
std::string indexSql();

/// Makes table `merged_session`, which only merged sessions have: a row for each session that they were made of.
std::string mergedSql();

} // namespace jitscope::session
