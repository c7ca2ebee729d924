// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/lua/table_argument.h"

#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/near_name.h"

#include <algorithm>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

namespace {

/// "a, b and c".
std::string namesOf(std::span<const std::string_view> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

} // namespace

TableArgument::TableArgument(lua_State *lua, int index, const char *function, const char *example)
    : m_lua(lua), m_table(lua_absindex(lua, index)), m_function(function) {
  if (!lua_istable(lua, m_table)) {
    refuse(fmt::format("expected a table such as {}, not {}", example, describeValue(lua, m_table)));
  }
  luaL_checkstack(lua, 16, function);
}

void TableArgument::refuse(const std::string &problem) const {
  raise(m_lua, base::ErrorCode::ScriptArgument, fmt::format("{}: {}", m_function, problem));
}

std::int64_t TableArgument::size() const { return static_cast<std::int64_t>(lua_rawlen(m_lua, m_table)); }

void TableArgument::checkFields(std::span<const std::string_view> fields, const char *holeProblem) const {
  lua_pushnil(m_lua);
  while (lua_next(m_lua, m_table) != 0) {
    lua_pop(m_lua, 1);
    if (lua_type(m_lua, -1) == LUA_TSTRING) {
      const std::string_view name = lua_tostring(m_lua, -1);
      if (std::ranges::find(fields, name) == fields.end()) {
        refuse(fmt::format("there is no field \"{}\"; {} {}{}", name, fields.size() == 1 ? "there is only" : "there are",
                           namesOf(fields), suggestionFor(name, fields)));
      }
    } else if (lua_isinteger(m_lua, -1) == 0 || lua_tointeger(m_lua, -1) < 1 || lua_tointeger(m_lua, -1) > size()) {
      refuse(holeProblem);
    }
  }
}

bool TableArgument::pushField(const char *name) const {
  lua_pushstring(m_lua, name);
  if (lua_rawget(m_lua, m_table) != LUA_TNIL) {
    return true;
  }
  lua_pop(m_lua, 1);
  return false;
}

std::string TableArgument::text(const char *name) const {
  if (!pushField(name)) {
    return "";
  }
  std::string value = stringAt(m_lua, -1, m_function, name);
  lua_pop(m_lua, 1);
  if (value.empty()) {
    refuse(fmt::format("{} is empty", name));
  }
  return value;
}

} // namespace jitscope::script
