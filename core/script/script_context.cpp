// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/script_context.h"

#include <cstring>

#include <lua.hpp>

namespace jitscope::script {

// Lua keeps room for one pointer before every thread and copies the main thread's into each new one.

ScriptContext &contextOf(lua_State *lua) {
  ScriptContext *context = nullptr;
  std::memcpy(static_cast<void *>(&context), lua_getextraspace(lua), sizeof(ScriptContext *));
  return *context;
}

void setContext(lua_State *lua, ScriptContext &context) {
  ScriptContext *pointer = &context;
  std::memcpy(lua_getextraspace(lua), static_cast<const void *>(&pointer), sizeof(ScriptContext *));
}

} // namespace jitscope::script
