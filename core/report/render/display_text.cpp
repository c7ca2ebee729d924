// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/display_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace jitscope::report {

namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0; ///< bytes; 0 where the text does not begin with valid UTF-8
};

/// The first code point by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint decode(std::string_view text) {
  const auto byteAt = [text](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char lead = byteAt(0);
  if (lead < 0x80) {
    return {lead, 1};
  }
  std::size_t size = 2;
  if (lead >= 0xe0) {
    size = lead >= 0xf0 ? 4 : 3;
  }
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) {
    return {};
  }
  constexpr std::array<unsigned, 5> kLeadMask{0, 0, 0x1f, 0x0f, 0x07};
  char32_t value = lead & kLeadMask[size];
  for (std::size_t i = 1; i < size; ++i) {
    if ((byteAt(i) & 0xc0U) != 0x80U) {
      return {};
    }
    value = value << 6U | (byteAt(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[size] || (value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) {
    return {};
  }
  return {value, size};
}

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t N> bool isIn(const std::array<Range, N> &ranges, char32_t value) {
  return std::ranges::any_of(ranges, [value](const Range &range) { return value >= range.first && value <= range.last; });
}

/// Controls (C0, DEL, C1), line separators, and marks that reorder or hide text.
bool isUnsafe(char32_t value) {
  static constexpr std::array<Range, 7> kUnsafe{
      {{0x00, 0x1f}, {0x7f, 0x9f}, {0x061c, 0x061c}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}}};
  return isIn(kUnsafe, value);
}

/// Unicode's East Asian Width W and F in coarse blocks, and emoji (UAX #11).
bool isWide(char32_t value) {
  static constexpr std::array<Range, 12> kWide{{{0x1100, 0x115f},
                                                {0x231a, 0x231b},
                                                {0x2e80, 0x303e},
                                                {0x3041, 0xa4cf},
                                                {0xa960, 0xa97c},
                                                {0xac00, 0xd7a3},
                                                {0xf900, 0xfaff},
                                                {0xfe30, 0xfe6f},
                                                {0xff00, 0xff60},
                                                {0xffe0, 0xffe6},
                                                {0x1f300, 0x1faff},
                                                {0x20000, 0x3fffd}}};
  return isIn(kWide, value);
}

/// Marks that are drawn over the character before them.
bool isCombining(char32_t value) {
  static constexpr std::array<Range, 7> kCombining{{{0x0300, 0x036f},
                                                    {0x0483, 0x0489},
                                                    {0x0591, 0x05bd},
                                                    {0x1ab0, 0x1aff},
                                                    {0x1dc0, 0x1dff},
                                                    {0x20d0, 0x20ff},
                                                    {0xfe00, 0xfe0f}}};
  return isIn(kCombining, value);
}

std::size_t widthOf(char32_t value) {
  if (isCombining(value)) {
    return 0;
  }
  return isWide(value) ? 2 : 1;
}

/// The longest beginning that takes at most `width` columns, in bytes. At least one character where there is one.
std::size_t fitting(std::string_view text, std::size_t width) {
  std::size_t used = 0;
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const CodePoint point = decode(text.substr(bytes));
    const std::size_t columns = widthOf(point.value);
    if (used + columns > width && bytes > 0) {
      break;
    }
    used += columns;
    bytes += std::max<std::size_t>(point.size, 1);
  }
  return bytes;
}

} // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (point.size == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    if (point.value == '\n') {
      result += "\\n";
    } else if (point.value == '\t') {
      result += "\\t";
    } else if (isUnsafe(point.value)) {
      result += point.value < 0x100 ? fmt::format("\\x{:02x}", static_cast<std::uint32_t>(point.value))
                                    : fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point.value));
    } else {
      result += text.substr(0, point.size);
    }
    text.remove_prefix(point.size);
  }
  return result;
}

std::size_t displayWidth(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    width += point.size == 0 ? 1 : widthOf(point.value);
    text.remove_prefix(std::max<std::size_t>(point.size, 1));
  }
  return width;
}

std::string elide(std::string_view text, std::size_t width) {
  if (width > 0 && fitting(text, width) == text.size() && displayWidth(text) <= width) {
    return std::string(text);
  }
  if (width < 2) {
    return width == 0 || text.empty() ? "" : "…";
  }
  return std::string(text.substr(0, fitting(text, width - 1))) + "…";
}

std::string elideMiddle(std::string_view text, std::size_t width) {
  const std::size_t all = displayWidth(text);
  constexpr std::size_t kLeast = 8; // of less, two pieces say nothing
  if (all <= width || width < kLeast) {
    return elide(text, width);
  }
  const std::size_t tailColumns = (width - 1) / 2;
  const std::string_view head = text.substr(0, fitting(text, width - 1 - tailColumns));
  std::string_view tail = text;
  for (std::size_t columns = all; !tail.empty();) {
    const CodePoint point = decode(tail);
    const std::size_t taken = point.size == 0 ? 1 : widthOf(point.value);
    // A mark without width belongs to the character before it, and goes with that.
    if (columns <= tailColumns && taken > 0) {
      break;
    }
    columns -= taken;
    tail.remove_prefix(std::max<std::size_t>(point.size, 1));
  }
  return std::string(head) + "…" + std::string(tail);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, std::size_t maxLines) {
  std::vector<std::string> lines;
  for (;;) {
    const std::size_t most = fitting(text, width);
    if (most == text.size()) {
      lines.emplace_back(text);
      return lines;
    }
    if (lines.size() + 1 == maxLines) {
      lines.push_back(elide(text, width));
      return lines;
    }
    // A space right behind what fits is a place to break as well.
    const std::size_t space = text.rfind(' ', most);
    const bool breaksAtSpace = space != std::string_view::npos && space > 0;
    lines.emplace_back(text.substr(0, breaksAtSpace ? space : most));
    text.remove_prefix(breaksAtSpace ? space + 1 : most);
  }
}

} // namespace jitscope::report
