// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/scripts/reference_scalars.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace jitscope::testing {

using graph::DType;
using graph::Op;

namespace {

/// Wide enough for every result before it wraps.
__extension__ using Wide = __int128;

template <typename T> T valueOf(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(bits);
  } else if constexpr (std::is_same_v<T, bool>) {
    return bits != 0;
  } else {
    return static_cast<T>(bits);
  }
}

template <typename T> std::uint64_t bitsOfValue(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return static_cast<std::uint32_t>(value);
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

/// Calls `action` with a value of the C++ type of `dtype`.
template <typename Action> auto withType(DType dtype, Action action) {
  switch (dtype) {
  case DType::Pred:
    return action(bool{});
  case DType::U8:
    return action(std::uint8_t{});
  case DType::S32:
    return action(std::int32_t{});
  case DType::S64:
    return action(std::int64_t{});
  case DType::F32:
    return action(float{});
  case DType::F64:
    break;
  }
  return action(double{});
}

template <typename To, typename From> To converted(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(value);
  } else {
    if constexpr (std::is_floating_point_v<From>) {
      if (std::isnan(value)) {
        return 0;
      }
      const auto wide = static_cast<long double>(value);
      if (wide >= static_cast<long double>(std::numeric_limits<To>::max())) {
        return std::numeric_limits<To>::max();
      }
      if (wide <= static_cast<long double>(std::numeric_limits<To>::min())) {
        return std::numeric_limits<To>::min();
      }
      return static_cast<To>(wide);
    } else {
      const auto wide = static_cast<std::int64_t>(value);
      return static_cast<To>(std::clamp<std::int64_t>(wide, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
    }
  }
}

template <typename T> T unaryValue(Op op, T x) {
  if constexpr (std::is_floating_point_v<T>) {
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
      return T{1} / std::sqrt(x);
    case Op::Sin:
      return std::sin(x);
    case Op::Cos:
      return std::cos(x);
    case Op::Tanh:
      return std::tanh(x);
    case Op::Sigmoid:
      return T{1} / (T{1} + std::exp(-x));
    case Op::Floor:
      return std::floor(x);
    default:
      return x;
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    return x;
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    const T negated = static_cast<T>(Unsigned{0} - static_cast<Unsigned>(x));
    switch (op) {
    case Op::Negate:
      return negated;
    case Op::Abs:
      return std::is_signed_v<T> && x < 0 ? negated : x;
    default:
      return x;
    }
  }
}

template <typename T> T floatMinimum(T x, T y, bool wantsLarger) {
  if (std::isnan(x) || std::isnan(y)) {
    return std::numeric_limits<T>::quiet_NaN();
  }
  if (x == 0 && y == 0) {
    return std::signbit(x) == wantsLarger ? y : x;
  }
  return (x < y) == wantsLarger ? y : x;
}

/// NumPy's `divmod`.
template <typename T> std::pair<T, T> floatDivision(T x, T y) {
  T rest = std::fmod(x, y);
  if (y == 0) {
    return {x / y, rest};
  }
  T quotient = (x - rest) / y;
  if (rest != 0) {
    if ((y < 0) != (rest < 0)) {
      rest += y;
      quotient -= 1;
    }
  } else {
    rest = std::copysign(T{0}, y);
  }
  T whole = std::copysign(T{0}, x / y);
  if (quotient != 0) {
    whole = std::floor(quotient);
    whole += quotient - whole > T{0.5} ? T{1} : T{0};
  }
  return {whole, rest};
}

template <typename T> T integerPower(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      return base == 1 ? T{1} : base == -1 ? (exponent % 2 == 0 ? T{1} : T{-1}) : T{0};
    }
  }
  // Squaring is needed to come to an end; that it wraps alike follows from arithmetic modulo 2^n.
  std::uint64_t result = 1;
  auto square = static_cast<std::uint64_t>(base);
  for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left /= 2) {
    result *= left % 2 == 1 ? square : 1;
    square *= square;
  }
  return static_cast<T>(result);
}

template <typename T> T integerValue(Op op, T x, T y) {
  const auto wideX = static_cast<Wide>(x);
  const auto wideY = static_cast<Wide>(y);
  switch (op) {
  case Op::Add:
    return static_cast<T>(wideX + wideY);
  case Op::Subtract:
    return static_cast<T>(wideX - wideY);
  case Op::Multiply:
    return static_cast<T>(wideX * wideY);
  case Op::FloorDivide:
  case Op::Modulo: {
    if (y == 0) {
      return 0;
    }
    Wide quotient = wideX / wideY;
    if (quotient * wideY != wideX && (wideX < 0) != (wideY < 0)) {
      --quotient;
    }
    return static_cast<T>(op == Op::FloorDivide ? quotient : wideX - quotient * wideY);
  }
  case Op::Power:
    return integerPower(x, y);
  case Op::Minimum:
    return std::min(x, y);
  default:
    return std::max(x, y);
  }
}

template <typename T> T binaryValue(Op op, T x, T y) {
  if constexpr (std::is_same_v<T, bool>) {
    return op == Op::Add || op == Op::Maximum ? x || y : x && y;
  } else if constexpr (std::is_floating_point_v<T>) {
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
      return floatDivision(x, y).first;
    case Op::Modulo:
      return floatDivision(x, y).second;
    case Op::Power:
      return std::pow(x, y);
    case Op::Minimum:
      return floatMinimum(x, y, false);
    default:
      return floatMinimum(x, y, true);
    }
  } else {
    return integerValue(op, x, y);
  }
}

template <typename T> bool compared(Op op, T x, T y) {
  switch (op) {
  case Op::Less:
    return x < y;
  case Op::LessEqual:
    return x <= y;
  case Op::Greater:
    return x > y;
  case Op::GreaterEqual:
    return x >= y;
  case Op::Equal:
    return x == y;
  default:
    return x != y;
  }
}

} // namespace

std::uint64_t convertBits(std::uint64_t bits, DType from, DType to) {
  return withType(from, [&](auto source) {
    return withType(to, [&](auto target) { return bitsOfValue(converted<decltype(target)>(valueOf<decltype(source)>(bits))); });
  });
}

std::uint64_t unaryBits(Op op, DType dtype, std::uint64_t operand) {
  return withType(dtype, [&](auto type) { return bitsOfValue(unaryValue(op, valueOf<decltype(type)>(operand))); });
}

std::uint64_t binaryBits(Op op, DType dtype, std::uint64_t left, std::uint64_t right) {
  return withType(dtype, [&](auto type) {
    using T = decltype(type);
    const T x = valueOf<T>(left);
    const T y = valueOf<T>(right);
    return graph::isComparison(op) ? bitsOfValue(compared(op, x, y)) : bitsOfValue(binaryValue(op, x, y));
  });
}

double numberOf(DType dtype, std::uint64_t bits) {
  return withType(dtype, [&](auto type) { return static_cast<double>(valueOf<decltype(type)>(bits)); });
}

std::uint64_t bitsOf(DType dtype, double number) { return convertBits(std::bit_cast<std::uint64_t>(number), DType::F64, dtype); }

std::uint64_t ulpsBetween(DType dtype, std::uint64_t left, std::uint64_t right) {
  const bool isLeftNaN = std::isnan(numberOf(dtype, left));
  const bool isRightNaN = std::isnan(numberOf(dtype, right));
  if (isLeftNaN || isRightNaN) {
    return isLeftNaN && isRightNaN ? 0 : std::numeric_limits<std::uint64_t>::max();
  }
  // Sign and magnitude become one scale on which -0 and +0 are neighbours.
  const auto onScale = [&](std::uint64_t bits) {
    const std::uint64_t sign = dtype == DType::F32 ? 1ULL << 31U : 1ULL << 63U;
    const auto magnitude = static_cast<Wide>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
  };
  const Wide distance = onScale(left) - onScale(right);
  return static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
}

} // namespace jitscope::testing
