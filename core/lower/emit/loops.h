// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/emission.h"

#include <cstdint>
#include <span>

#include <llvm/ADT/STLFunctionalExtras.h>

namespace jitscope::lower {

/// Whether the optimizer may unroll a loop. It may always vectorize and interleave.
enum class Unrolling : std::uint8_t { Free, Off };

/// Counts from 0 to `extent`; `body` gets the position and the carried values and gives their next ones. Returns the last ones.
Values emitLoop(Emission &emission, llvm::Value *extent, const Values &initial,
                llvm::function_ref<Values(llvm::Value *position, const Values &carried)> body,
                Unrolling unrolling = Unrolling::Free);

/// Loops over ranges of axes of a shape, the first outermost; `body` gets the positions in the same order. `unrolling` is that of
/// the innermost loop.
Values emitNest(Emission &emission, const Dims &dims, std::span<const AxisRange> ranges, const Values &initial,
                llvm::function_ref<Values(const ElementIndex &index, const Values &carried)> body,
                Unrolling unrolling = Unrolling::Free);

} // namespace jitscope::lower
