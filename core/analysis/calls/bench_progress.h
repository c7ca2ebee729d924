// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

/// How far the latest benchmark of a session is that is being recorded.
struct BenchProgress {
  std::uint64_t cases = 0;
  std::uint64_t coldLegs = 0; ///< measured
  std::uint64_t warmLegs = 0; ///< measured

  /// Which legs there will be is not recorded: each case gets those that any case has got.
  [[nodiscard]] bool isDone() const;
};

/// No cases where there is no benchmark, or where the session has ended.
[[nodiscard]] base::Result<BenchProgress> readBenchProgress(session::SessionReader &reader);

} // namespace jitscope::analysis
