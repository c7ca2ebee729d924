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
  /// Notes which calls are recorded now, within the caller's snapshot. False if a call has arrived among the earlier ones: read all
  /// calls again.
  [[nodiscard]] base::Result<bool> advance(session::Database &database);

private:
  std::int64_t m_lastId = 0;
  std::int64_t m_count = 0;
};

} // namespace jitscope::analysis
