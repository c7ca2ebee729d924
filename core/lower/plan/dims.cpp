// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/dims.h"

#include <algorithm>
#include <optional>

namespace jitscope::lower {

using graph::Node;
using graph::NodeIndex;
using graph::Op;

namespace {

/// The size that operands of an elementwise node meet in on one axis, when all that are not 1 agree.
std::optional<Dim> metDim(const Node &node, const std::vector<Dims> &dims, std::size_t axisFromEnd) {
  std::optional<Dim> met;
  for (const NodeIndex operand : node.operands) {
    const Dims &own = dims[operand];
    if (own.size() < axisFromEnd || own[own.size() - axisFromEnd].isOne()) {
      continue;
    }
    const Dim &dim = own[own.size() - axisFromEnd];
    if (met && *met != dim) {
      return std::nullopt;
    }
    met = dim;
  }
  return met;
}

/// The one unknown size of a reshape is its operand's one unknown size when the known ones multiply to the same.
std::optional<Dim> reshapedDim(const Node &node, const Dims &operand) {
  std::int64_t ownCount = 1;
  std::int64_t operandCount = 1;
  std::size_t ownUnknown = 0;
  std::vector<Dim> unknown;
  for (const std::int64_t size : node.type.shape.sizes()) {
    ownUnknown += size == graph::kDynamic ? 1 : 0;
    ownCount *= size == graph::kDynamic ? 1 : size;
  }
  for (const Dim &dim : operand) {
    if (dim.isKnown()) {
      operandCount *= dim.known;
    } else {
      unknown.push_back(dim);
    }
  }
  const bool agrees = ownUnknown == 1 && unknown.size() == 1 && ownCount == operandCount && ownCount != 0;
  return agrees ? std::optional(unknown[0]) : std::nullopt;
}

/// Where an unknown size of `node` comes from, if it is one of its operands' sizes.
std::optional<Dim> inheritedDim(const graph::Graph &graph, const Node &node, const std::vector<Dims> &dims, std::uint32_t axis) {
  const std::size_t rank = node.type.shape.rank();
  switch (node.op) {
  case Op::Transpose:
    return dims[node.operands[0]][node.axes()[axis]];
  case Op::Reshape:
    return reshapedDim(node, dims[node.operands[0]]);
  case Op::Concat: {
    const Dim &first = dims[node.operands[0]][axis];
    return node.axes()[0] == axis ? std::nullopt : std::optional(first);
  }
  case Op::Dot: {
    const Dims &left = dims[node.operands[0]];
    return axis + 1 < left.size() ? left[axis] : dims[node.operands[1]][axis + 2 - left.size()];
  }
  case Op::Result:
    return graph.node(node.operands[0]).op == Op::Map ? std::optional(dims[node.operands[0]][axis]) : std::nullopt;
  default:
    break;
  }
  if (graph::isReduction(node.op)) {
    std::uint32_t kept = 0;
    for (std::uint32_t source = 0; source < dims[node.operands[0]].size(); ++source) {
      if (!std::ranges::binary_search(node.axes(), source) && kept++ == axis) {
        return dims[node.operands[0]][source];
      }
    }
  }
  return graph::isElementwise(node.op) ? metDim(node, dims, rank - axis) : std::nullopt;
}

} // namespace

std::vector<Dims> dimsOf(const graph::Graph &graph) {
  std::vector<Dims> all;
  all.reserve(graph.nodes().size());
  for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
    const Node &node = graph.node(index);
    Dims dims;
    for (std::uint32_t axis = 0; axis < node.type.shape.rank(); ++axis) {
      Dim dim{node.type.shape[axis], 0, 0};
      if (!dim.isKnown()) {
        // A size may turn out to be a number where inference left it open: then the place is still right to read it from.
        const std::optional<Dim> inherited = node.operands.empty() ? std::nullopt : inheritedDim(graph, node, all, axis);
        dim = inherited ? *inherited : Dim{graph::kDynamic, index, axis};
      }
      dims.push_back(dim);
    }
    all.push_back(std::move(dims));
  }
  return all;
}

bool isSqueeze(const Dims &left, const Dims &right) {
  const auto isLong = [](const Dim &dim) { return !dim.isOne(); };
  Dims longLeft;
  Dims longRight;
  std::ranges::copy_if(left, std::back_inserter(longLeft), isLong);
  std::ranges::copy_if(right, std::back_inserter(longRight), isLong);
  return longLeft == longRight;
}

Edge broadcastEdge(const Dims &from, const Dims &to) {
  if (from == to) {
    return Edge::Same;
  }
  Edge edge = Edge::Moved;
  for (std::size_t fromEnd = 1; fromEnd <= to.size(); ++fromEnd) {
    const Dim &target = to[to.size() - fromEnd];
    if (target.isOne()) {
      continue;
    }
    if (fromEnd > from.size() || from[from.size() - fromEnd].isOne()) {
      return Edge::Repeated;
    }
    if (from[from.size() - fromEnd] != target) {
      edge = Edge::MayRepeat;
    }
  }
  return edge;
}

Edge edgeOf(const graph::Graph &graph, const std::vector<Dims> &dims, NodeIndex reader, NodeIndex operand) {
  const Node &node = graph.node(reader);
  switch (node.op) {
  case Op::Reshape:
  case Op::Transpose:
  case Op::Slice:
    return dims[reader] == dims[operand] && node.op == Op::Reshape ? Edge::Same : Edge::Moved;
  case Op::Dot:
  case Op::Call:
  case Op::Concat:
    return Edge::Moved;
  case Op::Result:
    return Edge::Same;
  default:
    return graph::isReduction(node.op) ? Edge::Same : broadcastEdge(dims[operand], dims[reader]);
  }
}

} // namespace jitscope::lower
