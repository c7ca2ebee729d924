// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/scripts/number_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace jitscope::testing {

using graph::DType;
using graph::Op;
using graph::Shape;

namespace {

/// On x86-64 it has 64 bits of mantissa: every s64 and every double are exact.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

bool isFloating(DType dtype) { return dtype == DType::F32 || dtype == DType::F64; }
bool isWhole(const LuaNumber &number) { return std::holds_alternative<std::int64_t>(number); }
Exact exactOf(const LuaNumber &number) {
  return std::visit([](auto value) { return static_cast<Exact>(value); }, number);
}

struct Range {
  Exact lowest;
  Exact highest;
};

Range rangeOf(DType dtype) {
  switch (dtype) {
  case DType::Pred:
    return {0, 1};
  case DType::U8:
    return {0, 255};
  case DType::S32:
    return {-2147483648.0L, 2147483647.0L};
  default:
    return {-9223372036854775808.0L, 9223372036854775807.0L};
  }
}

/// Whether arithmetic in `dtype` can take the number. Floats take all that does not round beyond their range.
bool canHold(DType dtype, const LuaNumber &number) {
  const Exact value = exactOf(number);
  if (dtype == DType::F64) {
    return true;
  }
  if (dtype == DType::F32) {
    // From halfway between the largest f32 and 2^128 on, rounding to nearest goes to infinity.
    return !std::isfinite(value) || std::fabs(value) < 0x1.ffffffp127L;
  }
  return isWhole(number) && value >= rangeOf(dtype).lowest && value <= rangeOf(dtype).highest;
}

/// The same where a tensor is filled: fractions are cut off, and a truth value is "not 0".
bool canBeFilled(DType dtype, const LuaNumber &number) {
  if (isFloating(dtype)) {
    return canHold(dtype, number);
  }
  const Exact whole = std::trunc(exactOf(number));
  return dtype == DType::Pred || (whole >= rangeOf(dtype).lowest && whole <= rangeOf(dtype).highest);
}

template <typename CanHold> RuleError cannotHold(DType dtype, const LuaNumber &number, CanHold canHold) {
  constexpr std::array kOrder = {DType::Pred, DType::U8, DType::S32, DType::S64, DType::F32, DType::F64};
  const auto wider = std::find_if(std::find(kOrder.begin(), kOrder.end(), dtype), kOrder.end(),
                                  [&](DType candidate) { return canHold(candidate, number); });
  return {RuleError::Kind::CannotHold, dtype, number, *wider};
}

DType laterOf(DType left, DType right) {
  constexpr std::array kRanks = {0, 1, 2, 3, 4, 5}; // pred, u8, s32, s64, f32, f64
  return kRanks.at(static_cast<std::size_t>(left)) < kRanks.at(static_cast<std::size_t>(right)) ? right : left;
}

DType dtypeOf(const RuleValue &value) {
  if (const auto *array = std::get_if<ReferenceArray>(&value)) {
    return array->dtype;
  }
  return isWhole(std::get<LuaNumber>(value)) ? DType::S64 : DType::F64;
}

/// The dtype that two operands meet in: a number yields to a tensor, but a float makes integers f32.
DType meetingOf(const RuleValue &left, const RuleValue &right) {
  const bool isLeftNumber = std::holds_alternative<LuaNumber>(left);
  const bool isRightNumber = std::holds_alternative<LuaNumber>(right);
  if (isLeftNumber == isRightNumber) {
    return laterOf(dtypeOf(left), dtypeOf(right));
  }
  const DType tensor = dtypeOf(isLeftNumber ? right : left);
  const DType number = dtypeOf(isLeftNumber ? left : right);
  return number == DType::F64 && !isFloating(tensor) ? DType::F32 : tensor;
}

std::uint64_t bitsOfNumber(DType dtype, const LuaNumber &number) {
  if (const auto *whole = std::get_if<std::int64_t>(&number)) {
    return convertBits(static_cast<std::uint64_t>(*whole), DType::S64, dtype);
  }
  return convertBits(std::bit_cast<std::uint64_t>(std::get<double>(number)), DType::F64, dtype);
}

/// The operand in `dtype`.
std::variant<ReferenceArray, RuleError> taken(const RuleValue &value, DType dtype, bool isChecked = true) {
  if (const auto *array = std::get_if<ReferenceArray>(&value)) {
    return ruleOfCast(*array, dtype);
  }
  const LuaNumber &number = std::get<LuaNumber>(value);
  if (isChecked && !canHold(dtype, number)) {
    return cannotHold(dtype, number, canHold);
  }
  return ReferenceArray{dtype, {}, {bitsOfNumber(dtype, number)}};
}

Shape joinedShape(const Shape &left, const Shape &right) {
  const std::size_t rank = std::max(left.rank(), right.rank());
  std::vector<std::int64_t> sizes(rank, 1);
  for (const Shape *shape : {&left, &right}) {
    for (std::size_t axis = 0; axis < shape->rank(); ++axis) {
      std::int64_t &size = sizes[axis + rank - shape->rank()];
      size = size == 1 ? (*shape)[axis] : size;
    }
  }
  return Shape(sizes);
}

/// The element of `array` below place `flat` of the shape it is broadcast to.
std::uint64_t elementBelow(const ReferenceArray &array, const Shape &shape, std::int64_t flat) {
  std::int64_t place = 0;
  std::int64_t stride = 1;
  for (std::size_t back = 1; back <= shape.rank(); ++back) {
    const std::int64_t size = shape[shape.rank() - back];
    const std::int64_t index = flat % size;
    flat /= size;
    if (back <= array.shape.rank()) {
      const std::int64_t own = array.shape[array.shape.rank() - back];
      place += own == 1 ? 0 : index * stride;
      stride *= own;
    }
  }
  return array.bits[static_cast<std::size_t>(place)];
}

template <typename Element>
ReferenceArray elementwise(DType dtype, const ReferenceArray &left, const ReferenceArray &right, Element element) {
  ReferenceArray result{dtype, joinedShape(left.shape, right.shape), {}};
  for (std::int64_t i = 0; i < result.shape.elementCount(); ++i) {
    result.bits.push_back(element(elementBelow(left, result.shape, i), elementBelow(right, result.shape, i)));
  }
  return result;
}

template <typename T> bool compares(Op op, T left, T right) {
  switch (op) {
  case Op::Less:
    return left < right;
  case Op::LessEqual:
    return left <= right;
  case Op::Greater:
    return left > right;
  case Op::GreaterEqual:
    return left >= right;
  case Op::Equal:
    return left == right;
  default:
    return left != right;
  }
}

Exact exactElement(DType dtype, std::uint64_t bits) {
  return dtype == DType::S64 ? static_cast<Exact>(static_cast<std::int64_t>(bits)) : static_cast<Exact>(numberOf(dtype, bits));
}

/// What a tensor of `dtype` is compared with: the number itself, but rounded where floats can.
Exact comparedNumber(DType dtype, const LuaNumber &number) {
  if (isFloating(dtype) && canHold(dtype, number)) {
    return exactElement(dtype, bitsOfNumber(dtype, number));
  }
  return exactOf(number);
}

} // namespace

LuaNumber luaArithmetic(Op op, const LuaNumber &left, const LuaNumber &right) {
  if (isWhole(left) && isWhole(right)) {
    return static_cast<std::int64_t>(binaryBits(op, DType::S64, static_cast<std::uint64_t>(std::get<std::int64_t>(left)),
                                                static_cast<std::uint64_t>(std::get<std::int64_t>(right))));
  }
  return std::bit_cast<double>(binaryBits(op, DType::F64, bitsOfNumber(DType::F64, left), bitsOfNumber(DType::F64, right)));
}

ReferenceArray ruleOfCast(const ReferenceArray &operand, DType dtype) {
  ReferenceArray result{dtype, operand.shape, {}};
  for (const std::uint64_t bits : operand.bits) {
    result.bits.push_back(operand.dtype == dtype ? bits : convertBits(bits, operand.dtype, dtype));
  }
  return result;
}

RuleResult ruleOfBinary(Op op, const RuleValue &left, const RuleValue &right) {
  DType dtype = meetingOf(left, right);
  const bool isForPred = op == Op::Add || op == Op::Multiply || op == Op::Divide || op == Op::Minimum || op == Op::Maximum;
  if (dtype == DType::Pred && !isForPred) {
    return RuleError{RuleError::Kind::NotForPred};
  }
  if (op == Op::Divide && !isFloating(dtype)) {
    dtype = dtype == DType::S64 ? DType::F64 : DType::F32;
  }
  const auto first = taken(left, dtype);
  const auto second = taken(right, dtype);
  for (const auto *operand : {&first, &second}) {
    if (const auto *error = std::get_if<RuleError>(operand)) {
      return *error;
    }
  }
  return RuleValue(elementwise(dtype, std::get<ReferenceArray>(first), std::get<ReferenceArray>(second),
                               [&](std::uint64_t x, std::uint64_t y) { return binaryBits(op, dtype, x, y); }));
}

RuleResult ruleOfComparison(Op op, const RuleValue &left, const RuleValue &right) {
  const auto *leftArray = std::get_if<ReferenceArray>(&left);
  const auto *rightArray = std::get_if<ReferenceArray>(&right);
  if (leftArray != nullptr && rightArray != nullptr) {
    const DType dtype = laterOf(leftArray->dtype, rightArray->dtype);
    return RuleValue(elementwise(DType::Pred, ruleOfCast(*leftArray, dtype), ruleOfCast(*rightArray, dtype),
                                 [&](std::uint64_t x, std::uint64_t y) { return binaryBits(op, dtype, x, y); }));
  }
  if (leftArray == nullptr && rightArray == nullptr) {
    const bool holds = compares(op, exactOf(std::get<LuaNumber>(left)), exactOf(std::get<LuaNumber>(right)));
    return RuleValue(ReferenceArray{DType::Pred, {}, {holds ? 1ULL : 0ULL}});
  }
  const ReferenceArray &array = leftArray != nullptr ? *leftArray : *rightArray;
  const Exact number = comparedNumber(array.dtype, std::get<LuaNumber>(leftArray != nullptr ? right : left));
  ReferenceArray result{DType::Pred, array.shape, {}};
  for (const std::uint64_t bits : array.bits) {
    const Exact element = exactElement(array.dtype, bits);
    const bool holds = leftArray != nullptr ? compares(op, element, number) : compares(op, number, element);
    result.bits.push_back(holds ? 1 : 0);
  }
  return RuleValue(std::move(result));
}

RuleResult ruleOfSelect(const ReferenceArray &condition, const RuleValue &whenTrue, const RuleValue &whenFalse) {
  const DType dtype = meetingOf(whenTrue, whenFalse);
  const bool areNumbers = std::holds_alternative<LuaNumber>(whenTrue) && std::holds_alternative<LuaNumber>(whenFalse);
  const auto first = taken(whenTrue, dtype, !areNumbers);
  const auto second = taken(whenFalse, dtype, !areNumbers);
  for (const auto *operand : {&first, &second}) {
    if (const auto *error = std::get_if<RuleError>(operand)) {
      return *error;
    }
  }
  const ReferenceArray mask = ruleOfCast(condition, DType::Pred);
  const auto &a = std::get<ReferenceArray>(first);
  const auto &b = std::get<ReferenceArray>(second);
  ReferenceArray result{dtype, joinedShape(joinedShape(mask.shape, a.shape), b.shape), {}};
  for (std::int64_t i = 0; i < result.shape.elementCount(); ++i) {
    result.bits.push_back(elementBelow(elementBelow(mask, result.shape, i) != 0 ? a : b, result.shape, i));
  }
  return RuleValue(std::move(result));
}

RuleResult ruleOfUnary(Op op, const ReferenceArray &operand) {
  if (op == Op::Negate && operand.dtype == DType::Pred) {
    return RuleError{RuleError::Kind::NotForPred};
  }
  ReferenceArray result{operand.dtype, operand.shape, {}};
  for (const std::uint64_t bits : operand.bits) {
    result.bits.push_back(unaryBits(op, operand.dtype, bits));
  }
  return RuleValue(std::move(result));
}

RuleResult ruleOfFilling(const std::vector<LuaNumber> &numbers, const Shape &shape, DType dtype) {
  ReferenceArray result{dtype, shape, {}};
  for (std::int64_t i = 0; i < shape.elementCount(); ++i) {
    const LuaNumber &number = numbers[static_cast<std::size_t>(i) % numbers.size()];
    if (!canBeFilled(dtype, number)) {
      return cannotHold(dtype, number, canBeFilled);
    }
    result.bits.push_back(bitsOfNumber(dtype, number));
  }
  return RuleValue(std::move(result));
}

ReferenceArray ruleOfReduction(Op op, const ReferenceArray &operand) {
  if (op == Op::ReduceSum) {
    std::uint64_t sum = 0;
    for (const std::uint64_t bits : operand.bits) {
      sum += convertBits(bits, operand.dtype, DType::S64);
    }
    return {DType::S64, {}, {sum}};
  }
  std::uint64_t largest = operand.bits[0];
  for (const std::uint64_t bits : operand.bits) {
    largest = binaryBits(Op::Maximum, operand.dtype, largest, bits);
  }
  return {operand.dtype, {}, {largest}};
}

} // namespace jitscope::testing
