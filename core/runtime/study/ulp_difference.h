// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/tensor.h"

#include <span>

namespace jitscope::runtime {

/// The largest distance between elements at the same place, in units of the last place (Boost.Math's float_distance): 0 for equal
/// ones, NaN and NaN, +0 and -0; infinity where one is not a number or not finite and the other is, where integers differ, and
/// where types do.
double maxUlpDifference(std::span<const graph::Tensor> left, std::span<const graph::Tensor> right);

} // namespace jitscope::runtime
