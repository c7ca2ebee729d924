// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/dtype.h"

#include <cstdint>
#include <string>
#include <variant>

namespace jitscope::graph {

/// A Lua number: an integer or a float.
using Number = std::variant<std::int64_t, double>;

/// As scripts write it, so that the kind shows: "300", "2.0", "1e+39", "nan".
std::string textOf(const Number &number);

/// How a number becomes an element.
enum class Holding : std::uint8_t {
  /// In arithmetic: a whole number that an integer dtype has, or 0 and 1 of pred. Floats round, within their range.
  Exact,
  /// In `full` and `tensor`, where the script named the dtype: fractions are cut off besides, and pred takes "not 0".
  Filling,
};

/// Whether `dtype` holds `number`, by the rules of NumPy 2 (NEP 50). Infinity and NaN fit every float dtype, and no integer one.
bool holds(DType dtype, const Number &number, Holding holding);

/// The message for a `number` that `dtype` cannot hold, with a remedy: "u8 cannot hold 300; cast the tensor first, e.g.
/// t:as_type("s32")". `reason` stands behind the number.
std::string holdingProblem(DType dtype, const Number &number, Holding holding, const std::string &reason = "");

} // namespace jitscope::graph
