// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/dtype.h"

#include <array>

namespace jitscope::graph {

namespace {
constexpr std::array<std::string_view, kDTypeCount> kDTypeNames{"pred", "u8", "s32", "s64", "f32", "f64"};
}

std::string_view nameOf(DType dtype) { return kDTypeNames.at(static_cast<std::size_t>(dtype)); }

std::optional<DType> dtypeFromName(std::string_view name) {
  for (std::size_t i = 0; i < kDTypeCount; ++i) {
    if (kDTypeNames.at(i) == name) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

} // namespace jitscope::graph
