// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/bindings/bindings.h"
#include "script/tensor/lua_tensor.h"

#include <lua.hpp>

namespace jitscope::script {

void addBindings(lua_State *lua, std::span<const Binding> bindings) {
  pushTensorMetatable(lua);
  lua_pushliteral(lua, "methods");
  if (lua_rawget(lua, -2) != LUA_TTABLE) {
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_pushvalue(lua, -1);
    lua_setfield(lua, -3, "methods");
  }
  for (const Binding &binding : bindings) {
    if (binding.isGlobal) {
      lua_pushcfunction(lua, binding.function);
      lua_setglobal(lua, binding.name);
    }
    if (binding.isMethod) {
      lua_pushcfunction(lua, binding.function);
      lua_setfield(lua, -2, binding.name);
    }
  }
  lua_pop(lua, 2);
}

} // namespace jitscope::script
