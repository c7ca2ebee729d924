// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sha256.h"

#include <array>
#include <cstdint>

#include <nettle/base16.h>
#include <nettle/sha2.h>

namespace jitscope::base {

std::string sha256Of(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const std::uint8_t *>(text.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&context, digest.size(), digest.data());
  std::string digits(BASE16_ENCODE_LENGTH(digest.size()), '\0');
  base16_encode_update(digits.data(), digest.size(), digest.data());
  return digits;
}

} // namespace jitscope::base
