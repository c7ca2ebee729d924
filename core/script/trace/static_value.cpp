// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/static_value.h"
#include "script/lua/lua_error.h"
#include "script/lua/lua_function.h"
#include "script/script_context.h"
#include "script/tensor/lua_tensor.h"
#include "script/trace/script_function.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

/// More than this is data and belongs into a tensor: each call would spell it out again.
constexpr std::size_t kMaxTextBytes = 65536;
constexpr std::size_t kMaxDepth = 100;

class LuaValueHandle final : public StaticHandle {
public:
  LuaValueHandle(std::shared_ptr<StaticReferences> references, int reference)
      : m_references(std::move(references)), m_reference(reference) {}
  ~LuaValueHandle() override { m_references->drop(m_reference); }
  LuaValueHandle(const LuaValueHandle &) = delete;
  LuaValueHandle &operator=(const LuaValueHandle &) = delete;

  [[nodiscard]] int reference() const { return m_reference; }

private:
  std::shared_ptr<StaticReferences> m_references;
  int m_reference;
};

/// Writes one value; tables go down through it again.
class CanonicalWriter {
public:
  CanonicalWriter(lua_State *lua, const ValueName &name) : m_lua(lua), m_name(name) {}

  void write(int index) {
    checkLength(m_text.size());
    if (const ScriptFunction *function = asFunction(m_lua, index)) {
      // Two functions may share a name, never a number.
      m_text += fmt::format("fn {}#{}", function->name(), function->id().value);
      return;
    }
    switch (lua_type(m_lua, index)) {
    case LUA_TNIL:
      m_text += "nil";
      return;
    case LUA_TBOOLEAN:
      m_text += lua_toboolean(m_lua, index) != 0 ? "true" : "false";
      return;
    case LUA_TNUMBER:
      m_text += numberText(index);
      return;
    case LUA_TSTRING:
      checkLength(stringAt(index).size());
      m_text += quotedText(stringAt(index));
      return;
    case LUA_TTABLE:
      writeTable(lua_absindex(m_lua, index));
      return;
    default:
      break;
    }
    if (asTensor(m_lua, index) != nullptr) {
      refuse("contains a tensor; pass it as an argument of its own");
    }
    refuse(fmt::format("{} {}, which cannot be part of a template{}", m_path.empty() ? "is" : "contains",
                       describeValue(m_lua, index), lua_isfunction(m_lua, index) ? "; make it a function with fn" : ""));
  }

  std::string take() { return std::move(m_text); }

private:
  [[noreturn]] void refuse(const std::string &problem) {
    raise(m_lua, ErrorCode::ScriptArgument, fmt::format("{} {}", m_name.text(), problem));
  }

  void checkLength(std::size_t bytes) {
    if (bytes > kMaxTextBytes) {
      refuse(fmt::format("is longer than {} bytes as text; pass data as a tensor", kMaxTextBytes));
    }
  }

  [[nodiscard]] std::string_view stringAt(int index) const {
    std::size_t length = 0;
    const char *text = lua_tolstring(m_lua, index, &length);
    return {text, length};
  }

  [[nodiscard]] std::string numberText(int index) const {
    if (lua_isinteger(m_lua, index) != 0) {
      return graph::textOf(static_cast<std::int64_t>(lua_tointeger(m_lua, index)));
    }
    return graph::textOf(lua_tonumber(m_lua, index)); // 1.0 and 1 trace differently, so they read differently
  }

  static bool isIdentifier(std::string_view text) {
    const auto isLetter = [](char byte) { return byte == '_' || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); };
    const auto isDigit = [](char byte) { return byte >= '0' && byte <= '9'; };
    return !text.empty() && isLetter(text.front()) &&
           std::ranges::all_of(text, [&](char byte) { return isLetter(byte) || isDigit(byte); });
  }

  std::string keyText(int index) {
    switch (lua_type(m_lua, index)) {
    case LUA_TSTRING:
      return isIdentifier(stringAt(index)) ? std::string(stringAt(index)) : fmt::format("[{}]", quotedText(stringAt(index)));
    case LUA_TNUMBER:
      return fmt::format("[{}]", numberText(index));
    case LUA_TBOOLEAN:
      return lua_toboolean(m_lua, index) != 0 ? "[true]" : "[false]";
    default:
      refuse(fmt::format("has {} as a key, which cannot be part of a template", describeValue(m_lua, index)));
    }
  }

  void writeTable(int index) {
    const void *identity = lua_topointer(m_lua, index);
    if (std::ranges::find(m_path, identity) != m_path.end()) {
      refuse("contains itself");
    }
    if (lua_getmetatable(m_lua, index) != 0) {
      refuse("has a metatable; only plain tables can be part of a template");
    }
    if (m_path.size() == kMaxDepth) {
      refuse(fmt::format("is nested more than {} tables deep", kMaxDepth));
    }
    luaL_checkstack(m_lua, 8, "a table argument is nested too deeply");
    m_path.push_back(identity);
    m_text += '{';
    const lua_Unsigned length = lua_rawlen(m_lua, index);
    for (lua_Unsigned position = 1; position <= length; ++position) {
      m_text += position == 1 ? "" : ",";
      lua_rawgeti(m_lua, index, static_cast<lua_Integer>(position));
      write(-1);
      lua_pop(m_lua, 1);
    }
    writeOtherKeys(index, length);
    m_text += '}';
    m_path.pop_back();
  }

  /// All but 1 … length, sorted by their text.
  void writeOtherKeys(int index, lua_Unsigned length) {
    std::vector<std::pair<std::string, std::string>> entries;
    std::string outer = std::exchange(m_text, {});
    lua_pushnil(m_lua);
    while (lua_next(m_lua, index) != 0) {
      const bool isDone = lua_isinteger(m_lua, -2) != 0 && lua_tointeger(m_lua, -2) >= 1 &&
                          static_cast<lua_Unsigned>(lua_tointeger(m_lua, -2)) <= length;
      if (!isDone) {
        std::string key = keyText(-2);
        write(-1);
        entries.emplace_back(std::move(key), std::exchange(m_text, {}));
      }
      lua_pop(m_lua, 1);
    }
    m_text = std::move(outer);
    std::ranges::sort(entries);
    for (const auto &[key, value] : entries) {
      m_text += fmt::format("{}{}={}", m_text.ends_with('{') ? "" : ",", key, value);
    }
    checkLength(m_text.size());
  }

  lua_State *m_lua;
  const ValueName &m_name;
  std::string m_text;
  std::vector<const void *> m_path;
};

} // namespace

std::string quotedText(std::string_view text) {
  std::string result = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') {
      result += '\\';
      result += byte;
    } else if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else {
      result += byte;
    }
  }
  return result + '"';
}

void StaticReferences::drop(int reference) {
  const std::scoped_lock lock(m_mutex);
  m_dropped.push_back(reference);
}

void StaticReferences::releaseDropped(lua_State *lua) {
  const std::scoped_lock lock(m_mutex);
  for (const int reference : m_dropped) {
    luaL_unref(lua, LUA_REGISTRYINDEX, reference);
  }
  m_dropped.clear();
}

StaticArgument makeStaticArgument(lua_State *lua, int index, const ValueName &name) {
  CanonicalWriter writer(lua, name);
  writer.write(index);
  const std::shared_ptr<StaticReferences> &references = contextOf(lua).staticReferences;
  references->releaseDropped(lua);
  lua_pushvalue(lua, index);
  const int reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  return {{writer.take()}, std::make_shared<LuaValueHandle>(references, reference)};
}

void pushStaticValue(lua_State *lua, const StaticArgument &argument) {
  const auto *handle = dynamic_cast<const LuaValueHandle *>(argument.handle.get());
  if (handle == nullptr) {
    raise(lua, ErrorCode::Internal, "a static argument came back without its value");
  }
  lua_rawgeti(lua, LUA_REGISTRYINDEX, handle->reference());
}

} // namespace jitscope::script
