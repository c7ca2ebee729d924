// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jit/disk_cache.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jitscope::jit {

/// The bytes of an entry's file: a magic number, a checksum over all that follows it, the key with a checksum of its own, the entry
/// symbol, the objects; numbers are 64-bit little-endian; texts, objects and the key are preceded by their length.
std::vector<std::byte> encodeEntry(const DiskKey &key, const DiskEntry &entry);

struct DecodedEntry {
  DiskKey key;
  DiskEntry entry;
};

/// A file's first bytes hold its key whole; longer keys are not looked at.
inline constexpr std::size_t kKeyReach = std::size_t{64} * 1024;
/// The key alone, from the beginning of a file. Nothing where it is damaged or not there.
std::optional<DiskKey> decodeKey(std::span<const std::byte> beginning);
/// The part of a file's name that identifies its key.
base::Hash128 hashOf(const DiskKey &key);

/// The way back. On failure `problem` says what is wrong: another magic number, a checksum that differs, a length past the end.
struct DecodeResult {
  std::optional<DecodedEntry> decoded;
  std::string problem;
};
DecodeResult decodeEntry(std::span<const std::byte> bytes);

} // namespace jitscope::jit
