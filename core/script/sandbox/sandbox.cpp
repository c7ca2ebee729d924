// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/sandbox/sandbox.h"

#include "script/lua/lua_error.h"
#include "script/lua/near_name.h"
#include "script/sandbox/sandbox_library.h"
#include "script/sandbox/sandbox_protected.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

struct Refused {
  std::string_view name;
  std::string_view why;
};

constexpr std::string_view kNoReach = "graph scripts cannot reach files, the environment or processes";

constexpr auto kRefused = std::to_array<Refused>({
    {"os", kNoReach},
    {"io", kNoReach},
    {"debug", "graph scripts cannot look into the interpreter"},
    {"require", "a graph script is one file; graph scripts cannot reach others"},
    {"package", "a graph script is one file; graph scripts cannot reach others"},
    {"dofile", kNoReach},
    {"loadfile", kNoReach},
    {"loadstring", "use load, which takes source text"},
    {"warn", "use print"},
    {"unpack", "use table.unpack"},
});

/// `_G.name` for a name that is not set.
int readUndefined(lua_State *lua) {
  if (lua_type(lua, 2) != LUA_TSTRING) {
    lua_pushnil(lua);
    return 1;
  }
  const std::string_view name = lua_tostring(lua, 2);
  if (const auto *refused = std::ranges::find(kRefused, name, &Refused::name); refused != kRefused.end()) {
    raise(lua, ErrorCode::ScriptFailed, fmt::format("{} is not available: {}", name, refused->why));
  }
  std::vector<std::string_view> known;
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    if (lua_type(lua, -2) == LUA_TSTRING) {
      known.emplace_back(lua_tostring(lua, -2));
    }
    lua_pop(lua, 1);
  }
  raise(lua, ErrorCode::ScriptFailed, fmt::format("\"{}\" is not defined{}", name, suggestionFor(name, known)));
}

constexpr auto kLibraries = std::to_array<luaL_Reg>({
    {LUA_GNAME, luaopen_base},
    {LUA_STRLIBNAME, luaopen_string},
    {LUA_TABLIBNAME, luaopen_table},
    {LUA_MATHLIBNAME, luaopen_math},
    {LUA_UTF8LIBNAME, luaopen_utf8},
    {LUA_COLIBNAME, luaopen_coroutine},
});

constexpr std::array kRemoved = {"dofile", "loadfile", "warn"};

} // namespace

void openSandbox(lua_State *lua) {
  for (const luaL_Reg &library : kLibraries) {
    luaL_requiref(lua, library.name, library.func, 1);
    lua_pop(lua, 1);
  }
  for (const char *name : kRemoved) {
    lua_pushnil(lua);
    lua_setglobal(lua, name);
  }
  addProtectedCalls(lua);
  addBoundedLibrary(lua);
}

void guardGlobals(lua_State *lua) {
  lua_pushglobaltable(lua);
  lua_createtable(lua, 0, 2);
  lua_pushcfunction(lua, guarded<readUndefined>);
  lua_setfield(lua, -2, "__index");
  lua_pushliteral(lua, "globals");
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
}

} // namespace jitscope::script
