// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/schedule.h"

#include <algorithm>
#include <tuple>

namespace jitscope::lower {

using graph::Graph;
using graph::NodeIndex;
using graph::Op;

namespace {

Step::Kind kindOf(Op op) { return op == Op::Concat ? Step::Kind::Concat : op == Op::Dot ? Step::Kind::Dot : Step::Kind::Call; }

} // namespace

std::vector<Step> scheduleOf(const Graph &graph, const FusionPlan &fusion) {
  std::vector<std::pair<std::uint32_t, Step>> steps;
  for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
    const NodePlan &plan = fusion.nodes[index];
    const bool isReduction = graph::isReduction(graph.node(index).op);
    if (plan.role == Role::Scalar) {
      steps.push_back({plan.level, {Step::Kind::Scalar, kNoCluster, {index}}});
    } else if (plan.role == Role::Kernel && !isReduction) {
      steps.push_back({plan.level, {kindOf(graph.node(index).op), kNoCluster, {index}}});
    }
  }
  for (std::uint32_t i = 0; i < fusion.clusters.size(); ++i) {
    const Cluster &cluster = fusion.clusters[i];
    Step step{cluster.isReduction ? Step::Kind::Reduction : Step::Kind::Loops, i, {}};
    std::ranges::copy_if(cluster.members, std::back_inserter(step.nodes), [&](NodeIndex member) {
      return cluster.isReduction ? fusion.nodes[member].role == Role::Kernel : fusion.nodes[member].isStored;
    });
    if (!step.nodes.empty()) {
      steps.emplace_back(cluster.level, std::move(step));
    }
  }
  // Scalars of a level come first: its loops may read them.
  std::ranges::sort(steps, {}, [](const auto &entry) {
    return std::tuple(entry.first, entry.second.kind != Step::Kind::Scalar, entry.second.nodes.front());
  });
  std::vector<Step> ordered;
  ordered.reserve(steps.size());
  for (auto &[level, step] : steps) {
    ordered.push_back(std::move(step));
  }
  return ordered;
}

std::vector<NodeIndex> memoryReadBy(const Step &step, const Graph &graph, const FusionPlan &fusion) {
  std::vector<NodeIndex> read;
  std::vector<NodeIndex> pending;
  const auto visitOperands = [&](NodeIndex node) {
    for (const NodeIndex operand : graph.node(node).operands) {
      if (!graph.node(operand).type.shape.isScalar()) {
        pending.push_back(operand);
      }
    }
  };
  if (step.kind == Step::Kind::Dot || step.kind == Step::Kind::Call) {
    for (const NodeIndex operand : graph.node(step.nodes[0]).operands) {
      if (!graph.node(operand).type.shape.isScalar()) {
        read.push_back(step.kind == Step::Kind::Dot ? dotOperand(graph, operand).base : storageBase(graph, operand));
      }
    }
    return read;
  }
  std::ranges::for_each(step.nodes, visitOperands);
  std::vector<bool> seen(graph.nodes().size(), false);
  while (!pending.empty()) {
    const NodeIndex node = pending.back();
    pending.pop_back();
    if (seen[node]) {
      continue;
    }
    seen[node] = true;
    const NodePlan &plan = fusion.nodes[node];
    const bool isComputedHere = plan.role == Role::Inline || (plan.role == Role::Looped && plan.cluster == step.cluster);
    if (isComputedHere) {
      visitOperands(node);
    } else {
      read.push_back(node);
    }
  }
  return read;
}

bool accumulatesInMemory(const Cluster &cluster) {
  bool reducesOutside = false;
  for (std::uint32_t axis = 0; axis < cluster.dims.size(); ++axis) {
    if (cluster.dims[axis].isOne()) {
      continue;
    }
    if (std::ranges::binary_search(cluster.axes, axis)) {
      reducesOutside = true;
    } else if (reducesOutside) {
      return true;
    }
  }
  return false;
}

} // namespace jitscope::lower
