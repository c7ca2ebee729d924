// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/shape_evaluation.h"
#include "lower/plan/dims.h"

#include <map>
#include <span>

#include <llvm/IR/IRBuilder.h>

namespace jitscope::lower {

/// Sizes as values: constants where they are known, read from the array of sizes otherwise. Each read and product is emitted once,
/// at the end of the function's first block, so it is available everywhere.
class Sizes {
public:
  /// `pool` is that block, which has its terminator already; `array` the pointer to the sizes, or none for a static graph.
  Sizes(const graph::Graph &graph, llvm::BasicBlock &pool, llvm::Value *array);

  llvm::Value *extent(const Dim &dim);
  /// The product of several sizes; 1 for none.
  llvm::Value *product(std::span<const Dim> dims);
  /// 0 where the size is 1, 1 otherwise: what an index is multiplied with so that a size of 1 repeats.
  llvm::Value *step(const Dim &dim);
  /// Bytes of a buffer, rounded up to `kBufferAlignment`: `elementBytes` times the sizes in `slots`.
  llvm::Value *alignedBytes(std::int64_t elementBytes, std::span<const std::uint32_t> slots);
  /// The array of sizes of the graph that `call` calls.
  llvm::Value *calleeSizes(graph::NodeIndex call);

  /// A builder at the end of the pool block, for other values that must be available everywhere.
  llvm::IRBuilder<> &pool() { return m_builder; }

private:
  llvm::Value *slot(std::uint32_t index);
  llvm::Value *multiply(llvm::Value *left, llvm::Value *right);

  llvm::IRBuilder<> m_builder;
  llvm::Value *m_array;
  graph::SizeLayout m_layout;
  std::map<std::uint32_t, llvm::Value *> m_slots;
  std::map<std::uint32_t, llvm::Value *> m_steps;
  std::map<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *> m_products;
};

} // namespace jitscope::lower
