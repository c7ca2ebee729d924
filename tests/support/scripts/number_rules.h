// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/scripts/reference_evaluator.h"

#include <optional>
#include <string>
#include <variant>

/// What operations give where tensors meet Lua numbers, written from NumPy's NEP 50 and the rules in docs/ alone: it shares no
/// code with the graph builder, and elements are computed by `reference_scalars`.
namespace jitscope::testing {

/// A number as Lua has it: an integer or a float.
using LuaNumber = std::variant<std::int64_t, double>;

/// A tensor or a number.
using RuleValue = std::variant<ReferenceArray, LuaNumber>;

/// Why there is no value.
struct RuleError {
  enum class Kind : std::uint8_t { CannotHold, NotForPred } kind = Kind::CannotHold;
  graph::DType dtype = graph::DType::F32;  ///< which cannot hold it
  LuaNumber number = std::int64_t{0};      ///< what it cannot hold
  graph::DType remedy = graph::DType::F32; ///< the dtype that the message offers
};

using RuleResult = std::variant<RuleValue, RuleError>;

/// Arithmetic of Lua itself: `+`, `-` and `*` of two numbers.
LuaNumber luaArithmetic(graph::Op op, const LuaNumber &left, const LuaNumber &right);
/// Arithmetic, minimum, maximum; one of the two is a tensor.
RuleResult ruleOfBinary(graph::Op op, const RuleValue &left, const RuleValue &right);
RuleResult ruleOfComparison(graph::Op op, const RuleValue &left, const RuleValue &right);
RuleResult ruleOfSelect(const ReferenceArray &condition, const RuleValue &whenTrue, const RuleValue &whenFalse);
RuleResult ruleOfUnary(graph::Op op, const ReferenceArray &operand);
ReferenceArray ruleOfCast(const ReferenceArray &operand, graph::DType dtype);
/// `full` and the elements of `tensor`: of what the dtype cannot hold, the first.
RuleResult ruleOfFilling(const std::vector<LuaNumber> &numbers, const graph::Shape &shape, graph::DType dtype);
/// Over all axes; `op` is ReduceSum of integers, or ReduceMax.
ReferenceArray ruleOfReduction(graph::Op op, const ReferenceArray &operand);

} // namespace jitscope::testing
