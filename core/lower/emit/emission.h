// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/debug_info.h"
#include "lower/emit/element_index.h"
#include "lower/emit/memory.h"
#include "lower/lowering.h"

#include <llvm/ADT/SmallVector.h>

namespace jitscope::lower {

using Values = llvm::SmallVector<llvm::Value *, 4>;

/// The state that the steps of one function share while it is emitted.
struct Emission {
  const graph::Graph &graph;
  const FunctionPlan &plan;
  const LowerOptions &options;
  llvm::Module &module;
  llvm::IRBuilder<> &builder;
  Sizes &sizes;
  ScalarCode &code;
  Memory &memory;
  const DebugInfo &debug;
  std::vector<llvm::Value *> scalars; ///< by node of rank 0, once its step is done

  [[nodiscard]] const graph::Node &node(graph::NodeIndex index) const { return graph.node(index); }
  [[nodiscard]] const Dims &dims(graph::NodeIndex index) const { return plan.fusion.dims[index]; }
  /// Code emitted from now on belongs to the script line of that node.
  void locate(graph::NodeIndex index) const { builder.SetCurrentDebugLocation(debug.at(node(index).line)); }
};

} // namespace jitscope::lower
