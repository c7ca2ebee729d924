// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// What tells one session from another in a list of them. Cheap: reads no call.
struct SessionGlance {
  std::uint64_t calls = 0;
  std::vector<std::string> pipelines; ///< that calls and studies compiled under, in the order of their first compile
  /// Whether the run came to use Jitscope at all: a script with a mistake in it may end before.
  bool hasRecords = false;
};

[[nodiscard]] base::Result<SessionGlance> readSessionGlance(session::Database &database);

} // namespace jitscope::analysis
