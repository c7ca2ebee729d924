// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jit/disk_cache.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jitscope::jit {

/// The bytes of an entry's file: a magic number, a checksum over all that follows it, the target, the entry symbol, the objects;
/// numbers are 64-bit little-endian, texts and objects preceded by their length.
std::vector<std::byte> encodeEntry(const std::string &target, const DiskEntry &entry);

struct DecodedEntry {
  std::string target;
  DiskEntry entry;
};

/// The way back. On failure `problem` says what is wrong: another magic number, a checksum that differs, a length past the end.
struct DecodeResult {
  std::optional<DecodedEntry> decoded;
  std::string problem;
};
DecodeResult decodeEntry(std::span<const std::byte> bytes);

} // namespace jitscope::jit
