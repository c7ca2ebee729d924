// SPDX-License-Identifier: GPL-3.0-or-later
// pcall, xpcall and coroutines as Lua has them, except for errors that end the script: those pass through. Such an error is raised
// where Lua no longer looks at limits (in a hook) until it is caught, so no code of the script may run on its way.
#include "script/sandbox/sandbox_protected.h"

#include "script/lua/finally.h"
#include "script/lua/lua_error.h"
#include "script/script_context.h"

#include <array>
#include <optional>

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

/// The script's own message handler, upvalue 1, for all errors but the final ones.
int handleByScript(lua_State *lua) {
  if (!contextOf(lua).errors.finalMessage()) {
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, 1, 1);
  }
  return 1;
}

int protectedCallWithHandler(lua_State *lua) {
  const int count = lua_gettop(lua);
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_pushvalue(lua, 2);
  lua_pushcclosure(lua, guarded<handleByScript>, 1);
  lua_replace(lua, 2);
  lua_pushboolean(lua, 1);
  lua_pushvalue(lua, 1);
  lua_rotate(lua, 3, 2); // function, handler, true, function, arguments
  return finishProtected(lua, lua_pcallk(lua, count - 2, LUA_MULTRET, 2, 2, finishProtected), 2);
}

lua_State *coroutineAt(lua_State *lua, int index) {
  lua_State *coroutine = lua_tothread(lua, index);
  luaL_argexpected(lua, coroutine != nullptr, index, "coroutine");
  return coroutine;
}

/// Resumes with the `count` values on top of the stack. Gives the number of results, or nothing and the error's value on the stack.
/// While it runs the coroutine is the thread whose line counts.
std::optional<int> resumeWith(lua_State *lua, lua_State *coroutine, int count) {
  if (lua_checkstack(coroutine, count + 1) == 0) {
    lua_pushliteral(lua, "too many arguments to resume");
    return std::nullopt;
  }
  lua_xmove(lua, coroutine, count);
  int status = LUA_OK;
  int resultCount = 0;
  {
    CountingAllocator &allocator = contextOf(lua).allocator;
    lua_State *const outer = allocator.running();
    allocator.setRunning(coroutine);
    const Finally leave([&] { allocator.setRunning(outer); });
    status = lua_resume(coroutine, lua, count, &resultCount);
  }
  if (status != LUA_OK && status != LUA_YIELD) {
    raiseAgainIfFinal(lua, status);
    lua_xmove(coroutine, lua, 1);
    return std::nullopt;
  }
  if (lua_checkstack(lua, resultCount + 1) == 0) {
    lua_pop(coroutine, resultCount);
    lua_pushliteral(lua, "too many results to resume");
    return std::nullopt;
  }
  lua_xmove(coroutine, lua, resultCount);
  return resultCount;
}

int resume(lua_State *lua) {
  lua_State *coroutine = coroutineAt(lua, 1);
  const std::optional<int> resultCount = resumeWith(lua, coroutine, lua_gettop(lua) - 1);
  lua_pushboolean(lua, resultCount ? 1 : 0);
  lua_insert(lua, -(resultCount.value_or(1) + 1));
  return resultCount.value_or(1) + 1;
}

/// What `coroutine.wrap` gives; upvalue 1 is the coroutine.
int callWrapped(lua_State *lua) {
  lua_State *coroutine = lua_tothread(lua, lua_upvalueindex(1));
  if (const std::optional<int> resultCount = resumeWith(lua, coroutine, lua_gettop(lua))) {
    return *resultCount;
  }
  if (const int status = lua_status(coroutine); status != LUA_OK && status != LUA_YIELD) {
    lua_resetthread(coroutine); // closes its variables, as Lua's own wrap does
    lua_settop(coroutine, 0);
    raiseAgainIfFinal(lua, LUA_OK);
  }
  lua_error(lua);
  return 0;
}

int wrap(lua_State *lua) {
  luaL_checktype(lua, 1, LUA_TFUNCTION);
  lua_State *coroutine = lua_newthread(lua);
  lua_pushvalue(lua, 1);
  lua_xmove(lua, coroutine, 1);
  lua_pushcclosure(lua, guarded<callWrapped>, 1);
  return 1;
}

/// Upvalue 1 is Lua's own function.
int close(lua_State *lua) {
  raiseAgainIfFinal(lua, LUA_OK);
  const int resultCount = lua_tocfunction(lua, lua_upvalueindex(1))(lua);
  raiseAgainIfFinal(lua, LUA_OK);
  return resultCount;
}

} // namespace

void addProtectedCalls(lua_State *lua) {
  constexpr auto kFunctions =
      std::to_array<luaL_Reg>({{"pcall", guarded<protectedCall>}, {"xpcall", guarded<protectedCallWithHandler>}});
  for (const luaL_Reg &function : kFunctions) {
    lua_pushcfunction(lua, function.func);
    lua_setglobal(lua, function.name);
  }
  constexpr auto kCoroutineFunctions = std::to_array<luaL_Reg>({{"resume", guarded<resume>}, {"wrap", guarded<wrap>}});
  lua_getglobal(lua, LUA_COLIBNAME);
  for (const luaL_Reg &function : kCoroutineFunctions) {
    lua_pushcfunction(lua, function.func);
    lua_setfield(lua, -2, function.name);
  }
  lua_getfield(lua, -1, "close");
  lua_pushcclosure(lua, guarded<close>, 1);
  lua_setfield(lua, -2, "close");
  lua_pop(lua, 1);
}

} // namespace jitscope::script
