// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/inference.h"

#include "base/try.h"

#include <algorithm>

#include <fmt/format.h>

namespace jitscope::graph {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

/// Product of the sizes, or nothing while one of them is unknown.
std::optional<std::int64_t> knownCount(const Shape &shape) {
  return shape.isStatic() ? std::optional(shape.elementCount()) : std::nullopt;
}

/// The operation as scripts call it.
std::string_view plainName(Op op) {
  std::string_view name = nameOf(op);
  constexpr std::string_view kPrefix = "reduce-";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

/// Where two shapes diverge, in words; "" where they broadcast.
std::string broadcastProblem(const Shape &left, const Shape &right) {
  const std::size_t common = std::min(left.rank(), right.rank());
  for (std::size_t fromEnd = common; fromEnd > 0; --fromEnd) {
    const std::int64_t a = left[left.rank() - fromEnd];
    const std::int64_t b = right[right.rank() - fromEnd];
    if (a != b && a != 1 && b != 1 && a != kDynamic && b != kDynamic) {
      return fmt::format("sizes {} and {} on axis {} from the end", a, b, fromEnd);
    }
  }
  return "";
}

Result<Shape> broadcastAll(std::span<const TensorType> operands) {
  Shape shape = operands[0].shape;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const Result<Shape> next = broadcastShapes(shape, operands[i].shape);
    if (!next) {
      // Named beside the latest operand that it does not fit by itself: of a select that is the other value, not the condition.
      TensorType other{operands[i - 1].dtype, shape, false};
      for (std::size_t before = 0; before < i; ++before) {
        if (!broadcastProblem(operands[before].shape, operands[i].shape).empty()) {
          other = operands[before];
        }
      }
      return fail(ErrorCode::ScriptShape, fmt::format("{} and {} do not broadcast: {}", toString(other), toString(operands[i]),
                                                      broadcastProblem(other.shape, operands[i].shape)));
    }
    shape = *next;
  }
  return shape;
}

Result<Shape> inferReshape(const TensorType &operand, const Shape &declared) {
  const std::optional<std::int64_t> count = knownCount(operand.shape);
  std::int64_t declaredCount = 1;
  std::optional<std::size_t> open;
  for (std::size_t axis = 0; axis < declared.rank(); ++axis) {
    if (declared[axis] == kDynamic) {
      if (open) {
        return fail(ErrorCode::ScriptShape, fmt::format("reshape to {}: only one size may be left open (-1)", toString(declared)));
      }
      open = axis;
    } else {
      declaredCount *= declared[axis];
    }
  }
  Shape shape = declared;
  if (open && count) {
    if (declaredCount == 0 || *count % declaredCount != 0) {
      return fail(ErrorCode::ScriptShape, fmt::format("reshape of {} to {}: {} elements do not divide into groups of {}",
                                                      toString(operand), toString(declared), *count, declaredCount));
    }
    shape.setSize(*open, *count / declaredCount);
  } else if (!open && count && *count != declaredCount) {
    return fail(ErrorCode::ScriptShape, fmt::format("reshape of {} to {}: {} elements cannot become {}", toString(operand),
                                                    toString(declared), *count, declaredCount));
  }
  return shape;
}

Result<Shape> inferBroadcast(const TensorType &operand, const Shape &target) {
  const Result<Shape> met = broadcastShapes(operand.shape, target);
  if (!met || (target.isStatic() && *met != target)) {
    return fail(ErrorCode::ScriptShape,
                fmt::format("{} cannot broadcast to {}: aligned at the last axis, each size must be equal or 1", toString(operand),
                            toString(target)));
  }
  return target;
}

Result<Shape> inferSlice(const TensorType &operand, std::span<const std::int64_t> starts, const Shape &sizes) {
  const Shape &shape = operand.shape;
  if (starts.size() != shape.rank() || sizes.rank() != shape.rank()) {
    return fail(ErrorCode::ScriptShape, fmt::format("slice of {} needs {} starts and sizes, got {} and {}", toString(operand),
                                                    shape.rank(), starts.size(), sizes.rank()));
  }
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    const bool isKnown = shape[axis] != kDynamic;
    if (starts[axis] < 0 || sizes[axis] < 0 || (isKnown && sizes[axis] > shape[axis]) ||
        (isKnown && starts[axis] > shape[axis] - sizes[axis])) {
      const std::string bound = isKnown ? fmt::format(", which has {} elements", shape[axis]) : "";
      return fail(ErrorCode::ScriptShape, fmt::format("slice of {}: start {} and size {} do not fit axis {}{}", toString(operand),
                                                      starts[axis], sizes[axis], axis, bound));
    }
  }
  return sizes;
}

Result<Shape> inferConcat(std::span<const TensorType> operands, std::uint32_t axis) {
  Shape shape = operands[0].shape;
  for (const TensorType &type : operands.subspan(1)) {
    const Shape &operand = type.shape;
    bool fits = operand.rank() == shape.rank();
    for (std::size_t i = 0; fits && i < shape.rank(); ++i) {
      if (i == axis) {
        const bool isKnown = shape[i] != kDynamic && operand[i] != kDynamic;
        std::int64_t sum = kDynamic;
        if (isKnown && __builtin_add_overflow(shape[i], operand[i], &sum)) {
          return fail(ErrorCode::ScriptShape, "concat: the joined axis has more elements than a 64-bit number can count");
        }
        shape.setSize(i, sum);
      } else if (shape[i] == kDynamic) {
        shape.setSize(i, operand[i]);
      } else {
        fits = operand[i] == kDynamic || operand[i] == shape[i];
      }
    }
    if (!fits) {
      return fail(ErrorCode::ScriptShape, fmt::format("concat along axis {}: {} does not fit {} (all other sizes must be equal)",
                                                      axis, toString(type), toString(operands[0])));
    }
  }
  return shape;
}

Result<Shape> inferReduce(Op op, const TensorType &type, const std::vector<std::uint32_t> &axes) {
  const Shape &operand = type.shape;
  Shape shape;
  bool isEmpty = false;
  for (std::uint32_t axis = 0; axis < operand.rank(); ++axis) {
    if (!std::ranges::binary_search(axes, axis)) {
      shape.append(operand[axis]);
    } else {
      isEmpty = isEmpty || operand[axis] == 0;
    }
  }
  const bool hasIdentity = op == Op::ReduceSum || op == Op::ReduceMean;
  if (isEmpty && !hasIdentity && std::ranges::find(shape.sizes(), 0) == shape.sizes().end()) {
    return fail(ErrorCode::ScriptShape,
                fmt::format("{} over no elements: {} is empty along the reduced axes", plainName(op), toString(type)));
  }
  return shape;
}

Result<Shape> inferDot(const TensorType &leftType, const TensorType &rightType) {
  const Shape &left = leftType.shape;
  const Shape &right = rightType.shape;
  if (left.isScalar() || right.isScalar()) {
    return fail(ErrorCode::ScriptShape, fmt::format("dot of {} and {}: both need at least one axis; multiply scalars with *",
                                                    toString(leftType), toString(rightType)));
  }
  const std::int64_t inner = left[left.rank() - 1];
  if (inner != kDynamic && right[0] != kDynamic && inner != right[0]) {
    return fail(ErrorCode::ScriptShape,
                fmt::format("dot of {} and {}: the last size of the left ({}) and the first of the right ({}) differ",
                            toString(leftType), toString(rightType), inner, right[0]));
  }
  if (left.rank() + right.rank() - 2 > kMaxRank) {
    return fail(ErrorCode::ScriptShape,
                fmt::format("dot of {} and {} has more than {} axes", toString(leftType), toString(rightType), kMaxRank));
  }
  Shape shape;
  for (const std::int64_t size : left.sizes().first(left.rank() - 1)) {
    shape.append(size);
  }
  for (const std::int64_t size : right.sizes().subspan(1)) {
    shape.append(size);
  }
  return shape;
}

} // namespace

Result<Shape> broadcastShapes(const Shape &left, const Shape &right) {
  const Shape &longer = left.rank() >= right.rank() ? left : right;
  const Shape &shorter = left.rank() >= right.rank() ? right : left;
  const std::size_t offset = longer.rank() - shorter.rank();
  Shape shape = longer;
  for (std::size_t axis = 0; axis < shorter.rank(); ++axis) {
    const std::int64_t a = longer[axis + offset];
    const std::int64_t b = shorter[axis];
    if (a == b || b == 1) {
      continue;
    }
    if (a == 1 || a == kDynamic) {
      shape.setSize(axis + offset, b);
    } else if (b != kDynamic) {
      return fail(ErrorCode::ScriptShape, fmt::format("shapes {} and {} do not broadcast: {}", toString(left), toString(right),
                                                      broadcastProblem(left, right)));
    }
  }
  return shape;
}

Result<std::uint32_t> normalizeAxis(std::int64_t axis, std::size_t rank) {
  const auto signedRank = static_cast<std::int64_t>(rank);
  if (axis < -signedRank || axis >= signedRank) {
    return fail(ErrorCode::ScriptShape,
                rank == 0 ? fmt::format("axis {} of a scalar, which has none", axis)
                          : fmt::format("axis {} is outside of -{} … {}: axes count from 0, negative ones from the end", axis, rank,
                                        rank - 1));
  }
  return static_cast<std::uint32_t>(axis < 0 ? axis + signedRank : axis);
}

Result<std::vector<std::uint32_t>> normalizeAxes(std::span<const std::int64_t> axes, std::size_t rank) {
  std::vector<std::uint32_t> result;
  if (axes.empty()) {
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
      result.push_back(axis);
    }
    return result;
  }
  for (const std::int64_t axis : axes) {
    JITSCOPE_TRY(const std::uint32_t normal, normalizeAxis(axis, rank));
    result.push_back(normal);
  }
  std::ranges::sort(result);
  if (std::ranges::adjacent_find(result) != result.end()) {
    return fail(ErrorCode::ScriptShape, fmt::format("axis {} is named twice", *std::ranges::adjacent_find(result)));
  }
  return result;
}

Result<Shape> inferShape(const Node &node, std::span<const TensorType> operands) {
  switch (node.op) {
  case Op::Reshape:
    return inferReshape(operands[0], node.type.shape);
  case Op::Transpose: {
    Shape shape;
    for (const std::uint32_t axis : node.axes()) {
      shape.append(operands[0].shape[axis]);
    }
    return shape;
  }
  case Op::Broadcast:
    return inferBroadcast(operands[0], node.type.shape);
  case Op::Slice:
    return inferSlice(operands[0], node.starts(), node.type.shape);
  case Op::Concat:
    return inferConcat(operands, node.axes()[0]);
  case Op::Dot:
    return inferDot(operands[0], operands[1]);
  case Op::Parameter:
  case Op::Capture:
  case Op::Constant:
  case Op::Iota:
  case Op::Call:
  case Op::Result:
    return node.type.shape;
  case Op::Map:
    return operands.empty() ? Shape{} : broadcastAll(operands);
  default:
    break;
  }
  if (isReduction(node.op)) {
    return inferReduce(node.op, operands[0], node.axes());
  }
  return broadcastAll(operands);
}

} // namespace jitscope::graph
