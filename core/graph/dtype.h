// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jitscope::graph {

/// Element types in promotion order: two dtypes promote to the later one.
enum class DType : std::uint8_t { Pred, U8, S32, S64, F32, F64 };

inline constexpr std::size_t kDTypeCount = 6;

/// "pred", "u8", "s32", "s64", "f32", "f64".
std::string_view nameOf(DType dtype);
std::optional<DType> dtypeFromName(std::string_view name);

/// Bytes of one element. A pred is a byte that is 0 or 1.
constexpr std::size_t byteSize(DType dtype) {
  switch (dtype) {
  case DType::Pred:
  case DType::U8:
    return 1;
  case DType::S32:
  case DType::F32:
    return 4;
  case DType::S64:
  case DType::F64:
    return 8;
  }
  return 0;
}

constexpr bool isFloat(DType dtype) { return dtype == DType::F32 || dtype == DType::F64; }

/// The dtype that both convert to: the later of the two in promotion order.
constexpr DType promote(DType left, DType right) { return left < right ? right : left; }

/// What true division, `exp` and their like compute in: floats stay, s64 gives f64, every other integer f32.
constexpr DType floatingFor(DType dtype) {
  if (isFloat(dtype)) {
    return dtype;
  }
  return dtype == DType::S64 ? DType::F64 : DType::F32;
}

/// The dtype of a sum over `dtype`: s64 for integers and preds, the same dtype for floats.
constexpr DType sumTypeFor(DType dtype) { return isFloat(dtype) ? dtype : DType::S64; }

} // namespace jitscope::graph
