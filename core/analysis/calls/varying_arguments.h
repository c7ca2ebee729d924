// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analysis {

/// The parts of an argument that differ between the templates of a function.
struct VaryingPart {
  enum class Kind : std::uint8_t { Size, Rank, ElementType, Value };
  std::size_t argument = 0;
  Kind kind = Kind::Size;
  std::optional<std::size_t> dimension = {}; ///< of a size
  std::size_t count = 0;                     ///< of different ones
  /// The first and the last in their natural order, in which numbers go by value.
  std::string first;
  std::string last;
  /// Of a static argument: whether its values might be data, which a tensor or a number could be, as "{0.5}" and "true" might; what
  /// has a string, a function or nil in it cannot.
  bool mayBeData = false;
};

/// Of signatures such as "f32[64,?], i64, \"relu\"", by argument and dimension. Arguments that not all of them have are left out.
[[nodiscard]] std::vector<VaryingPart> varyingParts(const std::vector<std::string> &signatures);

/// How many templates there would be if they kept only the number of dimensions of shapes, as options{template="rank"} has it.
[[nodiscard]] std::size_t templatesForAllSizes(const std::vector<std::string> &signatures);

/// Whether a signature is of a template that serves all sizes, as "f32[?,?]".
[[nodiscard]] bool servesAllSizes(std::string_view signature);

} // namespace jitscope::analysis
