// SPDX-License-Identifier: GPL-3.0-or-later
// What compiled code makes of Lua numbers alone, so that their values can be checked before the code runs.
#include "graph/numbers/number_evaluation.h"
#include "graph/numbers/number_checks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace jitscope::graph {

namespace {

using Value = std::optional<Number>;

double toFloat(const Number &number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

Value unaryFloat(Op op, double x) {
  switch (op) {
  case Op::Negate:
    return -x;
  case Op::Abs:
    return std::fabs(x);
  case Op::Exp:
    return std::exp(x);
  case Op::Log:
    return std::log(x);
  case Op::Sqrt:
    return std::sqrt(x);
  case Op::Rsqrt:
    return 1 / std::sqrt(x);
  case Op::Sin:
    return std::sin(x);
  case Op::Cos:
    return std::cos(x);
  case Op::Tanh:
    return std::tanh(x);
  case Op::Sigmoid:
    return 1 / (1 + std::exp(-x));
  case Op::Floor:
    return std::floor(x);
  default:
    return std::nullopt;
  }
}

std::int64_t wrapped(std::uint64_t bits) { return std::bit_cast<std::int64_t>(bits); }

Value unaryInteger(Op op, std::int64_t x) {
  if (op == Op::Negate || (op == Op::Abs && x < 0)) {
    return wrapped(0 - static_cast<std::uint64_t>(x));
  }
  return op == Op::Abs ? Value(x) : std::nullopt;
}

double floorModulo(double x, double y) {
  const double rest = std::fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

Value binaryFloat(Op op, double x, double y) {
  const auto ordered = [&](double chosen) {
    return std::isnan(x) || std::isnan(y) ? std::numeric_limits<double>::quiet_NaN() : chosen;
  };
  switch (op) {
  case Op::Add:
    return x + y;
  case Op::Subtract:
    return x - y;
  case Op::Multiply:
    return x * y;
  case Op::Divide:
    return x / y;
  case Op::FloorDivide:
    return y == 0 ? x / y : std::floor((x - floorModulo(x, y)) / y + 0.5);
  case Op::Modulo:
    return floorModulo(x, y);
  case Op::Power:
    return std::pow(x, y);
  case Op::Minimum:
    return ordered(std::min(x, y));
  case Op::Maximum:
    return ordered(std::max(x, y));
  default:
    return std::nullopt;
  }
}

/// Wraps; a negative exponent gives the reciprocal cut to an integer.
std::int64_t integerPower(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    return base == 1 || base == -1 ? (exponent % 2 == 0 ? 1 : base) : 0;
  }
  std::uint64_t result = 1;
  auto square = static_cast<std::uint64_t>(base);
  for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left >>= 1U) {
    result *= (left & 1U) != 0 ? square : 1;
    square *= square;
  }
  return wrapped(result);
}

Value binaryInteger(Op op, std::int64_t x, std::int64_t y) {
  const auto left = static_cast<std::uint64_t>(x);
  const auto right = static_cast<std::uint64_t>(y);
  switch (op) {
  case Op::Add:
    return wrapped(left + right);
  case Op::Subtract:
    return wrapped(left - right);
  case Op::Multiply:
    return wrapped(left * right);
  case Op::FloorDivide:
  case Op::Modulo: {
    if (y == 0) {
      return std::int64_t{0};
    }
    if (y == -1) { // the smallest number by -1 would overflow
      return op == Op::FloorDivide ? wrapped(0 - left) : std::int64_t{0};
    }
    const bool isRoundedUp = x % y != 0 && (x < 0) != (y < 0);
    return op == Op::FloorDivide ? x / y - (isRoundedUp ? 1 : 0) : x % y + (isRoundedUp ? y : 0);
  }
  case Op::Power:
    return integerPower(x, y);
  case Op::Minimum:
    return std::min(x, y);
  case Op::Maximum:
    return std::max(x, y);
  default:
    return std::nullopt;
  }
}

Value constantNumber(const Node &node) {
  return node.type.dtype == DType::S64 ? Number(wrapped(node.bits())) : Number(std::bit_cast<double>(node.bits()));
}

Value computed(const Node &node, const std::vector<Value> &operands) {
  if (std::ranges::any_of(operands, [](const Value &operand) { return !operand.has_value(); })) {
    return std::nullopt;
  }
  if (node.op == Op::Convert) {
    const bool keepsKind = (node.type.dtype == DType::S64) == std::holds_alternative<std::int64_t>(*operands[0]);
    return keepsKind ? operands[0] : node.type.dtype == DType::F64 ? Value(toFloat(*operands[0])) : std::nullopt;
  }
  if (node.type.dtype == DType::F64) {
    return operands.size() == 1 ? unaryFloat(node.op, toFloat(*operands[0]))
                                : binaryFloat(node.op, toFloat(*operands[0]), toFloat(*operands[1]));
  }
  const auto *left = std::get_if<std::int64_t>(&*operands[0]);
  if (operands.size() == 1) {
    return left == nullptr ? std::nullopt : unaryInteger(node.op, *left);
  }
  const auto *right = std::get_if<std::int64_t>(&*operands[1]);
  return left == nullptr || right == nullptr ? std::nullopt : binaryInteger(node.op, *left, *right);
}

} // namespace

std::vector<std::optional<Number>> evaluateNumbers(const std::vector<Node> &nodes, std::span<const NodeIndex> steps,
                                                   ParameterNumbers parameters) {
  std::vector<Value> values;
  values.reserve(steps.size());
  std::vector<Value> operands;
  for (const NodeIndex step : steps) {
    const Node &node = nodes[step];
    if (node.op == Op::Parameter) {
      values.push_back(node.index() < parameters.size() ? parameters[node.index()] : std::nullopt);
      continue;
    }
    if (node.op == Op::Constant) {
      values.push_back(constantNumber(node));
      continue;
    }
    operands.clear();
    for (const NodeIndex operand : node.operands) {
      const auto found = std::ranges::lower_bound(steps, operand);
      operands.push_back(found != steps.end() && *found == operand ? values[static_cast<std::size_t>(found - steps.begin())]
                                                                   : std::nullopt);
    }
    values.push_back(computed(node, operands));
  }
  return values;
}

} // namespace jitscope::graph
