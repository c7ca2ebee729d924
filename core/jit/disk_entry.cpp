// SPDX-License-Identifier: GPL-3.0-or-later
#include "jit/disk_entry.h"

#include "jit/object_emitter.h"

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace jitscope::jit {

namespace {

constexpr std::string_view kMagic = "JSCOBJ03";
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
  void fail() { m_isSound = false; }

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

/// The checksum, then what it is over.
std::vector<std::byte> sealed(std::span<const std::byte> content) {
  const std::array<std::byte, kChecksumBytes> checksum = checksumOf(content);
  std::vector<std::byte> bytes;
  bytes.reserve(checksum.size() + content.size());
  bytes.insert(bytes.end(), checksum.begin(), checksum.end());
  bytes.insert(bytes.end(), content.begin(), content.end());
  return bytes;
}

/// The content of what `sealed` made; nothing where it is damaged.
std::optional<std::span<const std::byte>> unsealed(std::span<const std::byte> bytes) {
  if (bytes.size() < kChecksumBytes ||
      std::memcmp(checksumOf(bytes.subspan(kChecksumBytes)).data(), bytes.data(), kChecksumBytes) != 0) {
    return std::nullopt;
  }
  return bytes.subspan(kChecksumBytes);
}

void write(Writer &writer, const DiskKey &key) {
  writer.number(key.graph.low);
  writer.number(key.graph.high);
  for (const std::vector<lower::KeyField> *fields : {&key.options, &key.target}) {
    writer.number(fields->size());
    for (const lower::KeyField &field : *fields) {
      writer.text(field.name);
      writer.text(field.value);
    }
  }
}

void write(Writer &writer, const DiskOrigin &origin) {
  writer.number(origin.function.low);
  writer.number(origin.function.high);
  writer.number(origin.tmpl.arguments.size());
  for (const graph::ArgumentType &argument : origin.tmpl.arguments) {
    writer.number(argument.index());
    if (const auto *value = std::get_if<graph::StaticValue>(&argument)) {
      writer.text(value->text);
      continue;
    }
    const auto &tensor = std::get<graph::TensorType>(argument);
    writer.number(static_cast<std::uint64_t>(tensor.dtype));
    writer.number(tensor.weak ? 1 : 0);
    writer.number(tensor.shape.rank());
    for (const std::int64_t size : tensor.shape.sizes()) {
      writer.number(static_cast<std::uint64_t>(size));
    }
  }
}

DiskKey keyFrom(Reader &reader) {
  DiskKey key;
  key.graph.low = reader.number();
  key.graph.high = reader.number();
  for (std::vector<lower::KeyField> *fields : {&key.options, &key.target}) {
    const std::uint64_t count = reader.number();
    for (std::uint64_t i = 0; i < count && reader.isSound(); ++i) {
      std::string name = reader.text();
      fields->push_back({std::move(name), reader.text()});
    }
  }
  return key;
}

graph::TensorType tensorFrom(Reader &reader) {
  graph::TensorType tensor;
  const std::uint64_t dtype = reader.number();
  tensor.weak = reader.number() != 0;
  const std::uint64_t rank = reader.number();
  if (dtype >= graph::kDTypeCount || rank > graph::kMaxRank) {
    reader.fail();
    return tensor;
  }
  tensor.dtype = static_cast<graph::DType>(dtype);
  for (std::uint64_t axis = 0; axis < rank; ++axis) {
    tensor.shape.append(static_cast<std::int64_t>(reader.number()));
  }
  return tensor;
}

DiskOrigin originFrom(Reader &reader) {
  DiskOrigin origin;
  origin.function.low = reader.number();
  origin.function.high = reader.number();
  const std::uint64_t count = reader.number();
  for (std::uint64_t i = 0; i < count && reader.isSound(); ++i) {
    if (reader.number() == 0) {
      origin.tmpl.arguments.emplace_back(tensorFrom(reader));
    } else {
      origin.tmpl.arguments.emplace_back(graph::StaticValue{reader.text()});
    }
  }
  return origin;
}

std::optional<DiskSummary> summaryFrom(std::span<const std::byte> block) {
  const std::optional<std::span<const std::byte>> content = unsealed(block);
  if (!content) {
    return std::nullopt;
  }
  Reader reader(*content);
  DiskKey key = keyFrom(reader);
  DiskSummary summary{std::move(key), originFrom(reader)};
  return reader.isSound() && reader.isAtEnd() ? std::optional(std::move(summary)) : std::nullopt;
}

bool hasMagic(std::span<const std::byte> bytes) {
  return bytes.size() >= kHeaderBytes && std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

} // namespace

base::Hash128 hashOf(const DiskKey &key) {
  Writer writer;
  write(writer, key);
  return base::hashBytes(writer.m_bytes);
}

std::vector<std::byte> encodeEntry(const DiskKey &key, const DiskEntry &entry) {
  Writer summary;
  write(summary, key);
  write(summary, entry.origin);
  Writer payload;
  payload.block(sealed(summary.m_bytes));
  payload.text(entry.entrySymbol);
  payload.number(entry.objects.size());
  for (const pipeline::ObjectCode &object : entry.objects) {
    payload.text(object.name);
    payload.block(object.bytes);
  }
  const std::span<const std::byte> magic = std::as_bytes(std::span(kMagic.data(), kMagic.size()));
  std::vector<std::byte> bytes(magic.begin(), magic.end());
  const std::vector<std::byte> rest = sealed(payload.m_bytes);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

std::optional<DiskSummary> decodeSummary(std::span<const std::byte> beginning) {
  if (!hasMagic(beginning)) {
    return std::nullopt;
  }
  Reader reader(beginning.subspan(kHeaderBytes));
  const std::span<const std::byte> block = reader.block();
  return reader.isSound() ? summaryFrom(block) : std::nullopt;
}

DecodeResult decodeEntry(std::span<const std::byte> bytes) {
  if (!hasMagic(bytes)) {
    return {std::nullopt, "it is not an object of this cache, or its beginning is damaged"};
  }
  const std::optional<std::span<const std::byte>> payload = unsealed(bytes.subspan(kMagic.size()));
  if (!payload) {
    return {std::nullopt, "its checksum differs from its content"};
  }
  Reader reader(*payload);
  DecodedEntry decoded;
  std::optional<DiskSummary> summary = summaryFrom(reader.block());
  if (!summary) {
    return {std::nullopt, "its key is damaged"};
  }
  decoded.key = std::move(summary->key);
  decoded.entry.origin = std::move(summary->origin);
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
