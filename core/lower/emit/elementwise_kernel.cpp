// SPDX-License-Identifier: GPL-3.0-or-later
// Scalars, and the loops of elementwise nodes and concatenations.
#include "lower/emit/elementwise_kernel.h"

#include "lower/emit/evaluator.h"
#include "lower/emit/loops.h"
#include "lower/symbols.h"

#include <algorithm>

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace jitscope::lower {

using graph::Node;
using graph::NodeIndex;
using graph::Op;

llvm::Value *emitScalarCall(Emission &emission, const graph::Graph &callee, llvm::ArrayRef<llvm::Value *> operands) {
  const Signature signature(callee);
  llvm::Function *function = signature.declare(emission.module, symbolOf(callee));
  Values arguments(operands.begin(), operands.end());
  if (signature.scratchArgument()) {
    arguments.push_back(emission.memory.calleeScratch());
  }
  return emission.builder.CreateCall(function, arguments);
}

llvm::Value *emitOperation(Emission &emission, NodeIndex index, llvm::ArrayRef<llvm::Value *> operands) {
  const Node &node = emission.node(index);
  const auto operandType = [&](std::size_t i) { return emission.node(node.operands[i]).type.dtype; };
  switch (node.op) {
  case Op::Constant:
    return emission.code.constant(node.type.dtype, node.bits());
  case Op::Iota:
    // Of a scalar: arrays count by their index.
    return emission.code.constant(node.type.dtype, 0);
  case Op::Convert:
    return emission.code.convert(operands[0], operandType(0), node.type.dtype);
  case Op::ReduceSum:
  case Op::ReduceMean: {
    // Sums start from 0 whatever they are over, so that -0 gives 0 here as well.
    llvm::Value *value = emission.code.convert(operands[0], operandType(0), node.type.dtype);
    return emission.code.binary(Op::Add, node.type.dtype, emission.code.constant(node.type.dtype, 0), value);
  }
  case Op::ArgMax:
    return emission.builder.getInt64(0);
  case Op::Select:
    return emission.builder.CreateSelect(operands[0], operands[1], operands[2]);
  case Op::Map:
    return emitScalarCall(emission, node.callee(), operands);
  case Op::Result: {
    const graph::Graph &callee = emission.node(node.operands[0]).callee();
    return callee.results().size() == 1 ? operands[0] : emission.builder.CreateExtractValue(operands[0], node.index());
  }
  default:
    break;
  }
  if (graph::isUnary(node.op)) {
    return emission.code.unary(node.op, operandType(0), operands[0]);
  }
  if (graph::isBinary(node.op)) {
    return emission.code.binary(node.op, operandType(0), operands[0], operands[1]);
  }
  // Views, and the other reductions of a scalar.
  return operands[0];
}

void emitScalar(Emission &emission, const Step &step) {
  const NodeIndex index = step.nodes[0];
  const Node &node = emission.node(index);
  emission.locate(index);
  Values operands;
  for (const NodeIndex operand : node.operands) {
    if (emission.node(operand).type.shape.isScalar()) {
      operands.push_back(emission.scalars[operand]);
    } else {
      // The one element of an array that is reshaped to a scalar.
      Evaluator evaluator(emission, kNoCluster, false);
      operands.push_back(evaluator.at(operand, evaluator.map().ofOperand(index, operand, {})));
    }
  }
  emission.scalars[index] = emitOperation(emission, index, operands);
}

namespace {

void emitClusterNest(Emission &emission, const Step &step, bool assumeEqual) {
  const FusionPlan &fusion = emission.plan.fusion;
  const Cluster &cluster = fusion.clusters[step.cluster];
  const Grouping grouping(emission.graph, fusion, assumeEqual);
  AxisBreaks breaks = 0;
  for (const NodeIndex member : cluster.members) {
    breaks |= grouping.breaksOf(member);
  }
  const std::vector<AxisRange> ranges = rangesOf(cluster.dims.size(), breaks);
  emitNest(emission, cluster.dims, ranges, {}, [&](const ElementIndex &index, const Values &) {
    Evaluator evaluator(emission, step.cluster, assumeEqual);
    for (const NodeIndex member : step.nodes) {
      llvm::Value *value = evaluator.at(member, index);
      emission.locate(member);
      emission.memory.store(member, evaluator.map().linear(cluster.dims, index), value);
    }
    return Values{};
  });
}

} // namespace

void emitLoops(Emission &emission, const Step &step) {
  const Cluster &cluster = emission.plan.fusion.clusters[step.cluster];
  emission.locate(step.nodes.back());
  const std::vector<OpenMatch> matches = openMatches(emission.graph, emission.plan.fusion, cluster);
  if (matches.empty()) {
    emitClusterNest(emission, step, false);
    return;
  }
  // Shapes known at the call only are mostly equal, and equal shapes need one plain loop. Whether they are is asked once.
  llvm::IRBuilder<> &builder = emission.builder;
  llvm::Value *allEqual = builder.getTrue();
  for (const OpenMatch &match : matches) {
    llvm::Value *isEqual = builder.CreateICmpEQ(emission.sizes.extent(match.from), emission.sizes.extent(match.to));
    allEqual = builder.CreateAnd(allEqual, isEqual);
  }
  llvm::Function *function = builder.GetInsertBlock()->getParent();
  auto *equal = llvm::BasicBlock::Create(builder.getContext(), "equal", function);
  auto *stretched = llvm::BasicBlock::Create(builder.getContext(), "stretched", function);
  auto *done = llvm::BasicBlock::Create(builder.getContext(), "done", function);
  builder.CreateCondBr(allEqual, equal, stretched);
  for (llvm::BasicBlock *block : {equal, stretched}) {
    builder.SetInsertPoint(block);
    emission.locate(step.nodes.back());
    emitClusterNest(emission, step, block == equal);
    builder.CreateBr(done);
  }
  done->moveAfter(builder.GetInsertBlock());
  builder.SetInsertPoint(done);
}

void emitConcat(Emission &emission, const Step &step) {
  const NodeIndex index = step.nodes[0];
  const Node &node = emission.node(index);
  const std::uint32_t axis = node.axes()[0];
  const Dims &dims = emission.dims(index);
  const Grouping grouping(emission.graph, emission.plan.fusion, false);
  llvm::Value *start = emission.builder.getInt64(0);
  for (const NodeIndex operand : node.operands) {
    emission.locate(index);
    // Inside of the joined axis the part lies as in the whole; outside of it the rows of the whole are longer.
    const AxisBreaks breaks = grouping.readBreaks(operand) | (axis == 0 ? 0 : AxisBreaks{1} << (axis - 1));
    const Dims &part = emission.dims(operand);
    emitNest(emission, part, rangesOf(part.size(), breaks), {}, [&](const ElementIndex &place, const Values &) {
      Evaluator evaluator(emission, kNoCluster, false);
      llvm::Value *value = evaluator.at(operand, place);
      emission.locate(index);
      const ElementIndex target = evaluator.map().shifted(place, dims, axis, start);
      emission.memory.store(index, evaluator.map().linear(dims, target), value);
      return Values{};
    });
    start = emission.builder.CreateAdd(start, emission.sizes.extent(part[axis]), "", true, true);
  }
}

} // namespace jitscope::lower
