// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Two texts beside each other, ready to be shown in any way.
namespace jitscope::analysis {

enum class RowKind : std::uint8_t {
  Equal,
  Changed, ///< a line on each side that belong together and differ
  LeftOnly,
  RightOnly
};
/// "equal", "changed", "left" or "right".
std::string_view nameOf(RowKind kind);

/// A part of a line, in bytes.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t length = 0;
  bool operator==(const TextSpan &) const = default;
};

/// One line, or two that stand beside each other.
struct DiffRow {
  RowKind kind = RowKind::Equal;
  std::string left;            ///< empty for `RightOnly`
  std::string right;           ///< empty for `LeftOnly`
  std::uint32_t leftLine = 0;  ///< from 1; 0 if there is none
  std::uint32_t rightLine = 0; ///< the same
  /// What differs within the lines; of `Changed` only, rising and apart from each other.
  std::vector<TextSpan> leftSpans;
  std::vector<TextSpan> rightSpans;
  /// The line begins a block of code.
  bool isLabel = false;
};

struct TextDiff {
  std::vector<DiffRow> rows; ///< all of both texts, from the top
  std::size_t changed = 0;   ///< rows of each kind
  std::size_t leftOnly = 0;
  std::size_t rightOnly = 0;
  bool isCoarse = false; ///< so long that it was not compared everywhere with everything

  [[nodiscard]] bool isEqual() const { return changed + leftOnly + rightOnly == 0; }
};

/// Rows that belong together: a difference and what surrounds it.
struct Hunk {
  std::size_t firstRow = 0;
  std::size_t rowCount = 0;
};

/// The differences with `context` equal rows around each; those nearer than twice that are one. Empty for equal texts.
[[nodiscard]] std::vector<Hunk> hunksOf(const TextDiff &diff, std::size_t context = 3);

/// Marks what differs between two lines, given in words (whatever is compared as one thing, spaces included).
void markWords(const std::vector<std::string_view> &left, const std::vector<std::string_view> &right, DiffRow &row);

} // namespace jitscope::analysis
