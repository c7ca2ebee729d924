// SPDX-License-Identifier: GPL-3.0-or-later
// pcall, xpcall and coroutine.resume as Lua has them, but for errors that end the script: those pass through.
#include "script/finally.h"
#include "script/lua_error.h"
#include "script/sandbox.h"
#include "script/script_context.h"

#include <array>

#include <lua.hpp>

namespace jitscope::script {

namespace {

/// Ends a protected call, whether or not it yielded in between; `extra` values below its results are not returned.
int finishProtected(lua_State *lua, int status, lua_KContext extra) {
  if (status != LUA_OK && status != LUA_YIELD) {
    guard(lua, [lua, status] { raiseAgainIfFinal(lua, status); });
    lua_pushboolean(lua, 0);
    lua_pushvalue(lua, -2);
    return 2;
  }
  return lua_gettop(lua) - static_cast<int>(extra);
}

int protectedCall(lua_State *lua) {
  luaL_checkany(lua, 1);
  lua_pushboolean(lua, 1); // the first result when all goes well
  lua_insert(lua, 1);
  return finishProtected(lua, lua_pcallk(lua, lua_gettop(lua) - 2, LUA_MULTRET, 0, 0, finishProtected), 0);
}

int protectedCallWithHandler(lua_State *lua) {
  const int count = lua_gettop(lua);
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_pushboolean(lua, 1);
  lua_pushvalue(lua, 1);
  lua_rotate(lua, 3, 2); // function, handler, true, function, arguments
  return finishProtected(lua, lua_pcallk(lua, count - 2, LUA_MULTRET, 2, 2, finishProtected), 2);
}

/// Upvalue 1 is Lua's own function. While it runs the coroutine is the thread whose line counts.
int resume(lua_State *lua) {
  CountingAllocator &allocator = contextOf(lua).allocator;
  lua_State *coroutine = lua_tothread(lua, 1);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  {
    lua_State *const outer = allocator.running();
    allocator.setRunning(coroutine != nullptr ? coroutine : outer);
    const Finally leave([&] { allocator.setRunning(outer); });
    lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
  }
  const int status = coroutine != nullptr ? lua_status(coroutine) : LUA_OK;
  raiseAgainIfFinal(lua, status == LUA_YIELD ? LUA_OK : status);
  return lua_gettop(lua);
}

} // namespace

void addProtectedCalls(lua_State *lua) {
  constexpr auto kFunctions = std::to_array<luaL_Reg>({{"pcall", guarded<protectedCall>}, {"xpcall", guarded<protectedCallWithHandler>}});
  for (const luaL_Reg &function : kFunctions) {
    lua_pushcfunction(lua, function.func);
    lua_setglobal(lua, function.name);
  }
  lua_getglobal(lua, LUA_COLIBNAME);
  lua_getfield(lua, -1, "resume");
  lua_pushcclosure(lua, guarded<resume>, 1);
  lua_setfield(lua, -2, "resume");
  lua_pop(lua, 1);
}

} // namespace jitscope::script
