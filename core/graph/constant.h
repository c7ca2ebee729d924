// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/dtype.h"

#include <cstdint>

namespace jitscope::graph {

/// `value` as memory of `dtype`, converted as `Op::Convert` does: integers truncate and saturate, NaN gives 0, pred is `value !=
/// 0`.
std::uint64_t constantBits(DType dtype, double value);
std::uint64_t constantBits(DType dtype, std::int64_t value);

} // namespace jitscope::graph
