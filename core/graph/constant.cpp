// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/constant.h"

#include <bit>
#include <cmath>
#include <limits>

namespace jitscope::graph {

namespace {

/// Truncates and saturates; NaN gives 0.
template <typename T> T saturate(double value) {
  if (std::isnan(value)) {
    return 0;
  }
  // 2^63 is a double, 2^63 - 1 is not: compare against the power, never against the converted maximum.
  const double upper = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (value >= upper) {
    return std::numeric_limits<T>::max();
  }
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  return static_cast<T>(value);
}

} // namespace

std::uint64_t constantBits(DType dtype, double value) {
  switch (dtype) {
  case DType::Pred:
    return value != 0 ? 1 : 0;
  case DType::U8:
    return saturate<std::uint8_t>(value);
  case DType::S32:
    return static_cast<std::uint32_t>(saturate<std::int32_t>(value));
  case DType::S64:
    return static_cast<std::uint64_t>(saturate<std::int64_t>(value));
  case DType::F32:
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  case DType::F64:
    return std::bit_cast<std::uint64_t>(value);
  }
  return 0;
}

std::uint64_t constantBits(DType dtype, std::int64_t value) {
  switch (dtype) {
  case DType::S64:
    return static_cast<std::uint64_t>(value);
  case DType::F32:
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  case DType::Pred:
    return value != 0 ? 1 : 0;
  default:
    // Everything left is narrower than a double's 53 bits, or a double itself.
    return constantBits(dtype, static_cast<double>(value));
  }
}

} // namespace jitscope::graph
