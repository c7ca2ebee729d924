// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hash.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace jitscope::base {

namespace {
Hash128 hashRange(const void *data, std::size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(data, size);
  return {hash.low64, hash.high64};
}
} // namespace

Hash128 hashBytes(std::span<const std::byte> bytes) { return hashRange(bytes.data(), bytes.size()); }
Hash128 hashText(std::string_view text) { return hashRange(text.data(), text.size()); }
Hash128 hashWords(std::span<const std::uint64_t> words) { return hashRange(words.data(), words.size_bytes()); }

std::string toHex(const Hash128 &hash) { return fmt::format("{:016x}{:016x}", hash.high, hash.low); }

} // namespace jitscope::base
