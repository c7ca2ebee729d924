// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/grouping.h"

#include <algorithm>
#include <optional>

namespace jitscope::lower {

using graph::Graph;
using graph::Node;
using graph::NodeIndex;
using graph::Op;

namespace {

constexpr AxisBreaks at(std::size_t axis) { return AxisBreaks{1} << axis; }

} // namespace

AxisMatch matchOf(const Dims &from, const Dims &to, std::uint32_t axis) {
  if (to[axis].isOne()) {
    return AxisMatch::Neutral;
  }
  const std::size_t missing = to.size() - from.size();
  if (axis < missing || from[axis - missing].isOne()) {
    return AxisMatch::Repeats;
  }
  return from[axis - missing] == to[axis] ? AxisMatch::Full : AxisMatch::Open;
}

Grouping::Grouping(const Graph &graph, const FusionPlan &plan, bool assumeEqual)
    : m_graph(graph), m_plan(plan), m_assumeEqual(assumeEqual) {
  m_breaks.reserve(graph.nodes().size());
  for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
    m_breaks.push_back(compute(index));
  }
}

AxisBreaks Grouping::readBreaks(NodeIndex node) const { return m_plan.nodes[node].role == Role::Inline ? m_breaks[node] : 0; }

AxisBreaks Grouping::compute(NodeIndex index) const {
  const Node &node = m_graph.node(index);
  const Dims &dims = m_plan.dims[index];
  AxisBreaks breaks = 0;
  switch (node.op) {
  case Op::Transpose: {
    const AxisBreaks source = readBreaks(node.operands[0]);
    for (std::size_t axis = 0; axis + 1 < dims.size(); ++axis) {
      const std::uint32_t from = node.axes()[axis];
      breaks |= node.axes()[axis + 1] != from + 1 || (source & at(from)) != 0 ? at(axis) : 0;
    }
    return breaks;
  }
  case Op::Slice: {
    const Dims &source = m_plan.dims[node.operands[0]];
    for (std::size_t axis = 0; axis + 1 < dims.size(); ++axis) {
      breaks |= source[axis + 1] != dims[axis + 1] ? at(axis) : 0;
    }
    return breaks | readBreaks(node.operands[0]);
  }
  case Op::Reshape:
    // Any other reshape asks for the row-major number of an element, which every grouping gives.
    return isSqueeze(dims, m_plan.dims[node.operands[0]]) ? squeezeBreaks(node.operands[0], dims) : 0;
  default:
    break;
  }
  const bool isMapResult = node.op == Op::Result && m_graph.node(node.operands[0]).op == Op::Map;
  if (graph::isElementwise(node.op) || node.op == Op::Broadcast || isMapResult) {
    for (const NodeIndex operand : node.operands) {
      breaks |= broadcastBreaks(operand, dims);
    }
  }
  return breaks;
}

AxisBreaks Grouping::broadcastBreaks(NodeIndex operand, const Dims &to) const {
  const Dims &from = m_plan.dims[operand];
  if (from.empty()) {
    return 0;
  }
  AxisBreaks breaks = readBreaks(operand) << (to.size() - from.size());
  // A neutral axis goes with whatever stands before it.
  std::optional<AxisMatch> before;
  for (std::uint32_t axis = 0; axis < to.size(); ++axis) {
    AxisMatch match = matchOf(from, to, axis);
    if (match == AxisMatch::Neutral) {
      continue;
    }
    match = match == AxisMatch::Open && m_assumeEqual ? AxisMatch::Full : match;
    if (before && (*before != match || match == AxisMatch::Open)) {
      breaks |= at(axis - 1);
    }
    before = match;
  }
  return breaks;
}

AxisBreaks Grouping::squeezeBreaks(NodeIndex operand, const Dims &to) const {
  const AxisBreaks source = readBreaks(operand);
  const std::vector<std::uint32_t> own = longAxes(to);
  const std::vector<std::uint32_t> theirs = longAxes(m_plan.dims[operand]);
  AxisBreaks breaks = 0;
  for (std::size_t i = 0; i + 1 < own.size(); ++i) {
    const AxisBreaks between = (at(theirs[i + 1]) - 1) & ~(at(theirs[i]) - 1);
    breaks |= (source & between) != 0 ? at(own[i + 1] - 1) : 0;
  }
  return breaks;
}

std::vector<AxisRange> rangesOf(std::size_t rank, AxisBreaks breaks) {
  std::vector<AxisRange> ranges;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    if (axis == 0 || (breaks & at(axis - 1)) != 0) {
      ranges.push_back({axis, axis});
    }
    ranges.back().last = axis;
  }
  return ranges;
}

AxisBreaks reductionBreaks(const Cluster &cluster) {
  AxisBreaks breaks = 0;
  for (std::uint32_t axis = 0; axis + 1 < cluster.dims.size(); ++axis) {
    const bool isReduced = std::ranges::binary_search(cluster.axes, axis);
    const bool isNextReduced = std::ranges::binary_search(cluster.axes, axis + 1);
    breaks |= isReduced != isNextReduced ? at(axis) : 0;
  }
  return breaks;
}

std::vector<std::uint32_t> longAxes(const Dims &dims) {
  std::vector<std::uint32_t> axes;
  for (std::uint32_t axis = 0; axis < dims.size(); ++axis) {
    if (!dims[axis].isOne()) {
      axes.push_back(axis);
    }
  }
  return axes;
}

std::vector<OpenMatch> openMatches(const Graph &graph, const FusionPlan &plan, const Cluster &cluster) {
  std::vector<OpenMatch> matches;
  if (graph.isStatic()) {
    return matches;
  }
  std::vector<NodeIndex> pending = cluster.members;
  std::vector<bool> seen(graph.nodes().size(), false);
  while (!pending.empty()) {
    const NodeIndex index = pending.back();
    pending.pop_back();
    if (seen[index]) {
      continue;
    }
    seen[index] = true;
    const Node &node = graph.node(index);
    for (const NodeIndex operand : node.operands) {
      const Dims &from = plan.dims[operand];
      const Dims &to = plan.dims[index];
      const bool broadcasts = graph::isElementwise(node.op) || node.op == Op::Broadcast;
      for (std::uint32_t axis = 0; broadcasts && axis < to.size() && !from.empty(); ++axis) {
        if (matchOf(from, to, axis) == AxisMatch::Open) {
          matches.push_back({from[axis + from.size() - to.size()], to[axis]});
        }
      }
      if (plan.nodes[operand].role == Role::Inline) {
        pending.push_back(operand);
      }
    }
  }
  return matches;
}

} // namespace jitscope::lower
