// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::analysis {

/// What of an argument is not the same in all templates of a function.
struct VaryingPart {
  enum class Kind : std::uint8_t { Size, Rank, ElementType, Value };
  std::size_t argument = 0;
  Kind kind = Kind::Size;
  std::optional<std::size_t> dimension = {}; ///< of a size
  std::size_t count = 0;                     ///< of different ones
  /// The first and the last: of numbers by value, of other texts in the order of their letters.
  std::string first;
  std::string last;
};

/// Of signatures such as "f32[64,?], i64, \"relu\"", by argument and dimension. Arguments that not all of them have are left out.
[[nodiscard]] std::vector<VaryingPart> varyingParts(const std::vector<std::string> &signatures);

} // namespace jitscope::analysis
