// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/display_text.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <utf8proc.h>

namespace jitscope::report {

namespace {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0; ///< bytes; 0 where the text does not begin with valid UTF-8
};

/// The first code point.
CodePoint decode(std::string_view text) {
  utf8proc_int32_t value = 0;
  const utf8proc_ssize_t size =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t *>(text.data()), static_cast<utf8proc_ssize_t>(text.size()), &value);
  return size > 0 ? CodePoint{static_cast<char32_t>(value), static_cast<std::size_t>(size)} : CodePoint{};
}

/// Controls, line separators, and marks that reorder or hide text.
bool isUnsafe(char32_t value) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(value))) {
  case UTF8PROC_CATEGORY_CC:
  case UTF8PROC_CATEGORY_CF:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
    return true;
  default:
    return false;
  }
}

std::size_t widthOf(char32_t value) {
  return static_cast<std::size_t>(std::max(utf8proc_charwidth(static_cast<utf8proc_int32_t>(value)), 0));
}

/// The size in bytes of the longest beginning that takes at most `width` columns; at least one character if there is one.
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
  constexpr std::size_t kMinimum = 8; // in fewer columns, two pieces say nothing
  if (all <= width || width < kMinimum) {
    return elide(text, width);
  }
  const std::size_t tailColumns = (width - 1) / 2;
  const std::string_view head = text.substr(0, fitting(text, width - 1 - tailColumns));
  std::string_view tail = text;
  for (std::size_t columns = all; !tail.empty();) {
    const CodePoint point = decode(tail);
    const std::size_t taken = point.size == 0 ? 1 : widthOf(point.value);
    // A mark without width belongs to the character before it.
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
    const std::size_t maximum = fitting(text, width);
    if (maximum == text.size()) {
      lines.emplace_back(text);
      return lines;
    }
    if (lines.size() + 1 == maxLines) {
      lines.push_back(elide(text, width));
      return lines;
    }
    // The line may also break at a space right after the part that fits.
    const std::size_t space = text.rfind(' ', maximum);
    const bool breaksAtSpace = space != std::string_view::npos && space > 0;
    lines.emplace_back(text.substr(0, breaksAtSpace ? space : maximum));
    text.remove_prefix(breaksAtSpace ? space + 1 : maximum);
  }
}

} // namespace jitscope::report
