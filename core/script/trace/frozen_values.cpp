// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/frozen_values.h"
#include "script/lua/lua_error.h"
#include "script/script_context.h"
#include "script/trace/outside_accesses.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lua.hpp>

namespace jitscope::script {

namespace {

/// Functions further away than this many others are not looked into.
constexpr int kMaxFunctions = 64;
/// Longer texts are cut in messages.
constexpr std::size_t kShownBytes = 40;

std::optional<PlainValue> plainValueAt(lua_State *lua, int index) {
  switch (lua_type(lua, index)) {
  case LUA_TNIL:
    return PlainValue();
  case LUA_TBOOLEAN:
    return PlainValue(lua_toboolean(lua, index) != 0);
  case LUA_TNUMBER:
    return lua_isinteger(lua, index) != 0 ? graph::Number(std::int64_t{lua_tointeger(lua, index)})
                                          : graph::Number(lua_tonumber(lua, index));
  case LUA_TSTRING: {
    std::size_t length = 0;
    const char *text = lua_tolstring(lua, index, &length);
    return PlainValue(std::string(text, length));
  }
  default:
    return std::nullopt;
  }
}

bool isNotPlain(int type) { return type > LUA_TSTRING || type == LUA_TLIGHTUSERDATA; }

/// Whether the value on top, which is plain, is `value` as a trace would see it: 1 and 1.0 differ, a NaN equals itself. Each call
/// of Lua counts here: it is a part of every hit.
bool isSameAsTop(lua_State *lua, int type, const PlainValue &value) {
  switch (type) {
  case LUA_TNUMBER: {
    const auto *number = std::get_if<graph::Number>(&value);
    if (number == nullptr) {
      return false;
    }
    if (lua_isinteger(lua, -1) != 0) {
      const auto *whole = std::get_if<std::int64_t>(number);
      return whole != nullptr && lua_tointeger(lua, -1) == *whole;
    }
    const auto *fraction = std::get_if<double>(number);
    return fraction != nullptr && std::bit_cast<std::uint64_t>(lua_tonumber(lua, -1)) == std::bit_cast<std::uint64_t>(*fraction);
  }
  case LUA_TSTRING: {
    const auto *text = std::get_if<std::string>(&value);
    std::size_t length = 0;
    const char *now = lua_tolstring(lua, -1, &length);
    return text != nullptr && std::string_view(now, length) == *text;
  }
  case LUA_TBOOLEAN: {
    const auto *truth = std::get_if<bool>(&value);
    return truth != nullptr && (lua_toboolean(lua, -1) != 0) == *truth;
  }
  default:
    return std::holds_alternative<std::monostate>(value);
  }
}

std::string textOfPlain(const PlainValue &value) {
  struct Writer {
    std::string operator()(std::monostate) const { return "nil"; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(const graph::Number &value) const { return graph::textOf(value); }
    std::string operator()(const std::string &value) const {
      return value.size() > kShownBytes ? quotedText(std::string_view(value).substr(0, kShownBytes)) + "..." : quotedText(value);
    }
  };
  return std::visit(Writer{}, value);
}

} // namespace

/// Goes from a function to those that it reaches, and collects what they read.
class OutsideReadsFinder {
public:
  OutsideReadsFinder(lua_State *lua, OutsideReads &reads) : m_lua(lua), m_thread(reads.m_thread), m_reads(reads) {}

  void find(int index) {
    moveToSlot(index);
    for (int slot = 1; slot <= m_functions; ++slot) {
      const std::vector<OutsideAccess> accesses = accessesOf(slot);
      for (const OutsideAccess &access : accesses) {
        if (access.isWrite) {
          m_written.insert(identityOf(slot, access));
        } else if (m_seen.insert(identityOf(slot, access)).second) {
          m_found.push_back({slot, access});
        }
      }
      for (; m_resolved < m_found.size(); ++m_resolved) {
        resolve(m_found[m_resolved]);
      }
    }
    layOut();
  }

private:
  /// Which variable it is, whoever reads it: upvalues are shared by functions.
  using Identity = std::pair<const void *, std::vector<std::string>>;
  struct Found {
    int function;
    OutsideAccess access;
    int callee = 0;
  };

  /// Room is asked for on the state that runs protected, as far as that goes; a full stack raises there.
  void reserve(int count) {
    if (lua_checkstack(m_thread, count) == 0) {
      raise(m_lua, base::ErrorCode::ScriptLimit, "out of memory while noting what a traced function reads");
    }
    luaL_checkstack(m_lua, count, "tracing");
  }

  void moveToSlot(int index) {
    reserve(8);
    lua_pushvalue(m_lua, index);
    lua_xmove(m_lua, m_thread, 1);
    ++m_functions;
  }

  std::vector<OutsideAccess> accessesOf(int slot) {
    reserve(8);
    lua_pushvalue(m_thread, slot);
    lua_xmove(m_thread, m_lua, 1);
    std::vector<OutsideAccess> accesses = outsideAccessesOf(m_lua, -1);
    lua_pop(m_lua, 1);
    return accesses;
  }

  [[nodiscard]] Identity identityOf(int slot, const OutsideAccess &access) const {
    return {lua_upvalueid(m_thread, slot, access.upvalue), access.path};
  }

  /// What is read may be a Lua function: then it is looked into as well.
  void resolve(Found &found) {
    reserve(8);
    if (lua_getupvalue(m_thread, found.function, found.access.upvalue) == nullptr) {
      return;
    }
    lua_xmove(m_thread, m_lua, 1);
    for (const std::string &name : found.access.path) {
      if (!lua_istable(m_lua, -1)) {
        break;
      }
      lua_pushlstring(m_lua, name.data(), name.size());
      lua_rawget(m_lua, -2);
      lua_replace(m_lua, -2);
    }
    if (lua_isfunction(m_lua, -1) && lua_iscfunction(m_lua, -1) == 0) {
      found.callee = slotOf();
    }
    lua_pop(m_lua, 1);
  }

  /// The slot of the function on top of the stack, new or known; 0 when there are too many.
  int slotOf() {
    for (int slot = 1; slot <= m_functions; ++slot) {
      if (lua_topointer(m_thread, slot) == lua_topointer(m_lua, -1)) {
        return slot;
      }
    }
    if (m_functions == kMaxFunctions) {
      return 0;
    }
    moveToSlot(lua_gettop(m_lua));
    return m_functions;
  }

  /// Puts the names of fields into slots and makes the list.
  void layOut() {
    for (const Found &found : m_found) {
      if (m_written.contains(identityOf(found.function, found.access))) {
        continue;
      }
      OutsideReads::Read read{found.function, found.access.upvalue, {}, found.callee, {}};
      const char *upvalue = lua_getupvalue(m_thread, found.function, found.access.upvalue);
      lua_pop(m_thread, upvalue != nullptr ? 1 : 0);
      const bool isGlobal = upvalue != nullptr && std::string_view(upvalue) == "_ENV";
      const std::string path = fmt::format("{}", fmt::join(found.access.path, "."));
      read.name = isGlobal ? path : fmt::format("{}{}{}", upvalue == nullptr ? "?" : upvalue, path.empty() ? "" : ".", path);
      for (const std::string &name : found.access.path) {
        reserve(8);
        lua_pushlstring(m_lua, name.data(), name.size());
        lua_xmove(m_lua, m_thread, 1);
        read.keys.push_back(lua_gettop(m_thread));
      }
      m_reads.m_reads.push_back(std::move(read));
    }
    std::size_t depth = 0;
    for (const OutsideReads::Read &read : m_reads.m_reads) {
      depth = std::max(depth, read.keys.size());
    }
    reserve(static_cast<int>(depth) + 8); // for those who read
    m_reads.m_top = lua_gettop(m_thread);
  }

  lua_State *m_lua;
  lua_State *m_thread;
  OutsideReads &m_reads;
  int m_functions = 0; ///< in the slots 1 ...
  std::vector<Found> m_found;
  std::size_t m_resolved = 0;
  std::set<Identity> m_seen;
  std::set<Identity> m_written;
};

std::shared_ptr<const OutsideReads> OutsideReads::of(lua_State *lua, int index) {
  const int body = lua_absindex(lua, index);
  luaL_checkstack(lua, 4, "tracing");
  const std::shared_ptr<OutsideReads> reads(new OutsideReads);
  reads->m_references = contextOf(lua).staticReferences;
  reads->m_thread = lua_newthread(lua);
  reads->m_reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  OutsideReadsFinder(lua, *reads).find(body);
  return reads;
}

OutsideReads::~OutsideReads() {
  if (m_reference != 0) {
    m_references->drop(m_reference);
  }
}

/// Pushes its value now onto the thread's stack, perhaps above tables on the way to it; gives its type. Allocates nothing, and so
/// raises nothing. `m_top` is where the stack goes back to.
int OutsideReads::push(const Read &read) const {
  if (lua_getupvalue(m_thread, read.function, read.upvalue) == nullptr) {
    lua_pushnil(m_thread);
  }
  int type = lua_type(m_thread, -1);
  for (const int key : read.keys) {
    if (type != LUA_TTABLE) {
      lua_pushnil(m_thread);
      return LUA_TNIL;
    }
    lua_pushvalue(m_thread, key);
    type = lua_rawget(m_thread, -2);
  }
  return type;
}

bool OutsideReads::isCurrent() const {
  return std::ranges::all_of(m_reads, [this](const Read &read) {
    const bool isLuaFunction = push(read) == LUA_TFUNCTION && lua_iscfunction(m_thread, -1) == 0;
    const bool isSame = read.callee != 0 ? lua_rawequal(m_thread, -1, read.callee) != 0 : !isLuaFunction;
    lua_settop(m_thread, m_top);
    return isSame;
  });
}

OutsideReads::Values OutsideReads::values() const {
  Values values;
  for (std::uint32_t place = 0; place < m_reads.size(); ++place) {
    push(m_reads[place]);
    if (std::optional<PlainValue> value = plainValueAt(m_thread, -1)) {
      values.emplace_back(place, std::move(*value));
    }
    lua_settop(m_thread, m_top);
  }
  return values;
}

bool OutsideReads::stillHas(std::uint32_t place, const PlainValue &value) const {
  const int type = push(m_reads[place]);
  const bool isSame = isNotPlain(type) || isSameAsTop(m_thread, type, value);
  lua_settop(m_thread, m_top);
  return isSame;
}

PlainValue OutsideReads::valueOf(std::uint32_t place) const {
  push(m_reads[place]);
  std::optional<PlainValue> value = plainValueAt(m_thread, -1);
  lua_settop(m_thread, m_top);
  return value.value_or(PlainValue());
}

std::shared_ptr<const LuaFrozenValues> LuaFrozenValues::join(Part own,
                                                             const std::vector<std::shared_ptr<const FrozenValues>> &callees) {
  const auto joined = std::make_shared<LuaFrozenValues>();
  joined->m_function = own.function;
  if (!own.values.empty()) {
    joined->m_parts.push_back(std::make_shared<const Part>(std::move(own)));
  }
  std::set<const Part *> known;
  for (const std::shared_ptr<const FrozenValues> &callee : callees) {
    if (const auto *values = dynamic_cast<const LuaFrozenValues *>(callee.get())) {
      for (const std::shared_ptr<const Part> &part : values->m_parts) {
        if (known.insert(part.get()).second) {
          joined->m_parts.push_back(part);
        }
      }
    }
  }
  return joined->m_parts.empty() ? nullptr : joined;
}

bool LuaFrozenValues::hasChanged() const {
  return std::ranges::any_of(m_parts, [](const std::shared_ptr<const Part> &part) {
    return std::ranges::any_of(part->values, [&](const auto &entry) { return !part->reads->stillHas(entry.first, entry.second); });
  });
}

template <typename Visit> void LuaFrozenValues::visitChanged(Visit visit) const {
  std::set<std::string> told;
  for (const std::shared_ptr<const Part> &part : m_parts) {
    for (const auto &[place, value] : part->values) {
      if (!part->reads->stillHas(place, value) && told.insert(part->reads->nameOf(place)).second) {
        visit(*part, place, value);
      }
    }
  }
}

std::string LuaFrozenValues::changes() const {
  std::vector<std::string> texts;
  visitChanged([&](const Part &part, std::uint32_t place, const PlainValue &value) {
    texts.push_back(fmt::format("{} = {} (now {}{})", part.reads->nameOf(place), textOfPlain(value),
                                textOfPlain(part.reads->valueOf(place)),
                                part.function == m_function ? "" : fmt::format("; read by {}", part.function)));
  });
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string LuaFrozenValues::changedNames() const {
  std::vector<std::string> names;
  visitChanged(
      [&](const Part &part, std::uint32_t place, const PlainValue & /*value*/) { names.push_back(part.reads->nameOf(place)); });
  return fmt::format("{}", fmt::join(names, " and "));
}

void warnOfFrozenValues(lua_State *lua, base::FunctionId function, const FrozenValues *frozen) {
  const auto *values = static_cast<const LuaFrozenValues *>(frozen); // the script alone makes them
  if (values == nullptr || !values->hasChanged()) {
    return;
  }
  ScriptContext &context = contextOf(lua);
  if (!context.warnedOfFrozen.insert(function).second) {
    return;
  }
  context.host.log(event::LogLevel::Warning,
                   fmt::format("{}{} still computes with {}: a trace freezes the numbers, strings and booleans that the function "
                               "reads from outside; pass {} as an argument",
                               placeOf(lua), values->function(), values->changes(), values->changedNames()));
}

} // namespace jitscope::script
