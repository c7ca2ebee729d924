// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>

namespace jitscope::session {

/// What a file that somebody else may have made can ask for, at most. Sessions that Jitscope records stay far below.
struct ReadLimits {
  /// One text, and one row, in bytes (SQLITE_LIMIT_LENGTH). The longest that occur are texts of IR.
  int valueBytes = 256 * 1024 * 1024;
  /// The rows that one query holds in memory.
  std::uint64_t heldRows = 10'000'000;
  /// The texts that one query hands out, together, in bytes.
  std::uint64_t heldBytes = std::uint64_t{1} << 30U;
  /// The time that one query works, without what its caller does between the rows. Zero: without end.
  std::chrono::nanoseconds queryTime = std::chrono::seconds(10);
  /// As much longer as reading the file takes at this rate, in bytes a second.
  std::uint64_t bytesPerSecond = 8 * 1024 * 1024;
};

} // namespace jitscope::session
