// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace jitscope::session {

/// A process that can be told from a later one with the same number: with the moment it started and the boot it runs in.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::uint64_t startTicks = 0; ///< field 22 of /proc/<pid>/stat: clock ticks since boot
  std::string bootId;           ///< /proc/sys/kernel/random/boot_id

  /// The calling process. Parts that the system does not tell stay empty.
  static ProcessIdentity current();
  /// Whether that very process still runs here. A zombie does not.
  [[nodiscard]] bool isAlive() const;
};

} // namespace jitscope::session
