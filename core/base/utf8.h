// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace jitscope::base {

/// The nearest beginning of a UTF-8 character at or before a byte of a text: where it may be cut. Any thread.
[[nodiscard]] inline std::size_t characterStart(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
    --at;
  }
  return at;
}

/// Whether a text is UTF-8 throughout: no byte out of place, nothing longer than it need be, no surrogates, nothing beyond U+10FFFF
/// (RFC 3629, 4). Plain ASCII takes an eighth of a step for each byte. Any thread.
[[nodiscard]] inline bool isUtf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  const auto byteAt = [text](std::size_t at) -> unsigned { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
  std::size_t at = 0;
  while (at < text.size()) {
    if (std::uint64_t word = 0; at + sizeof word <= text.size()) {
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & kHighBits) == 0) {
        at += sizeof word;
        continue;
      }
    }
    const unsigned first = byteAt(at);
    if (first < 0x80U) {
      ++at;
      continue;
    }
    if (first < 0xC2U || first > 0xF4U) {
      return false;
    }
    const std::size_t more = first < 0xE0U ? 1 : first < 0xF0U ? 2 : 3;
    // The second byte has bounds of its own where a shorter form, a surrogate or too large a value would begin.
    const unsigned least = first == 0xE0U ? 0xA0U : first == 0xF0U ? 0x90U : 0x80U;
    const unsigned most = first == 0xEDU ? 0x9FU : first == 0xF4U ? 0x8FU : 0xBFU;
    if (byteAt(at + 1) < least || byteAt(at + 1) > most) {
      return false;
    }
    for (std::size_t i = 2; i <= more; ++i) {
      if ((byteAt(at + i) & 0xC0U) != 0x80U) {
        return false;
      }
    }
    at += more + 1;
  }
  return true;
}

} // namespace jitscope::base
