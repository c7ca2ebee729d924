// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace jitscope::graph {
class Graph;
} // namespace jitscope::graph

namespace jitscope::lower {

/// How much scratch memory a call of a compiled function needs, its callees' share included. Depends on the graph alone, so it is
/// known without compiling.
struct ScratchPlan {
  /// A buffer whose size is known at the call only: `elementBytes` times the sizes in these slots, rounded up to
  /// `kBufferAlignment`.
  struct Buffer {
    std::int64_t elementBytes = 0;             ///< of one element, known sizes multiplied in
    std::vector<std::uint32_t> sizeSlots = {}; ///< places in the array of sizes
  };
  /// A callee, which works in the memory behind the caller's own.
  struct Callee {
    std::size_t function = 0;   ///< in `functions`
    std::uint32_t sizeBase = 0; ///< where its sizes begin in the caller's array
  };
  /// The needs of one function.
  struct Function {
    std::int64_t ownBytes = 0;        ///< of buffers with known sizes, a multiple of `kBufferAlignment`
    std::vector<Buffer> buffers = {}; ///< of the others
    std::vector<Callee> callees = {};
  };
  std::vector<Function> functions = {}; ///< callees before callers; the last is the root
};

/// The plan for calls of `root`.
ScratchPlan planScratch(const graph::Graph &root);

/// Bytes to hand to one call, whose sizes are those of `graph::evaluateShapes` (none for a static graph). Saturates at the largest
/// number instead of overflowing.
std::int64_t scratchBytes(const ScratchPlan &plan, std::span<const std::int64_t> sizes = {});

} // namespace jitscope::lower
