// SPDX-License-Identifier: GPL-3.0-or-later
// Lua numbers that meet tensors: what a dtype cannot hold is refused, and comparisons are exact.
#include "base/try.h"
#include "graph/builder/builder.h"
#include "graph/numbers/number_checks.h"
#include "graph/numbers/number_evaluation.h"

#include <bit>
#include <limits>

namespace jitscope::graph {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

/// Whether `dtype` holds every number of a kind, whose dtype is S64 or F64.
bool holdsAll(DType dtype, DType kind, Holding holding) {
  return dtype == DType::F64 || dtype == kind || (isFloat(dtype) && kind == DType::S64) ||
         (dtype == DType::Pred && holding == Holding::Filling);
}

/// The comparison with its operands exchanged.
Op exchanged(Op op) {
  switch (op) {
  case Op::Less:
    return Op::Greater;
  case Op::LessEqual:
    return Op::GreaterEqual;
  case Op::Greater:
    return Op::Less;
  case Op::GreaterEqual:
    return Op::LessEqual;
  default:
    return op;
  }
}

struct IntegerLimits {
  double lowest;
  double beyond; ///< the first number that is too large
};

IntegerLimits limitsOf(DType dtype) {
  switch (dtype) {
  case DType::U8:
    return {0, 0x1p8};
  case DType::S32:
    return {-0x1p31, 0x1p31};
  default:
    return {-0x1p63, 0x1p63};
  }
}

} // namespace

std::optional<Number> GraphBuilder::knownNumber(NodeIndex node) const {
  const std::vector<NodeIndex> steps = numberStepsFor(m_graph->m_nodes, {&node, 1});
  return steps.empty() || !typeOf(node).weak ? std::nullopt : evaluateNumbers(m_graph->m_nodes, steps, {}).back();
}

Result<NodeIndex> GraphBuilder::held(NodeIndex operand, DType dtype, Holding holding) {
  if (const TensorType type = typeOf(operand); type.weak && !holdsAll(dtype, type.dtype, holding)) {
    const std::optional<Number> number = knownNumber(operand);
    if (!number) {
      m_graph->m_numberChecks.checks.push_back({operand, dtype, holding, m_line});
    } else if (!holds(dtype, *number, holding)) {
      return fail(ErrorCode::ScriptArgument, holdingProblem(dtype, *number, holding));
    }
  }
  return converted(operand, dtype);
}

Result<NodeIndex> GraphBuilder::fill(NodeIndex value, const Shape &shape, DType dtype) {
  JITSCOPE_TRY_VOID(checkedByteSize(dtype, shape));
  Result<NodeIndex> scalar = held(value, dtype, Holding::Filling);
  return scalar && !shape.isScalar() ? broadcast(*scalar, shape) : scalar;
}

Result<void> GraphBuilder::checkCalleeNumbers(const Graph &callee, std::span<const NodeIndex> arguments) const {
  std::vector<std::optional<Number>> numbers;
  for (const NodeIndex argument : arguments) {
    numbers.push_back(knownNumber(argument));
  }
  Result<void> fits = checkNumbers(callee, numbers);
  if (!fits) {
    fits.error().message = callee.name() + ": " + fits.error().message;
  }
  return fits;
}

std::optional<GraphBuilder::NumberComparison> GraphBuilder::comparisonWithNumber(Op op, NodeIndex left, NodeIndex right) const {
  const TensorType &a = typeOf(left);
  const TensorType &b = typeOf(right);
  // Of two numbers, the integer is compared as a tensor would be.
  const bool areBothNumbers = a.weak && b.weak;
  if (areBothNumbers ? a.dtype == b.dtype : !a.weak && !b.weak) {
    return std::nullopt;
  }
  const bool isRightTheNumber = areBothNumbers ? b.dtype == DType::F64 : b.weak;
  return isRightTheNumber ? NumberComparison{op, left, right} : NumberComparison{exchanged(op), right, left};
}

Result<NodeIndex> GraphBuilder::compare(const NumberComparison &comparison) {
  const DType dtype = typeOf(comparison.tensor).dtype;
  const DType kind = typeOf(comparison.number).dtype;
  const std::optional<Number> number = knownNumber(comparison.number);
  const bool isPlain = isFloat(dtype) ? holdsAll(dtype, kind, Holding::Exact) : dtype == kind;
  if (isPlain || (number && m_graph->m_nodes[comparison.number].op == Op::Constant && holds(dtype, *number, Holding::Exact))) {
    const NodeIndex tensor = converted(comparison.tensor, dtype);
    return addInferred(comparison.op, DType::Pred, {tensor, converted(comparison.number, dtype)}, {});
  }
  return dtype == DType::F32 ? compareWithFloat(comparison) : compareIntegers(comparison);
}

NodeIndex GraphBuilder::scalar(Op op, DType dtype, std::vector<NodeIndex> operands) {
  return add(op, {dtype, {}, false}, std::move(operands));
}

/// Rounds the number to f32, as NumPy. One that would become infinity is moved to where the comparison stays right: for x <= 1e39
/// to the largest f32, for x < 1e39 to infinity, and equal to it is nothing.
Result<NodeIndex> GraphBuilder::compareWithFloat(const NumberComparison &comparison) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kLargest = std::numeric_limits<float>::max();
  const NodeIndex exact = converted(comparison.number, DType::F64);
  const NodeIndex rounded = converted(exact, DType::F32);
  const NodeIndex isFinite =
      scalar(Op::NotEqual, DType::Pred, {scalar(Op::Abs, DType::F64, {exact}), constant(DType::F64, kInfinity)});
  const auto bound = [&](NodeIndex tested, double infinity, double instead) {
    const NodeIndex isInfinite = scalar(Op::Equal, DType::Pred, {tested, constant(DType::F32, infinity)});
    const NodeIndex isBeyond = scalar(Op::Multiply, DType::Pred, {isFinite, isInfinite});
    return scalar(Op::Select, DType::F32, {isBeyond, constant(DType::F32, instead), rounded});
  };
  NodeIndex limit = 0;
  switch (comparison.op) {
  case Op::LessEqual:
  case Op::Greater:
    limit = bound(rounded, kInfinity, kLargest);
    break;
  case Op::Less:
  case Op::GreaterEqual:
    limit = bound(rounded, -kInfinity, -kLargest);
    break;
  default:
    limit = bound(scalar(Op::Abs, DType::F32, {rounded}), kInfinity, std::numeric_limits<double>::quiet_NaN());
    break;
  }
  return addInferred(comparison.op, DType::Pred, {comparison.tensor, limit}, {});
}

/// Compares in the tensor's own dtype with the number rounded down or up, whichever changes nothing, and saturated; a scalar says
/// where the number lies outside and so decides alone.
Result<NodeIndex> GraphBuilder::compareIntegers(const NumberComparison &comparison) {
  const DType given = typeOf(comparison.tensor).dtype;
  const DType dtype = given == DType::Pred ? DType::U8 : given;
  const DType kind = typeOf(comparison.number).dtype;
  const NodeIndex tensor = converted(comparison.tensor, dtype);
  const NodeIndex number = converted(comparison.number, kind);
  const IntegerLimits limits = limitsOf(dtype);
  const auto is = [&](Op op, NodeIndex value, double limit) { return scalar(op, DType::Pred, {value, constant(kind, limit)}); };
  const auto comparedTo = [&](NodeIndex value) {
    return addInferred(comparison.op, DType::Pred, {tensor, converted(value, dtype)}, {});
  };
  const auto both = [&](const Result<NodeIndex> &compared, NodeIndex condition) -> Result<NodeIndex> {
    return compared ? addInferred(Op::Multiply, DType::Pred, {*compared, condition}, {}) : compared;
  };
  const auto either = [&](const Result<NodeIndex> &compared, NodeIndex condition) -> Result<NodeIndex> {
    return compared ? addInferred(Op::Add, DType::Pred, {*compared, condition}, {}) : compared;
  };
  const auto floorOf = [&](NodeIndex value) { return kind == DType::F64 ? scalar(Op::Floor, kind, {value}) : value; };
  const auto ceilingOf = [&](NodeIndex value) {
    return kind == DType::F64 ? scalar(Op::Negate, kind, {floorOf(scalar(Op::Negate, kind, {value}))}) : value;
  };
  /// A NaN became 0: nothing may be told from that.
  const auto ordered = [&](const Result<NodeIndex> &compared) {
    return kind == DType::F64 ? both(compared, scalar(Op::Equal, DType::Pred, {number, number})) : compared;
  };
  switch (comparison.op) {
  case Op::Less: {
    const NodeIndex bound = ceilingOf(number);
    return either(ordered(comparedTo(bound)), is(Op::GreaterEqual, bound, limits.beyond));
  }
  case Op::LessEqual: {
    const NodeIndex bound = floorOf(number);
    return both(comparedTo(bound), is(Op::GreaterEqual, bound, limits.lowest));
  }
  case Op::Greater: {
    const NodeIndex bound = floorOf(number);
    return either(ordered(comparedTo(bound)), is(Op::Less, bound, limits.lowest));
  }
  case Op::GreaterEqual: {
    const NodeIndex bound = ceilingOf(number);
    return both(comparedTo(bound), is(Op::Less, bound, limits.beyond));
  }
  default:
    break;
  }
  const NodeIndex saturated = converted(number, dtype);
  const NodeIndex back = converted(saturated, kind);
  if (comparison.op == Op::Equal) {
    const NodeIndex isHeld =
        scalar(Op::Multiply, DType::Pred, {scalar(Op::Equal, DType::Pred, {back, number}), is(Op::Less, number, limits.beyond)});
    return both(comparedTo(number), isHeld);
  }
  const NodeIndex isNotHeld = scalar(
      Op::Add, DType::Pred, {scalar(Op::NotEqual, DType::Pred, {back, number}), is(Op::GreaterEqual, number, limits.beyond)});
  return either(comparedTo(number), isNotHeld);
}

} // namespace jitscope::graph
