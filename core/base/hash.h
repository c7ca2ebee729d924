// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jitscope::base {

/// A 128-bit content hash (XXH3). Wide enough to identify the content: among a million entries, two with different content have the
/// same hash with a probability of about 1e-27. Not for adversaries.
struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend constexpr auto operator<=>(const Hash128 &, const Hash128 &) = default;
};

/// The hash of a run of bytes. Stable across processes and machines of the same byte order.
Hash128 hashBytes(std::span<const std::byte> bytes);
Hash128 hashText(std::string_view text);
/// The hash of 64-bit words; the form the call key uses.
Hash128 hashWords(std::span<const std::uint64_t> words);

/// 32 lower-case hexadecimal digits, the high half first.
std::string toHex(const Hash128 &hash);

} // namespace jitscope::base
