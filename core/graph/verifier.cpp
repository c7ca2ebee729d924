// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/verifier.h"
#include "graph/inference.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace jitscope::graph {

namespace {

std::size_t expectedOperands(const Node &node) {
  if (isBinary(node.op) || node.op == Op::Dot) {
    return 2;
  }
  if (node.op == Op::Select) {
    return 3;
  }
  if (node.op == Op::Call || node.op == Op::Map) {
    return node.callee().inputCount();
  }
  if (node.op <= Op::Iota) {
    return 0;
  }
  return node.op == Op::Concat ? node.operands.size() : 1;
}

bool hasRightAttribute(const Node &node) {
  switch (node.op) {
  case Op::Parameter:
  case Op::Capture:
  case Op::Result:
    return std::holds_alternative<IndexAttribute>(node.attribute);
  case Op::Constant:
    return std::holds_alternative<ConstantAttribute>(node.attribute) && node.type.shape.isScalar();
  case Op::Transpose:
  case Op::Concat:
    return std::holds_alternative<AxesAttribute>(node.attribute);
  case Op::Slice:
    return std::holds_alternative<SliceAttribute>(node.attribute);
  case Op::Call:
  case Op::Map:
    return std::holds_alternative<CalleeAttribute>(node.attribute);
  default:
    return isReduction(node.op) == std::holds_alternative<AxesAttribute>(node.attribute);
  }
}

/// What is wrong with the dtypes, or "".
std::string dtypeProblem(const Graph &graph, const Node &node) {
  const auto dtype = [&](std::size_t i) { return graph.node(node.operands[i]).type.dtype; };
  const DType own = node.type.dtype;
  switch (node.op) {
  case Op::Convert:
  case Op::Parameter:
  case Op::Capture:
  case Op::Constant:
  case Op::Iota:
  case Op::Call:
  case Op::Map:
  case Op::Result:
    return "";
  case Op::Select:
    return dtype(0) == DType::Pred && dtype(1) == own && dtype(2) == own ? ""
                                                                         : "select needs a pred and two operands of its own dtype";
  case Op::ReduceSum:
    return own == sumTypeFor(dtype(0)) ? "" : "a sum is held in s64, or in its own float dtype";
  case Op::ArgMax:
    return own == DType::S64 ? "" : "argmax gives s64";
  default:
    break;
  }
  if (isComparison(node.op)) {
    return own == DType::Pred && dtype(0) == dtype(1) ? "" : "a comparison gives pred and needs two operands of one dtype";
  }
  const bool isSame = std::ranges::all_of(node.operands, [&](NodeIndex operand) { return graph.node(operand).type.dtype == own; });
  return isSame ? "" : "operands and result must have one dtype";
}

/// Whether sizes agree where both are known.
bool isCompatible(const Shape &left, const Shape &right) {
  if (left.rank() != right.rank()) {
    return false;
  }
  for (std::size_t axis = 0; axis < left.rank(); ++axis) {
    if (left[axis] != right[axis] && left[axis] != kDynamic && right[axis] != kDynamic) {
      return false;
    }
  }
  return true;
}

std::string callProblem(const Graph &graph, const Node &node) {
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const TensorType &given = graph.node(node.operands[i]).type;
    const TensorType wanted = node.callee().inputType(i);
    const bool fits = node.op == Op::Map ? wanted.shape.isScalar() : isCompatible(given.shape, wanted.shape);
    if (given.dtype != wanted.dtype || !fits) {
      return fmt::format("operand {} is {}, the callee takes {}", i, toString(given), toString(wanted));
    }
  }
  return "";
}

std::string problemOf(const Graph &graph, NodeIndex index) {
  const Node &node = graph.node(index);
  if (!hasRightAttribute(node)) {
    return "its attribute is of another kind";
  }
  if (node.operands.size() != expectedOperands(node)) {
    return fmt::format("it has {} operands, not {}", node.operands.size(), expectedOperands(node));
  }
  for (const NodeIndex operand : node.operands) {
    if (operand >= index) {
      return fmt::format("operand %{} does not come before it", operand);
    }
  }
  if (node.op == Op::Call || node.op == Op::Map) {
    return callProblem(graph, node);
  }
  if (node.op == Op::Result) {
    const Node &call = graph.node(node.operands[0]);
    const bool isCall = call.op == Op::Call || call.op == Op::Map;
    return isCall && node.index() < call.callee().results().size() ? "" : "it is not a result of a call";
  }
  if (std::string problem = dtypeProblem(graph, node); !problem.empty()) {
    return problem;
  }
  std::vector<TensorType> operands;
  for (const NodeIndex operand : node.operands) {
    operands.push_back(graph.node(operand).type);
  }
  const base::Result<Shape> shape = inferShape(node, operands);
  if (!shape) {
    return shape.error().message;
  }
  return isCompatible(*shape, node.type.shape) ? "" : fmt::format("its shape should be {}", toString(*shape));
}

} // namespace

base::Result<void> verify(const Graph &graph) {
  for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
    if (const std::string problem = problemOf(graph, index); !problem.empty()) {
      return base::fail(base::ErrorCode::CompileGraph,
                        fmt::format("graph of {}: %{} = {}: {}", graph.name(), index, nameOf(graph.node(index).op), problem));
    }
  }
  for (const NodeIndex result : graph.results()) {
    if (result >= graph.nodes().size()) {
      return base::fail(base::ErrorCode::CompileGraph,
                        fmt::format("graph of {}: it returns %{}, which is not there", graph.name(), result));
    }
  }
  return {};
}

} // namespace jitscope::graph
