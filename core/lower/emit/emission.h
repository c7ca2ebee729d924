// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/debug_info.h"
#include "lower/emit/element_index.h"
#include "lower/emit/memory.h"
#include "lower/lowering.h"

#include <llvm/ADT/STLFunctionalExtras.h>
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

/// The value of a scalar or of one element, from the values of its operands.
llvm::Value *emitOperation(Emission &emission, graph::NodeIndex index, llvm::ArrayRef<llvm::Value *> operands);

/// The call of a scalar graph: its result, or the struct of its results.
llvm::Value *emitScalarCall(Emission &emission, const graph::Graph &callee, llvm::ArrayRef<llvm::Value *> operands);

// The steps.
void emitScalar(Emission &emission, const Step &step);
void emitLoops(Emission &emission, const Step &step);
void emitReduction(Emission &emission, const Step &step);
void emitConcat(Emission &emission, const Step &step);
void emitDot(Emission &emission, const Step &step);
void emitCall(Emission &emission, const Step &step);

} // namespace jitscope::lower
