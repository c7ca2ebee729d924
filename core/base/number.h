// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace jitscope::base {

/// Parses a text that is a number and nothing else. Empty for any other text, and for a number that the type cannot hold.
/// Independent of the locale. Any thread.
template <typename Number> [[nodiscard]] std::optional<Number> numberFrom(std::string_view text) {
  Number number{};
  const char *end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

} // namespace jitscope::base
