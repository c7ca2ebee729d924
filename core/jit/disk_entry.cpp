// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/disk_entry.h"

#include "jit/object_emitter.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string_view>

namespace jitscope::jit {

namespace {

constexpr std::string_view kMagic = "JSCOBJ01";
constexpr std::size_t kChecksumBytes = 16;
constexpr std::size_t kHeaderBytes = kMagic.size() + kChecksumBytes;

class Writer {
public:
  void number(std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      m_bytes.push_back(static_cast<std::byte>(value >> shift));
    }
  }
  void block(std::span<const std::byte> bytes) {
    number(bytes.size());
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
  }
  void text(std::string_view text) { block(std::as_bytes(std::span(text.data(), text.size()))); }
  std::vector<std::byte> m_bytes;
};

/// Reads what Writer wrote; past the end every read yields nothing and `isSound` turns false.
class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : m_rest(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::span<const std::byte> bytes = take(8);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    }
    return value;
  }
  std::span<const std::byte> block() { return take(number()); }
  std::string text() {
    const std::span<const std::byte> bytes = block();
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
  }
  [[nodiscard]] bool isSound() const { return m_isSound; }
  [[nodiscard]] bool isAtEnd() const { return m_rest.empty(); }

private:
  std::span<const std::byte> take(std::uint64_t size) {
    if (size > m_rest.size()) {
      m_isSound = false;
      m_rest = {};
      return {};
    }
    const std::span<const std::byte> taken = m_rest.first(size);
    m_rest = m_rest.subspan(size);
    return taken;
  }
  std::span<const std::byte> m_rest;
  bool m_isSound = true;
};

std::array<std::byte, kChecksumBytes> checksumOf(std::span<const std::byte> payload) {
  const base::Hash128 hash = base::hashBytes(payload);
  std::array<std::byte, kChecksumBytes> bytes{};
  std::memcpy(bytes.data(), &hash.low, sizeof hash.low);
  std::memcpy(bytes.data() + sizeof hash.low, &hash.high, sizeof hash.high);
  return bytes;
}

} // namespace

std::vector<std::byte> encodeEntry(const std::string &target, const DiskEntry &entry) {
  Writer payload;
  payload.text(target);
  payload.text(entry.entrySymbol);
  payload.number(entry.objects.size());
  for (const pipeline::ObjectCode &object : entry.objects) {
    payload.text(object.name);
    payload.block(object.bytes);
  }
  std::vector<std::byte> bytes;
  bytes.reserve(kHeaderBytes + payload.m_bytes.size());
  std::ranges::transform(kMagic, std::back_inserter(bytes), [](char c) { return static_cast<std::byte>(c); });
  std::ranges::copy(checksumOf(payload.m_bytes), std::back_inserter(bytes));
  std::ranges::copy(payload.m_bytes, std::back_inserter(bytes));
  return bytes;
}

DecodeResult decodeEntry(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    return {std::nullopt, "it is not an object of this cache, or its beginning is damaged"};
  }
  const std::span<const std::byte> payload = bytes.subspan(kHeaderBytes);
  if (std::memcmp(checksumOf(payload).data(), bytes.data() + kMagic.size(), kChecksumBytes) != 0) {
    return {std::nullopt, "its checksum differs from its content"};
  }
  Reader reader(payload);
  DecodedEntry decoded;
  decoded.target = reader.text();
  decoded.entry.entrySymbol = reader.text();
  const std::uint64_t count = reader.number();
  for (std::uint64_t i = 0; i < count && reader.isSound(); ++i) {
    pipeline::ObjectCode object;
    object.name = reader.text();
    const std::span<const std::byte> code = reader.block();
    object.bytes.assign(code.begin(), code.end());
    const base::Result<std::uint64_t> codeBytes = codeBytesOf(object);
    if (!codeBytes) {
      return {std::nullopt, codeBytes.error().message};
    }
    object.codeBytes = *codeBytes;
    decoded.entry.objects.push_back(std::move(object));
  }
  if (!reader.isSound() || !reader.isAtEnd()) {
    return {std::nullopt, "its lengths do not add up"};
  }
  return {std::move(decoded), ""};
}

} // namespace jitscope::jit
