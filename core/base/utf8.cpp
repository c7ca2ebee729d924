// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"

#include <cstdint>
#include <cstring>

#include <utf8proc.h>

namespace jitscope::base {

bool isUtf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  while (!text.empty()) {
    if (std::uint64_t word = 0; text.size() >= sizeof word) {
      std::memcpy(&word, text.data(), sizeof word);
      if ((word & kHighBits) == 0) {
        text.remove_prefix(sizeof word);
        continue;
      }
    }
    utf8proc_int32_t ignored = 0;
    const utf8proc_ssize_t size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t *>(text.data()),
                                                   static_cast<utf8proc_ssize_t>(text.size()), &ignored);
    if (size <= 0) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

} // namespace jitscope::base
