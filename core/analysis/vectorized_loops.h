// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::analysis {

/// A loop that the loop vectorizer widened.
struct VectorizedLoop {
  base::FunctionId functionId;
  std::string symbol;
  std::string file; ///< empty without debug information
  int line = 0;     ///< 0 without debug information
  int column = 0;
  std::uint32_t width = 0; ///< elements in one vector; of a scalable one the least
  bool isScalable = false;
  std::uint32_t interleave = 1; ///< vectors in one round of the loop
  bool operator==(const VectorizedLoop &) const = default;
};

/// The loops that remarks say were vectorized, each once, by line. Remarks whose arguments cannot be read are left out.
[[nodiscard]] std::vector<VectorizedLoop> vectorizedLoops(const std::vector<event::Remark> &remarks);

} // namespace jitscope::analysis
