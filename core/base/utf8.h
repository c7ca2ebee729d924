// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace jitscope::base {

/// The nearest beginning of a UTF-8 character at or before a byte of a text: where it may be cut. Any thread.
[[nodiscard]] inline std::size_t characterStart(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
    --at;
  }
  return at;
}

} // namespace jitscope::base
