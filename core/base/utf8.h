// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace jitscope::base {

/// The start of the UTF-8 character that contains a byte of a text, where the text may be cut. Any thread.
[[nodiscard]] inline std::size_t characterStart(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
    --at;
  }
  return at;
}

/// Whether a text is valid UTF-8 (RFC 3629, section 4): without stray bytes, overlong forms, surrogates, or values over U+10FFFF.
/// Reads ASCII eight bytes at a time. Any thread.
[[nodiscard]] bool isUtf8(std::string_view text);

} // namespace jitscope::base
