// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/reduction_blocks.h"

#include <algorithm>

namespace jitscope::lower {

using graph::Node;
using graph::NodeIndex;
using graph::Op;

namespace {

/// Shorter rows are not worth loops of their own.
constexpr std::int64_t kSmallestBlocked = 16;
/// Operands that have memory on the stack.
constexpr std::size_t kMaxStored = 4;

/// Whether there is a vector function for it, or it may become vector code once it is inlined.
bool gainsFromVectors(const Node &node) {
  switch (node.op) {
  case Op::Exp:
  case Op::Log:
  case Op::Sin:
  case Op::Cos:
  case Op::Tanh:
  case Op::Sigmoid:
    return true;
  case Op::Power:
    return graph::isFloat(node.type.dtype);
  default:
    return node.op == Op::Map;
  }
}

/// Whether the loops of the step compute `operand`, and something on the way to it gains from vectors.
bool isLongToCompute(const Emission &emission, const Step &step, NodeIndex operand) {
  std::vector<NodeIndex> pending{operand};
  std::vector<bool> seen(emission.graph.nodes().size(), false);
  while (!pending.empty()) {
    const NodeIndex index = pending.back();
    pending.pop_back();
    const NodePlan &plan = emission.plan.fusion.nodes[index];
    const bool isComputedHere = plan.role == Role::Inline || (plan.role == Role::Looped && plan.cluster == step.cluster);
    if (seen[index] || !isComputedHere) {
      continue;
    }
    seen[index] = true;
    const Node &node = emission.node(index);
    if (gainsFromVectors(node)) {
      return true;
    }
    pending.insert(pending.end(), node.operands.begin(), node.operands.end());
  }
  return false;
}

bool hasOrderedSum(const Emission &emission, const Step &step) {
  return !emission.options.compile.fastMath && std::ranges::any_of(step.nodes, [&](NodeIndex index) {
    const Node &node = emission.node(index);
    return (node.op == Op::ReduceSum || node.op == Op::ReduceMean) && graph::isFloat(node.type.dtype);
  });
}

bool hasArgMax(const Emission &emission, const Step &step) {
  return std::ranges::any_of(step.nodes, [&](NodeIndex index) { return emission.node(index).op == Op::ArgMax; });
}

bool isShort(const Dims &dims, AxisRange range) {
  std::int64_t known = 1;
  for (std::uint32_t axis = range.first; axis <= range.last; ++axis) {
    if (!dims[axis].isKnown()) {
      return false;
    }
    known *= dims[axis].known;
  }
  return known < kSmallestBlocked;
}

} // namespace

BlockPlan planBlocks(const Emission &emission, const Step &step, AxisRange innermost) {
  const CompileOptions &options = emission.options.compile;
  const Dims &dims = emission.plan.fusion.clusters[step.cluster].dims;
  if (!options.loopVectorize || isShort(dims, innermost)) {
    return {};
  }
  BlockPlan plan;
  for (const NodeIndex node : step.nodes) {
    const NodeIndex operand = emission.node(node).operands[0];
    if (isLongToCompute(emission, step, operand) && std::ranges::find(plan.stored, operand) == plan.stored.end()) {
      plan.stored.push_back(operand);
    }
  }
  const bool frees = hasOrderedSum(emission, step) && options.veclib && !plan.stored.empty();
  plan.inBlocks = (frees || hasArgMax(emission, step)) && plan.stored.size() <= kMaxStored;
  return plan.inBlocks ? plan : BlockPlan{};
}

} // namespace jitscope::lower
