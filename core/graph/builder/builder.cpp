// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/builder/builder.h"
#include "base/try.h"
#include "graph/constant.h"
#include "graph/inference.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

namespace jitscope::graph {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

/// Operations that make no sense on truth values; NumPy refuses them as well.
bool refusesPred(Op op) {
  switch (op) {
  case Op::Negate:
  case Op::Subtract:
  case Op::FloorDivide:
  case Op::Modulo:
  case Op::Power:
    return true;
  default:
    return false;
  }
}

bool computesInFloat(Op op) { return (op >= Op::Exp && op <= Op::Sigmoid) || op == Op::Divide || op == Op::ReduceMean; }

std::unexpected<base::Error> refusal(Op op) {
  return fail(ErrorCode::ScriptShape,
              fmt::format("{} is not defined for pred; convert first, e.g. with as_type(\"s32\")", nameOf(op)));
}

} // namespace

GraphBuilder::GraphBuilder(std::string name, int line, base::FunctionId functionId, std::vector<TensorType> parameterTypes)
    : m_graph(new Graph), m_line(line) {
  m_graph->m_name = std::move(name);
  m_graph->m_line = line;
  m_graph->m_functionId = functionId;
  m_graph->m_parameterTypes = std::move(parameterTypes);
  for (std::uint32_t i = 0; i < m_graph->m_parameterTypes.size(); ++i) {
    add(Op::Parameter, m_graph->m_parameterTypes[i], {}, IndexAttribute{i});
  }
}

NodeIndex GraphBuilder::add(Op op, TensorType type, std::vector<NodeIndex> operands, Attribute attribute) {
  m_graph->m_nodes.push_back({op, type, std::move(operands), std::move(attribute), m_line});
  return static_cast<NodeIndex>(m_graph->m_nodes.size() - 1);
}

std::vector<TensorType> GraphBuilder::typesOf(std::span<const NodeIndex> operands) const {
  std::vector<TensorType> types;
  for (const NodeIndex operand : operands) {
    types.push_back(typeOf(operand));
  }
  return types;
}

Result<void> GraphBuilder::checkFits(Op op, std::span<const NodeIndex> operands, Attribute attribute) const {
  const Node node{op, {}, {operands.begin(), operands.end()}, std::move(attribute), m_line};
  JITSCOPE_TRY_VOID(inferShape(node, typesOf(operands)));
  return {};
}

Result<NodeIndex> GraphBuilder::addInferred(Op op, DType dtype, std::vector<NodeIndex> operands, Attribute attribute,
                                            Shape declared) {
  const bool isWeak =
      !operands.empty() && std::ranges::all_of(operands, [this](NodeIndex operand) { return typeOf(operand).weak; });
  const std::vector<TensorType> types = typesOf(operands);
  Node node{op, {dtype, declared, false}, std::move(operands), std::move(attribute), m_line};
  JITSCOPE_TRY(Shape shape, inferShape(node, types));
  JITSCOPE_TRY_VOID(checkedByteSize(dtype, shape.isStatic() ? shape : Shape{}));
  const bool keepsWeak = isWeak && shape.isScalar() && isElementwise(op) && op != Op::Convert && !isComparison(op);
  node.type = {dtype, shape, keepsWeak};
  m_graph->m_nodes.push_back(std::move(node));
  return static_cast<NodeIndex>(m_graph->m_nodes.size() - 1);
}

NodeIndex GraphBuilder::capture(const Tensor &tensor) {
  for (NodeIndex index = 0; index < m_graph->m_nodes.size(); ++index) {
    const Node &node = m_graph->m_nodes[index];
    if (node.op == Op::Capture) {
      const Tensor &known = m_graph->m_captures[node.index()];
      if (known.buffer == tensor.buffer && known.type() == tensor.type()) {
        return index;
      }
    }
  }
  m_graph->m_captures.push_back(tensor);
  return add(Op::Capture, tensor.type(), {}, IndexAttribute{static_cast<std::uint32_t>(m_graph->m_captures.size() - 1)});
}

NodeIndex GraphBuilder::number(double value) {
  return add(Op::Constant, {DType::F64, {}, true}, {}, ConstantAttribute{constantBits(DType::F64, value)});
}

NodeIndex GraphBuilder::number(std::int64_t value) {
  return add(Op::Constant, {DType::S64, {}, true}, {}, ConstantAttribute{constantBits(DType::S64, value)});
}

NodeIndex GraphBuilder::constant(DType dtype, double value) {
  return add(Op::Constant, {dtype, {}, false}, {}, ConstantAttribute{constantBits(dtype, value)});
}

Result<NodeIndex> GraphBuilder::full(const Shape &shape, double value, DType dtype) {
  JITSCOPE_TRY_VOID(checkedByteSize(dtype, shape));
  const NodeIndex scalar = constant(dtype, value);
  return shape.isScalar() ? scalar : broadcast(scalar, shape);
}

Result<NodeIndex> GraphBuilder::iota(const Shape &shape, DType dtype) {
  JITSCOPE_TRY_VOID(checkedByteSize(dtype, shape));
  return add(Op::Iota, {dtype, shape, false}, {});
}

NodeIndex GraphBuilder::converted(NodeIndex operand, DType dtype) {
  const Node node = m_graph->m_nodes[operand];
  if (node.type.dtype == dtype && !node.type.weak) {
    return operand;
  }
  if (node.op == Op::Constant) {
    const std::uint64_t bits = node.type.dtype == DType::S64   ? constantBits(dtype, static_cast<std::int64_t>(node.bits()))
                               : node.type.dtype == DType::F64 ? constantBits(dtype, std::bit_cast<double>(node.bits()))
                                                               : node.bits();
    if (node.type.dtype == DType::S64 || node.type.dtype == DType::F64 || node.type.dtype == dtype) {
      return add(Op::Constant, {dtype, {}, false}, {}, ConstantAttribute{bits});
    }
  }
  return add(Op::Convert, {dtype, node.type.shape, false}, {operand});
}

TensorType GraphBuilder::meet(NodeIndex left, NodeIndex right) const {
  const TensorType &a = typeOf(left);
  const TensorType &b = typeOf(right);
  if (a.weak == b.weak) {
    return {promote(a.dtype, b.dtype), {}, a.weak};
  }
  const TensorType &strong = a.weak ? b : a;
  const TensorType &weak = a.weak ? a : b;
  const bool isFraction = isFloat(weak.dtype) && !isFloat(strong.dtype);
  return {isFraction ? DType::F32 : strong.dtype, {}, false};
}

Result<NodeIndex> GraphBuilder::unary(Op op, NodeIndex operand) {
  const TensorType type = typeOf(operand);
  if (refusesPred(op) && type.dtype == DType::Pred) {
    return refusal(op);
  }
  // Whole numbers and truth values are their own floor, and what cannot be negative is its own magnitude.
  if ((op == Op::Floor && !isFloat(type.dtype)) || (op == Op::Abs && type.dtype < DType::S32)) {
    return operand;
  }
  const DType dtype = computesInFloat(op) ? floatingFor(type.dtype) : type.dtype;
  const NodeIndex input = dtype == type.dtype ? operand : converted(operand, dtype);
  Result<NodeIndex> node = addInferred(op, dtype, {input}, {});
  if (node && type.weak) {
    m_graph->m_nodes[*node].type.weak = true;
  }
  return node;
}

Result<NodeIndex> GraphBuilder::binary(Op op, NodeIndex left, NodeIndex right) {
  const TensorType met = meet(left, right);
  if (refusesPred(op) && met.dtype == DType::Pred) {
    return refusal(op);
  }
  JITSCOPE_TRY_VOID(checkFits(op, std::array{left, right}));
  if (isComparison(op)) {
    if (const std::optional<NumberComparison> comparison = comparisonWithNumber(op, left, right)) {
      return compare(*comparison);
    }
  }
  const DType dtype = computesInFloat(op) ? floatingFor(met.dtype) : met.dtype;
  const auto prepare = [&](NodeIndex operand) -> Result<NodeIndex> {
    if (met.weak) {
      return typeOf(operand).dtype == dtype ? operand : converted(operand, dtype);
    }
    return held(operand, dtype);
  };
  const Result<NodeIndex> first = prepare(left);
  const Result<NodeIndex> second = first ? prepare(right) : first;
  if (!second) {
    return second;
  }
  Result<NodeIndex> node = addInferred(op, isComparison(op) ? DType::Pred : dtype, {*first, *second}, {});
  if (node && met.weak && !isComparison(op)) {
    m_graph->m_nodes[*node].type.weak = true;
  }
  return node;
}

Result<NodeIndex> GraphBuilder::select(NodeIndex condition, NodeIndex whenTrue, NodeIndex whenFalse) {
  const TensorType met = meet(whenTrue, whenFalse);
  JITSCOPE_TRY_VOID(checkFits(Op::Select, std::array{condition, whenTrue, whenFalse}));
  const NodeIndex mask = converted(condition, DType::Pred);
  const Result<NodeIndex> first = held(whenTrue, met.dtype);
  const Result<NodeIndex> second = first ? held(whenFalse, met.dtype) : first;
  return second ? addInferred(Op::Select, met.dtype, {mask, *first, *second}, {}) : second;
}

Result<NodeIndex> GraphBuilder::convert(NodeIndex operand, DType dtype) { return converted(operand, dtype); }

Result<NodeIndex> GraphBuilder::reshape(NodeIndex operand, const Shape &shape) {
  for (const std::int64_t size : shape.sizes()) {
    if (size < -1) {
      return fail(ErrorCode::ScriptShape,
                  fmt::format("reshape to {}: a size is negative (only -1 may stand for the one left open)", toString(shape)));
    }
  }
  if (Shape declared = shape; shape.isStatic()) {
    JITSCOPE_TRY_VOID(checkedByteSize(typeOf(operand).dtype, declared));
  }
  return addInferred(Op::Reshape, typeOf(operand).dtype, {operand}, {}, shape);
}

Result<NodeIndex> GraphBuilder::transpose(NodeIndex operand, std::span<const std::int64_t> axes) {
  const std::size_t rank = typeOf(operand).shape.rank();
  AxesAttribute attribute;
  if (axes.empty()) {
    for (std::size_t axis = rank; axis-- > 0;) {
      attribute.axes.push_back(static_cast<std::uint32_t>(axis));
    }
  }
  for (const std::int64_t axis : axes) {
    JITSCOPE_TRY(std::uint32_t normal, normalizeAxis(axis, rank));
    attribute.axes.push_back(normal);
  }
  std::vector<std::uint32_t> sorted = attribute.axes;
  std::ranges::sort(sorted);
  if (sorted.size() != rank || std::ranges::adjacent_find(sorted) != sorted.end()) {
    return fail(ErrorCode::ScriptShape,
                fmt::format("transpose of {} needs each of its {} axes once", toString(typeOf(operand)), rank));
  }
  return addInferred(Op::Transpose, typeOf(operand).dtype, {operand}, std::move(attribute));
}

Result<NodeIndex> GraphBuilder::broadcast(NodeIndex operand, const Shape &shape) {
  return addInferred(Op::Broadcast, typeOf(operand).dtype, {operand}, {}, shape);
}

Result<NodeIndex> GraphBuilder::slice(NodeIndex operand, std::span<const std::int64_t> starts,
                                      std::span<const std::int64_t> sizes) {
  if (sizes.size() > kMaxRank) {
    return fail(ErrorCode::ScriptShape, fmt::format("slice with {} sizes: a tensor has at most {} axes", sizes.size(), kMaxRank));
  }
  SliceAttribute attribute{{starts.begin(), starts.end()}};
  return addInferred(Op::Slice, typeOf(operand).dtype, {operand}, std::move(attribute), Shape(sizes));
}

Result<NodeIndex> GraphBuilder::concat(std::span<const NodeIndex> operands, std::int64_t axis) {
  if (operands.empty()) {
    return fail(ErrorCode::ScriptArgument, "concat of an empty list");
  }
  JITSCOPE_TRY(std::uint32_t normal, normalizeAxis(axis, typeOf(operands[0]).shape.rank()));
  JITSCOPE_TRY_VOID(checkFits(Op::Concat, operands, AxesAttribute{{normal}}));
  DType dtype = typeOf(operands[0]).dtype;
  for (const NodeIndex operand : operands) {
    dtype = promote(dtype, typeOf(operand).dtype);
  }
  std::vector<NodeIndex> inputs;
  for (const NodeIndex operand : operands) {
    inputs.push_back(converted(operand, dtype));
  }
  return addInferred(Op::Concat, dtype, std::move(inputs), AxesAttribute{{normal}});
}

Result<NodeIndex> GraphBuilder::reduce(Op op, NodeIndex operand, std::span<const std::int64_t> axes) {
  JITSCOPE_TRY(std::vector<std::uint32_t> normal, normalizeAxes(axes, typeOf(operand).shape.rank()));
  DType dtype = typeOf(operand).dtype;
  NodeIndex input = operand;
  if (op == Op::ReduceMean) {
    dtype = floatingFor(dtype);
    input = converted(operand, dtype);
  } else if (op == Op::ReduceSum) {
    dtype = sumTypeFor(dtype);
  } else if (op == Op::ArgMax) {
    dtype = DType::S64;
  }
  if (op == Op::ReduceSum) {
    // A sum converts while it adds: its operand keeps its own dtype.
    input = operand;
  }
  return addInferred(op, dtype, {input}, AxesAttribute{std::move(normal)});
}

Result<NodeIndex> GraphBuilder::dot(NodeIndex left, NodeIndex right) {
  JITSCOPE_TRY_VOID(checkFits(Op::Dot, std::array{left, right}));
  const DType dtype = meet(left, right).dtype;
  const Result<NodeIndex> first = held(left, dtype);
  const Result<NodeIndex> second = first ? held(right, dtype) : first;
  return second ? addInferred(Op::Dot, dtype, {*first, *second}, {}) : second;
}

Result<std::vector<NodeIndex>> GraphBuilder::invoke(Op op, const std::shared_ptr<const Graph> &callee,
                                                    std::span<const NodeIndex> arguments) {
  JITSCOPE_TRY_VOID(checkCalleeNumbers(*callee, arguments));
  std::vector<NodeIndex> operands(arguments.begin(), arguments.end());
  for (const Tensor &tensor : callee->captures()) {
    operands.push_back(capture(tensor));
  }
  const TensorType first = callee->resultType(0);
  Node node{op, {first.dtype, first.shape, false}, operands, CalleeAttribute{callee}, m_line};
  if (op == Op::Map) {
    JITSCOPE_TRY(Shape shape, inferShape(node, typesOf(operands)));
    node.type.shape = shape;
  }
  const Shape mapShape = node.type.shape;
  m_graph->m_nodes.push_back(std::move(node));
  const auto call = static_cast<NodeIndex>(m_graph->m_nodes.size() - 1);
  std::vector<NodeIndex> results;
  for (std::uint32_t i = 0; i < callee->results().size(); ++i) {
    TensorType type = callee->resultType(i);
    type.weak = false;
    if (op == Op::Map) {
      type.shape = mapShape;
    }
    results.push_back(add(Op::Result, type, {call}, IndexAttribute{i}));
  }
  return results;
}

Result<std::vector<NodeIndex>> GraphBuilder::call(const std::shared_ptr<const Graph> &callee,
                                                  std::span<const NodeIndex> arguments) {
  if (arguments.size() != callee->parameterTypes().size()) {
    return fail(ErrorCode::ScriptArgument,
                fmt::format("{} takes {} tensors, got {}", callee->name(), callee->parameterTypes().size(), arguments.size()));
  }
  return invoke(Op::Call, callee, arguments);
}

Result<std::vector<NodeIndex>> GraphBuilder::map(const std::shared_ptr<const Graph> &callee, std::span<const NodeIndex> arguments) {
  for (std::size_t i = 0; i < callee->inputCount(); ++i) {
    if (!callee->inputType(i).shape.isScalar()) {
      return fail(ErrorCode::ScriptShape,
                  fmt::format("map calls {} for single elements, but it uses {}", callee->name(), toString(callee->inputType(i))));
    }
  }
  for (std::size_t i = 0; i < callee->results().size(); ++i) {
    if (!callee->resultType(i).shape.isScalar()) {
      return fail(ErrorCode::ScriptShape, fmt::format("map: {} must return scalars, but result {} is {}", callee->name(), i + 1,
                                                      toString(callee->resultType(i))));
    }
  }
  if (arguments.size() != callee->parameterTypes().size()) {
    return fail(ErrorCode::ScriptArgument,
                fmt::format("{} takes {} tensors, got {}", callee->name(), callee->parameterTypes().size(), arguments.size()));
  }
  return invoke(Op::Map, callee, arguments);
}

} // namespace jitscope::graph
