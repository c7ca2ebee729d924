// SPDX-License-Identifier: GPL-3.0-or-later
// Lua tells which upvalues a function has, but neither which globals it reads nor which fields. Its bytecode does. The format is
// that of lundump.c, the instructions those of lopcodes.h, both fixed for all of Lua 5.4.
#include "script/trace/outside_accesses.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <lua.hpp>

namespace jitscope::script {

static_assert(LUA_VERSION_NUM == 504, "the bytecode read here is that of Lua 5.4");

namespace {

/// The instructions that matter, by their numbers in Lua 5.4.
enum Opcode : std::uint32_t {
  kMove = 0,
  kGetUpvalue = 9,
  kSetUpvalue = 10,
  kGetTabUp = 11,
  kGetField = 14,
  kSetTabUp = 15,
  kSetField = 18
};

struct Instruction {
  std::uint32_t bits;
  [[nodiscard]] std::uint32_t opcode() const { return bits & 0x7FU; }
  [[nodiscard]] std::uint32_t a() const { return bits >> 7U & 0xFFU; }
  [[nodiscard]] std::uint32_t b() const { return bits >> 16U & 0xFFU; }
  [[nodiscard]] std::uint32_t c() const { return bits >> 24U & 0xFFU; }
};

/// Where a value comes from: an upvalue of the outermost function (from 1) and fields of it.
struct Source {
  int upvalue;
  std::vector<std::string> path;
};

/// Reads a dump. A format that it does not know makes `isBroken`.
class DumpReader {
public:
  explicit DumpReader(std::string_view dump) : m_rest(dump) {}

  [[nodiscard]] bool isBroken() const { return m_isBroken; }
  std::string_view bytes(std::size_t count) {
    if (count > m_rest.size()) {
      m_isBroken = true;
      m_rest = {};
      return {};
    }
    const std::string_view taken = m_rest.substr(0, count);
    m_rest.remove_prefix(count);
    return taken;
  }
  std::uint8_t byte() {
    const std::string_view taken = bytes(1);
    return taken.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(taken[0]);
  }
  /// Seven bits a byte, the highest first; the last byte has its top bit set.
  std::size_t size() {
    std::size_t value = 0;
    std::uint8_t next = 0;
    do {
      next = byte();
      value = value << 7U | (next & 0x7FU);
    } while ((next & 0x80U) == 0 && !m_isBroken);
    return value;
  }
  std::string_view string() {
    const std::size_t size = this->size();
    return size == 0 ? std::string_view() : bytes(size - 1);
  }
  std::uint32_t word() {
    std::uint32_t value = 0;
    const std::string_view taken = bytes(sizeof(value));
    std::ranges::copy(taken, reinterpret_cast<char *>(&value));
    return value;
  }
  /// Not more than there are bytes, whatever the dump says.
  std::size_t count() {
    const std::size_t count = size();
    m_isBroken = m_isBroken || count > m_rest.size();
    return m_isBroken ? 0 : count;
  }
  void fail() { m_isBroken = true; }

private:
  std::string_view m_rest;
  bool m_isBroken = false;
};

class AccessFinder {
public:
  explicit AccessFinder(std::string_view dump) : m_reader(dump) {}

  std::vector<OutsideAccess> find() {
    readHeader();
    std::vector<std::optional<int>> own(m_reader.byte());
    for (std::size_t i = 0; i < own.size(); ++i) {
      own[i] = static_cast<int>(i) + 1;
    }
    readFunction(own, /*isOutermost=*/true);
    if (m_reader.isBroken()) {
      return {};
    }
    return {m_accesses.begin(), m_accesses.end()};
  }

private:
  void readHeader() {
    constexpr std::string_view kBeginning("\x1bLua\x54\x00\x19\x93\r\n\x1a\n", 12);
    constexpr std::string_view kSizes("\x04\x08\x08", 3); // of an instruction, an integer, a float
    if (m_reader.bytes(kBeginning.size()) != kBeginning || m_reader.bytes(kSizes.size()) != kSizes) {
      m_reader.fail();
    }
    m_reader.bytes(sizeof(lua_Integer) + sizeof(lua_Number));
  }

  /// `upvalues`: which of the outermost function's upvalues those of this one are; nothing for locals of functions within it. The
  /// outermost gives them, each other says itself, by its parent's.
  void readFunction(const std::vector<std::optional<int>> &parent, bool isOutermost) {
    m_reader.string(); // source
    m_reader.size();
    m_reader.size(); // lines
    m_reader.bytes(3);
    std::vector<Instruction> code(m_reader.count());
    for (Instruction &instruction : code) {
      instruction.bits = m_reader.word();
    }
    const std::vector<std::string_view> constants = readConstants();
    std::vector<std::optional<int>> upvalues(m_reader.count());
    for (std::size_t i = 0; i < upvalues.size(); ++i) {
      const bool isParentsLocal = m_reader.byte() != 0;
      const std::size_t index = m_reader.byte();
      m_reader.byte(); // kind
      if (isOutermost) {
        upvalues[i] = static_cast<int>(i) + 1;
      } else if (!isParentsLocal && index < parent.size()) {
        upvalues[i] = parent[index];
      }
    }
    findIn(code, constants, upvalues);
    for (std::size_t left = m_reader.count(); left > 0 && !m_reader.isBroken(); --left) {
      readFunction(upvalues, /*isOutermost=*/false);
    }
    skipDebugInformation();
  }

  std::vector<std::string_view> readConstants() {
    enum Tag : std::uint8_t { kNil = 0, kFalse = 1, kTrue = 17, kInteger = 3, kFloat = 19, kShortString = 4, kLongString = 20 };
    std::vector<std::string_view> constants(m_reader.count());
    for (std::string_view &constant : constants) {
      switch (m_reader.byte()) {
      case kNil:
      case kFalse:
      case kTrue:
        break;
      case kInteger:
      case kFloat:
        m_reader.bytes(8);
        break;
      case kShortString:
      case kLongString:
        constant = m_reader.string();
        break;
      default:
        m_reader.fail();
      }
    }
    return constants;
  }

  /// The dump is a stripped one: all but the counts is missing.
  void skipDebugInformation() {
    for (int list = 0; list < 4; ++list) {
      if (m_reader.size() != 0) {
        m_reader.fail();
      }
    }
  }

  /// Goes through the instructions in their order and keeps, by register, which values came from outside.
  void findIn(const std::vector<Instruction> &code, const std::vector<std::string_view> &constants,
              const std::vector<std::optional<int>> &upvalues) {
    std::map<std::uint32_t, Source> registers;
    const auto upvalue = [&](std::uint32_t index) { return index < upvalues.size() ? upvalues[index] : std::nullopt; };
    const auto field = [&](const std::optional<Source> &table, std::uint32_t key) -> std::optional<Source> {
      if (!table || key >= constants.size()) {
        return std::nullopt;
      }
      Source source = *table;
      source.path.emplace_back(constants[key]);
      return source;
    };
    const auto ofUpvalue = [&](std::uint32_t index) {
      const std::optional<int> outer = upvalue(index);
      return outer ? std::optional<Source>({*outer, {}}) : std::nullopt;
    };
    const auto ofRegister = [&](std::uint32_t index) {
      const auto found = registers.find(index);
      return found == registers.end() ? std::nullopt : std::optional<Source>(found->second);
    };
    const auto loaded = [&](std::uint32_t into, const std::optional<Source> &source, bool isNewRead) {
      registers.erase(into);
      if (source) {
        registers.insert_or_assign(into, *source);
        if (isNewRead) {
          m_accesses.insert({source->upvalue, source->path, false});
        }
      }
    };
    const auto stored = [&](const std::optional<Source> &source) {
      if (source) {
        m_accesses.insert({source->upvalue, source->path, true});
      }
    };
    for (const Instruction &instruction : code) {
      switch (instruction.opcode()) {
      case kMove:
        loaded(instruction.a(), ofRegister(instruction.b()), false);
        break;
      case kGetUpvalue:
        loaded(instruction.a(), ofUpvalue(instruction.b()), true);
        break;
      case kSetUpvalue:
        stored(ofUpvalue(instruction.b()));
        break;
      case kGetTabUp:
        loaded(instruction.a(), field(ofUpvalue(instruction.b()), instruction.c()), true);
        break;
      case kGetField:
        loaded(instruction.a(), field(ofRegister(instruction.b()), instruction.c()), true);
        break;
      case kSetTabUp:
        stored(field(ofUpvalue(instruction.a()), instruction.b()));
        break;
      case kSetField:
        stored(field(ofRegister(instruction.a()), instruction.b()));
        break;
      default:
        // Calls and the like write many registers, from the first that they name.
        registers.erase(registers.lower_bound(instruction.a()), registers.end());
        break;
      }
    }
  }

  DumpReader m_reader;
  std::set<OutsideAccess> m_accesses;
};

int appendDump(lua_State * /*lua*/, const void *data, std::size_t size, void *dump) {
  static_cast<std::string *>(dump)->append(static_cast<const char *>(data), size);
  return 0;
}

} // namespace

std::vector<OutsideAccess> outsideAccessesOf(lua_State *lua, int index) {
  std::string dump;
  luaL_checkstack(lua, 4, "tracing");
  lua_pushvalue(lua, index);
  const int status = lua_dump(lua, appendDump, &dump, /*strip=*/1);
  lua_pop(lua, 1);
  return status == 0 ? AccessFinder(dump).find() : std::vector<OutsideAccess>();
}

} // namespace jitscope::script
