// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/numbers/number.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace jitscope::graph {

namespace {

template <typename T> bool isWithin(std::int64_t value) {
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

/// NaN has no storage.
template <typename T> bool isWithin(double value) {
  // 2^63 is a double, 2^63 - 1 is not: compare with the power.
  return value >= static_cast<double>(std::numeric_limits<T>::min()) && value < std::ldexp(1.0, std::numeric_limits<T>::digits);
}

template <typename Value> bool integerHolds(DType dtype, Value value, Holding holding) {
  switch (dtype) {
  case DType::Pred:
    return holding == Holding::Filling || value == Value{0} || value == Value{1};
  case DType::U8:
    return isWithin<std::uint8_t>(value);
  case DType::S32:
    return isWithin<std::int32_t>(value);
  default:
    return isWithin<std::int64_t>(value);
  }
}

} // namespace

std::string textOf(const Number &number) {
  if (const auto *whole = std::get_if<std::int64_t>(&number)) {
    return std::to_string(*whole);
  }
  const double value = std::get<double>(number);
  if (std::isnan(value)) {
    return "nan"; // whatever its sign
  }
  std::string text = fmt::format("{}", value);
  return std::isfinite(value) && text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

bool holds(DType dtype, const Number &number, Holding holding) {
  if (const auto *whole = std::get_if<std::int64_t>(&number)) {
    return isFloat(dtype) || integerHolds(dtype, *whole, holding);
  }
  const double value = std::get<double>(number);
  if (dtype == DType::F64) {
    return true;
  }
  if (dtype == DType::F32) {
    return !std::isfinite(value) || std::isfinite(static_cast<float>(value));
  }
  if (holding == Holding::Exact && value != std::trunc(value)) {
    return false;
  }
  return integerHolds(dtype, std::trunc(value), holding);
}

std::string holdingProblem(DType dtype, const Number &number, Holding holding, const std::string &reason) {
  auto wider = dtype;
  while (wider != DType::F64 && !holds(wider, number, holding)) {
    wider = static_cast<DType>(static_cast<std::uint8_t>(wider) + 1);
  }
  const char *remedy =
      holding == Holding::Filling ? "name a dtype that can, e.g. \"{}\"" : "cast the tensor first, e.g. t:as_type(\"{}\")";
  return fmt::format("{} cannot hold {}{}; {}", nameOf(dtype), textOf(number), reason,
                     fmt::format(fmt::runtime(remedy), nameOf(wider)));
}

} // namespace jitscope::graph
