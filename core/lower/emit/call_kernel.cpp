// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/emit/call_kernel.h"

#include "lower/symbols.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace jitscope::lower {

using graph::Graph;
using graph::Node;
using graph::NodeIndex;
using graph::Op;

namespace {

/// The nodes that stand for the results of `call`, by result; those that nobody reads are missing.
std::map<std::uint32_t, NodeIndex> projectionsOf(const Graph &graph, NodeIndex call) {
  std::map<std::uint32_t, NodeIndex> projections;
  for (NodeIndex index = call + 1; index < graph.nodes().size(); ++index) {
    const Node &node = graph.node(index);
    if (node.op == Op::Result && node.operands[0] == call) {
      projections.emplace(node.index(), index);
    }
  }
  return projections;
}

} // namespace

void emitCall(Emission &emission, const Step &step) {
  const NodeIndex call = step.nodes[0];
  const Node &node = emission.node(call);
  const Graph &callee = node.callee();
  const Signature signature(callee);
  const std::map<std::uint32_t, NodeIndex> projections = projectionsOf(emission.graph, call);
  emission.locate(call);

  Values arguments;
  for (const NodeIndex operand : node.operands) {
    const bool isScalar = emission.node(operand).type.shape.isScalar();
    arguments.push_back(isScalar ? emission.scalars[operand] : emission.memory.pointer(storageBase(emission.graph, operand)));
  }
  for (std::uint32_t result = 0; result < callee.results().size(); ++result) {
    if (callee.resultType(result).shape.isScalar()) {
      continue;
    }
    const auto projection = projections.find(result);
    arguments.push_back(projection != projections.end()
                            ? emission.memory.pointer(projection->second)
                            : emission.memory.bufferPointer(emission.plan.storage.unreadResults.at({call, result})));
  }
  if (signature.scratchArgument()) {
    arguments.push_back(emission.memory.calleeScratch());
  }
  if (signature.sizesArgument()) {
    arguments.push_back(emission.sizes.calleeSizes(call));
  }
  llvm::Value *returned = emission.builder.CreateCall(signature.declare(emission.module, symbolOf(callee)), arguments);
  for (const auto &[result, projection] : projections) {
    if (callee.resultType(result).shape.isScalar()) {
      emission.scalars[projection] =
          signature.returnedCount() == 1 ? returned : emission.builder.CreateExtractValue(returned, signature.returnPlace(result));
    }
  }
}

} // namespace jitscope::lower
