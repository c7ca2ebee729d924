// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <new>
#include <utility>

#include <lua.hpp>

/// C++ values inside Lua. For .cpp files of this module only: it brings lua.h.
namespace jitscope::script {

/// Pushes the metatable that is registered under the address `key`.
inline void pushMetatable(lua_State *lua, const void *key) { lua_rawgetp(lua, LUA_REGISTRYINDEX, key); }

/// Pushes a userdata that holds `value`. From the first moment on Lua destroys it: nothing between may raise.
template <typename T> void pushUserdata(lua_State *lua, const void *key, T value) {
  new (lua_newuserdatauv(lua, sizeof(T), 0)) T(std::move(value));
  pushMetatable(lua, key);
  lua_setmetatable(lua, -2);
}

/// The `T` at `index`, or null when the value is of another type.
template <typename T> T *asUserdata(lua_State *lua, int index, const void *key) {
  if (lua_type(lua, index) != LUA_TUSERDATA || lua_getmetatable(lua, index) == 0) {
    return nullptr;
  }
  pushMetatable(lua, key);
  const bool isSame = lua_rawequal(lua, -1, -2) != 0;
  lua_pop(lua, 2);
  return isSame ? static_cast<T *>(lua_touserdata(lua, index)) : nullptr;
}

template <typename T> int destroyUserdata(lua_State *lua) {
  static_cast<T *>(lua_touserdata(lua, 1))->~T();
  return 0;
}

/// Registers a metatable under `key` and leaves it on the stack. Scripts cannot reach it.
template <typename T> void createMetatable(lua_State *lua, const void *key, const char *typeName) {
  lua_createtable(lua, 0, 24);
  lua_pushstring(lua, typeName);
  lua_setfield(lua, -2, "__name");
  lua_pushstring(lua, typeName);
  lua_setfield(lua, -2, "__metatable");
  lua_pushcfunction(lua, destroyUserdata<T>);
  lua_setfield(lua, -2, "__gc");
  lua_pushvalue(lua, -1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, key);
}

} // namespace jitscope::script
