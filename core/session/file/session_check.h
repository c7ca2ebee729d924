// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>

/// A session file comes from a colleague or from a build's artifacts: its header says that it is a session, and nothing more. What
/// it holds is looked at before anything is made of it.
namespace jitscope::session {

class Database;

/// Whether the tables, views, indexes and triggers are those of a session, each by its SQL; StorageFormat, naming the first that is
/// not. Indexes may be missing, since they are made at the end of a run, and so may what merging and ANALYZE add. Nothing may share
/// its pages with something else. Reads the schema alone.
[[nodiscard]] base::Result<void> checkSchema(Database &database);

enum class CheckedTables : std::uint8_t {
  Small, ///< those that do not grow with the calls and the optimizer's work
  All,
};

/// Whether the rows hold what their columns are for: numbers within their bounds, text in UTF-8, names of enumerators, references
/// that lead somewhere, JSON; whether sums stay within 64 bits, and whether the spans add up to the calls. StorageCorrupt, naming
/// table, row, column and value. The schema must have been checked. About 0.3 us for each row.
[[nodiscard]] base::Result<void> checkValues(Database &database, CheckedTables tables);

} // namespace jitscope::session
