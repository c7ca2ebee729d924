// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/tensor.h"

#include <cstdint>
#include <functional>

namespace jitscope::script {

enum class Distribution : std::uint8_t {
  Uniform, ///< from 0 (included) to 1 (excluded)
  Normal   ///< mean 0, standard deviation 1
};

/// Fills an f32 or f64 tensor with random numbers: a Mersenne twister (64 bit) seeded with `seed`, through Boost's distributions,
/// so that the same seed gives the same values everywhere. `pause` is called every few milliseconds and may throw.
void fillRandom(const graph::Tensor &tensor, Distribution distribution, std::uint64_t seed, const std::function<void()> &pause);

} // namespace jitscope::script
