// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace jitscope::app {

/// What standard output can show.
struct OutputLook {
  bool colour = false;     ///< a terminal, and NO_COLOR is not set
  std::size_t columns = 0; ///< 0 where it is no terminal
};

[[nodiscard]] OutputLook standardOutputLook();

} // namespace jitscope::app
