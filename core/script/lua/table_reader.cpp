// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/lua/table_reader.h"
#include "script/lua/lua_error.h"

#include <algorithm>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

class Reader {
public:
  explicit Reader(lua_State *lua) : m_lua(lua) {}

  TableContents read(int index) {
    findShape(index);
    // A row of zero elements makes the whole tensor empty.
    readLevel(index, 0);
    return std::move(m_contents);
  }

private:
  /// The shape is that of the first entries; all others must agree.
  void findShape(int index) {
    luaL_checkstack(m_lua, static_cast<int>(graph::kMaxRank) + 4, "tensor");
    const int top = lua_gettop(m_lua);
    lua_pushvalue(m_lua, index);
    while (lua_istable(m_lua, -1)) {
      if (m_contents.shape.rank() == graph::kMaxRank) {
        raise(m_lua, ErrorCode::ScriptArgument, fmt::format("tensor: tables are nested more than {} deep", graph::kMaxRank));
      }
      m_contents.shape.append(static_cast<std::int64_t>(lua_rawlen(m_lua, -1)));
      lua_rawgeti(m_lua, -1, 1);
      if (lua_isnil(m_lua, -1)) {
        break; // an empty table ends the shape
      }
    }
    lua_settop(m_lua, top);
  }

  void readLevel(int index, std::size_t level) {
    const int value = lua_absindex(m_lua, index);
    if (level == m_contents.shape.rank()) {
      readElement(value);
      return;
    }
    if (!lua_istable(m_lua, value)) {
      raise(m_lua, ErrorCode::ScriptArgument,
            fmt::format("tensor: {} stands where a table of {} entries belongs", describeValue(m_lua, value),
                        m_contents.shape[level]));
    }
    const auto count = static_cast<std::int64_t>(lua_rawlen(m_lua, value));
    if (count != m_contents.shape[level]) {
      raise(m_lua, ErrorCode::ScriptArgument,
            fmt::format("tensor: rows differ in length on axis {}: {} and {} entries", level, m_contents.shape[level], count));
    }
    for (std::int64_t i = 1; i <= count; ++i) {
      lua_rawgeti(m_lua, value, i);
      readLevel(-1, level + 1);
      lua_pop(m_lua, 1);
    }
  }

  void readElement(int index) {
    if (lua_isinteger(m_lua, index) != 0) {
      m_contents.elements.emplace_back(std::in_place_type<std::int64_t>, lua_tointeger(m_lua, index));
    } else if (lua_type(m_lua, index) == LUA_TNUMBER) {
      m_contents.elements.emplace_back(lua_tonumber(m_lua, index));
    } else if (lua_isboolean(m_lua, index)) {
      m_contents.elements.emplace_back(lua_toboolean(m_lua, index) != 0);
    } else if (lua_istable(m_lua, index)) {
      raise(m_lua, ErrorCode::ScriptArgument, "tensor: expected a number, not a table; rows must be nested equally deep");
    } else {
      raise(m_lua, ErrorCode::ScriptArgument,
            fmt::format("tensor: elements must be numbers or booleans, not {}", describeValue(m_lua, index)));
    }
  }

  lua_State *m_lua;
  TableContents m_contents;
};

} // namespace

graph::DType TableContents::naturalDType() const {
  const auto holds = [&]<typename T>() {
    return std::ranges::any_of(elements, [](const Element &element) { return std::holds_alternative<T>(element); });
  };
  if (elements.empty() || holds.operator()<double>()) {
    return graph::DType::F32;
  }
  return holds.operator()<std::int64_t>() ? graph::DType::S64 : graph::DType::Pred;
}

TableContents readTable(lua_State *lua, int index) { return Reader(lua).read(index); }

} // namespace jitscope::script
