// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <map>
#include <string>

namespace jitscope::session {

class Database;

/// What is added to the numbers of one session so that they go on from those of another.
struct Offsets {
  std::map<std::string, std::int64_t> ids; ///< by table
  std::int64_t bench = 0;
  std::int64_t process = 0;
  std::int64_t timeNs = 0;

  [[nodiscard]] std::int64_t of(const std::string &table) const;
};

/// The offsets that continue what a session holds; that of times is 0.
[[nodiscard]] base::Result<Offsets> readOffsets(Database &target);

/// Copies every table but `session` from one session to another, whose schemas have been checked: columns that are ids, processes,
/// benches or moments (see `sessionTables`) get their offset, all others stay. IR that is there already is referred to and not
/// copied. StorageCorrupt for IR whose sum is not that of its text, since it would stand for another session's.
[[nodiscard]] base::Result<void> copyTables(Database &source, Database &target, const Offsets &offsets);

} // namespace jitscope::session
