// SPDX-License-Identifier: GPL-3.0-or-later
// The layout is that of `TValue`, `UpVal`, `Table` and `Node` in lobject.h, the same in all of Lua 5.4.
#include "script/trace/variable_slot.h"

#include <bit>
#include <cstring>

#include <lua.hpp>

namespace jitscope::script {

static_assert(LUA_VERSION_NUM == 504, "the memory read here is that of Lua 5.4");

namespace {

enum ValueTag : std::uint8_t {
  kNilTag = 0,
  kFalseTag = 1,
  kIntegerTag = 3,
  kTrueTag = 17,
  kFloatTag = 19,
  kShortStringTag = 68,
  kTableTag = 69,
  kLongStringTag = 84
};

// Where things are, in bytes from the beginning of what holds them. A value is its bits, then its tag.
constexpr std::size_t kTagInValue = 8;
constexpr std::size_t kPointerInUpvalue = 16; ///< to its value, on a stack or in the upvalue itself
constexpr std::size_t kValueInUpvalue = 24;
constexpr std::size_t kLogOfSizeInTable = 11;
constexpr std::size_t kEntriesInTable = 24;
constexpr std::size_t kKeyTagInEntry = 9; ///< an entry begins with its value
constexpr std::size_t kKeyInEntry = 16;
constexpr std::size_t kEntryBytes = 24;

/// Larger tables are not looked through: Lua's own search is then the quicker one.
constexpr std::uint8_t kMaxLogOfSize = 12;

template <typename Type> Type loaded(const std::byte *from) {
  Type value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}
const std::byte *pointerAt(const std::byte *from) { return loaded<const std::byte *>(from); }
std::uint8_t byteAt(const std::byte *from) { return loaded<std::uint8_t>(from); }

bool hasKey(const std::byte *entry, const void *key) {
  return byteAt(entry + kKeyTagInEntry) == kShortStringTag && pointerAt(entry + kKeyInEntry) == key;
}

} // namespace

VariableSlot::VariableSlot(const void *upvalueId, const std::vector<const void *> &keys)
    : m_upvalue(static_cast<const std::byte *>(upvalueId)) {
  m_fields.reserve(keys.size());
  for (const void *key : keys) {
    m_fields.emplace_back().key = key;
  }
  locate();
}

/// Whether `value` is the table that the field was looked for in, with the same entries.
bool VariableSlot::Field::isOf(const std::byte *value) const {
  return byteAt(value + kTagInValue) == kTableTag && pointerAt(value) == table && pointerAt(table + kEntriesInTable) == entries &&
         byteAt(table + kLogOfSizeInTable) == logOfSize;
}

/// Entries move when others need their places.
bool VariableSlot::Field::isFound() const { return entry != nullptr && hasKey(entry, key); }

void VariableSlot::Field::findIn(const std::byte *value) {
  entry = nullptr;
  table = byteAt(value + kTagInValue) == kTableTag ? pointerAt(value) : nullptr;
  if (table == nullptr) {
    return;
  }
  entries = pointerAt(table + kEntriesInTable);
  logOfSize = byteAt(table + kLogOfSizeInTable);
  if (logOfSize > kMaxLogOfSize) {
    return;
  }
  for (std::size_t i = 0; i < std::size_t{1} << logOfSize && entry == nullptr; ++i) {
    const std::byte *candidate = entries + i * kEntryBytes;
    entry = hasKey(candidate, key) ? candidate : nullptr;
  }
}

const std::byte *VariableSlot::value() const {
  const std::byte *value = pointerAt(m_upvalue + kPointerInUpvalue);
  for (const Field &field : m_fields) {
    if (!field.isOf(value) || !field.isFound()) {
      return nullptr;
    }
    value = field.entry;
  }
  return value;
}

void VariableSlot::locate() {
  const std::byte *value = pointerAt(m_upvalue + kPointerInUpvalue);
  for (Field &field : m_fields) {
    if (!field.isOf(value) || !field.isFound()) {
      field.findIn(value);
    }
    if (field.entry == nullptr) {
      return;
    }
    value = field.entry;
  }
}

bool VariableSlot::holds(const PlainBits &wanted) const {
  const std::byte *now = value();
  if (now == nullptr || byteAt(now + kTagInValue) != wanted.tag) {
    return false;
  }
  const bool isTagAlone = wanted.tag == kNilTag || wanted.tag == kFalseTag || wanted.tag == kTrueTag;
  return isTagAlone || loaded<std::uint64_t>(now) == wanted.bits;
}

std::optional<PlainBits> VariableSlot::read() const {
  const std::byte *now = value();
  if (now == nullptr) {
    return std::nullopt;
  }
  switch (const std::uint8_t tag = byteAt(now + kTagInValue)) {
  case kNilTag:
  case kFalseTag:
  case kTrueTag:
    return PlainBits{0, tag};
  case kIntegerTag:
  case kFloatTag:
  case kShortStringTag:
  case kLongStringTag:
    return PlainBits{loaded<std::uint64_t>(now), tag};
  default:
    return std::nullopt;
  }
}

bool VariableSlot::isReadable(lua_State *lua) {
  constexpr lua_Integer kProbe = 0x5C0FE0DDBA11;
  const PlainBits probe{std::bit_cast<std::uint64_t>(kProbe), kIntegerTag};
  luaL_checkstack(lua, 4, "tracing");
  // A loaded chunk has one upvalue, which holds its own value.
  if (luaL_loadstring(lua, "") != LUA_OK) {
    lua_pop(lua, 1);
    return false;
  }
  const auto *upvalue = static_cast<const std::byte *>(lua_upvalueid(lua, -1, 1));
  lua_pushinteger(lua, kProbe);
  lua_setupvalue(lua, -2, 1);
  // This reads nothing outside the upvalue, whatever its layout is. Tables are looked at only where that is right.
  bool isReadable = upvalue != nullptr && pointerAt(upvalue + kPointerInUpvalue) == upvalue + kValueInUpvalue &&
                    loaded<std::uint64_t>(upvalue + kValueInUpvalue) == probe.bits && VariableSlot(upvalue, {}).read() == probe;
  if (isReadable) {
    lua_createtable(lua, 0, 1);
    lua_pushliteral(lua, "probe");
    const void *key = lua_topointer(lua, -1);
    lua_pushinteger(lua, kProbe);
    lua_rawset(lua, -3);
    const void *table = lua_topointer(lua, -1);
    lua_setupvalue(lua, -2, 1);
    isReadable = pointerAt(upvalue + kValueInUpvalue) == table && byteAt(upvalue + kValueInUpvalue + kTagInValue) == kTableTag &&
                 byteAt(static_cast<const std::byte *>(table) + kLogOfSizeInTable) == 0 &&
                 VariableSlot(upvalue, {key}).read() == probe;
  }
  lua_pop(lua, 1);
  return isReadable;
}

} // namespace jitscope::script
