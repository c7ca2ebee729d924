// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// Follows the calls of a session that is being recorded, for those who read only ids beyond the last one. A thread whose call is
/// long hands it in after others with greater ids.
class SeenCalls {
public:
  /// Takes note of what is recorded now, within a snapshot of the caller. False where calls have come among those that were there
  /// at the last time: all have to be read anew.
  [[nodiscard]] base::Result<bool> advance(session::Database &database);

private:
  std::int64_t m_lastId = 0;
  std::int64_t m_count = 0;
};

} // namespace jitscope::analysis
