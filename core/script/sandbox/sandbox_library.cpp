// SPDX-License-Identifier: GPL-3.0-or-later
// Library functions replaced because they would load code that is no text, tell runs apart, or loop inside C, where no limit is
// looked at, for as long as a number in a script says.
#include "script/sandbox/sandbox_library.h"

#include "script/lua/lua_error.h"
#include "script/script_context.h"
#include "script/script_source.h"

#include <array>
#include <string>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

/// So many steps take C well below a second, and no list within the memory limit is longer.
constexpr lua_Integer kMaxSteps = lua_Integer{1} << 27U;
constexpr std::size_t kMaxChunkBytes = std::size_t{16} << 20U;
constexpr lua_Integer kSeed = 42;

/// Goes on as the library's own function, upvalue 1: within the same call, so that its errors name the script's line and the
/// function.
int callOriginal(lua_State *lua) { return lua_tocfunction(lua, lua_upvalueindex(1))(lua); }

/// While it lives, the script is inside a function of Lua's library that may take long.
class LibraryCall {
public:
  LibraryCall(lua_State *lua, const char *name) : m_watchdog(contextOf(lua).watchdog) {
    m_watchdog.enterLibrary(name, currentLine(lua));
  }
  ~LibraryCall() { m_watchdog.leaveLibrary(); }
  LibraryCall(const LibraryCall &) = delete;
  LibraryCall &operator=(const LibraryCall &) = delete;

private:
  Watchdog &m_watchdog;
};

template <const char *name> int callNamed(lua_State *lua) {
  const LibraryCall call(lua, name);
  return callOriginal(lua);
}

constexpr int kIteratorValues = 3; ///< upvalues of the function that Lua's gmatch gives
constexpr char kGmatch[] = "string.gmatch";

int nextMatch(lua_State *lua) {
  const LibraryCall call(lua, kGmatch);
  return lua_tocfunction(lua, lua_upvalueindex(kIteratorValues + 1))(lua);
}

/// Lua's own, but that its iterator says where it is.
int matchAll(lua_State *lua) {
  callOriginal(lua);
  const int iterator = lua_gettop(lua);
  for (int i = 1; i <= kIteratorValues; ++i) {
    if (lua_getupvalue(lua, iterator, i) == nullptr) {
      lua_settop(lua, iterator);
      return 1; // another Lua's
    }
  }
  lua_pushvalue(lua, iterator);
  lua_pushcclosure(lua, guarded<nextMatch>, kIteratorValues + 1);
  return 1;
}

/// The pieces that a reader function gives, until it gives none.
std::string readPieces(lua_State *lua) {
  std::string text;
  for (;;) {
    lua_pushvalue(lua, 1);
    lua_call(lua, 0, 1);
    if (lua_isnil(lua, -1)) {
      lua_pop(lua, 1);
      return text;
    }
    std::size_t length = 0;
    const char *piece = lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &length) : nullptr;
    if (piece == nullptr) {
      raise(lua, ErrorCode::ScriptArgument, "load: the reader function must return strings");
    }
    if (length == 0) {
      lua_pop(lua, 1);
      return text;
    }
    text.append(piece, length);
    lua_pop(lua, 1);
    if (text.size() > kMaxChunkBytes) {
      raise(lua, ErrorCode::ScriptLimit, fmt::format("load: more than {} MiB of source text", kMaxChunkBytes >> 20U));
    }
  }
}

/// `load(chunk, name, mode, env)` for source text only.
int load(lua_State *lua) {
  const bool isString = lua_type(lua, 1) == LUA_TSTRING;
  std::string text;
  if (isString) {
    std::size_t length = 0;
    const char *chunk = lua_tolstring(lua, 1, &length);
    text.assign(chunk, length);
  } else {
    luaL_checktype(lua, 1, LUA_TFUNCTION);
    text = readPieces(lua);
  }
  if (!text.empty() && text.front() == kCompiledLuaMark) {
    raise(lua, ErrorCode::ScriptFailed, "load: this is compiled Lua; a graph script can load source text only");
  }
  const std::string name = luaL_optstring(lua, 2, isString ? lua_tostring(lua, 1) : "=(load)");
  if (luaL_loadbufferx(lua, text.data(), text.size(), name.c_str(), "t") != LUA_OK) {
    lua_pushnil(lua);
    lua_insert(lua, -2);
    return 2;
  }
  if (!lua_isnone(lua, 4)) {
    lua_pushvalue(lua, 4);
    if (lua_setupvalue(lua, -2, 1) == nullptr) {
      lua_pop(lua, 1); // a chunk that reads no global has no environment
    }
  }
  return 1;
}

/// Finalizers run where neither limits nor Ctrl-C reach.
int setMetatable(lua_State *lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_argexpected(lua, lua_isnil(lua, 2) || lua_istable(lua, 2), 2, "nil or table");
  lua_settop(lua, 2);
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL) {
    raise(lua, ErrorCode::ScriptFailed, "setmetatable: cannot change a protected metatable");
  }
  if (lua_istable(lua, 2)) {
    lua_pushliteral(lua, "__gc");
    if (lua_rawget(lua, 2) != LUA_TNIL) {
      raise(lua, ErrorCode::ScriptFailed, "__gc is not available: graph scripts have no finalizers; use <close>");
    }
    lua_pop(lua, 1);
  }
  lua_setmetatable(lua, 1);
  return 1;
}

int collectGarbage(lua_State *lua) {
  const std::string option = luaL_optstring(lua, 1, "collect");
  if (option == "count") {
    lua_pushnumber(lua, lua_gc(lua, LUA_GCCOUNT) + lua_gc(lua, LUA_GCCOUNTB) / 1024.0);
    return 1;
  }
  if (option == "collect") {
    lua_gc(lua, LUA_GCCOLLECT);
    lua_pushinteger(lua, 0);
    return 1;
  }
  raise(lua, ErrorCode::ScriptFailed,
        fmt::format("collectgarbage(\"{}\") is not available: graph scripts can \"collect\" and \"count\"", option));
}

int refuseDump(lua_State *lua) { raise(lua, ErrorCode::ScriptFailed, "string.dump is not available in a graph script"); }

/// Nothing, repeated, is nothing; Lua would count all the same.
int repeat(lua_State *lua) {
  std::size_t length = 0;
  std::size_t separator = 0;
  luaL_checklstring(lua, 1, &length);
  luaL_optlstring(lua, 3, "", &separator);
  if (length == 0 && separator == 0) {
    luaL_checkinteger(lua, 2);
    lua_pushliteral(lua, "");
    return 1;
  }
  return callOriginal(lua);
}

int moveEntries(lua_State *lua) {
  const lua_Integer first = luaL_checkinteger(lua, 2);
  const lua_Integer last = luaL_checkinteger(lua, 3);
  if (lua_Integer steps = 0; last >= first && (__builtin_sub_overflow(last, first, &steps) || steps > kMaxSteps)) {
    raise(lua, ErrorCode::ScriptLimit, fmt::format("table.move: more than {} entries", kMaxSteps));
  }
  return callOriginal(lua);
}

/// For functions that walk a list whose length a metamethod may invent.
template <const char *name> int checkLength(lua_State *lua) {
  luaL_checkany(lua, 1);
  if (luaL_getmetafield(lua, 1, "__len") != LUA_TNIL) {
    lua_pop(lua, 1);
    if (luaL_len(lua, 1) > kMaxSteps) {
      raise(lua, ErrorCode::ScriptLimit, fmt::format("{}: more than {} entries", name, kMaxSteps));
    }
  }
  return callOriginal(lua);
}

/// Without a seed Lua takes the time of day; every run of a script is to be the same.
int seedRandom(lua_State *lua) {
  if (lua_isnone(lua, 1)) {
    raise(lua, ErrorCode::ScriptArgument, "math.randomseed: give a seed; without one every run would be different");
  }
  return callOriginal(lua);
}

/// Replaces library.name, which becomes upvalue 1 of the new function.
void replace(lua_State *lua, const char *library, const char *name, lua_CFunction function) {
  lua_getglobal(lua, library);
  lua_getfield(lua, -1, name);
  lua_pushcclosure(lua, function, 1);
  lua_setfield(lua, -2, name);
  lua_pop(lua, 1);
}

constexpr char kInsert[] = "table.insert";
constexpr char kRemove[] = "table.remove";
constexpr char kConcat[] = "table.concat";
constexpr char kSort[] = "table.sort";
constexpr char kFind[] = "string.find";
constexpr char kMatch[] = "string.match";
constexpr char kGsub[] = "string.gsub";

} // namespace

void addBoundedLibrary(lua_State *lua) {
  lua_getglobal(lua, LUA_MATHLIBNAME);
  lua_getfield(lua, -1, "randomseed");
  lua_pushinteger(lua, kSeed);
  lua_call(lua, 1, 0);
  lua_pop(lua, 1);

  replace(lua, LUA_GNAME, "load", guarded<load>);
  replace(lua, LUA_GNAME, "setmetatable", guarded<setMetatable>);
  replace(lua, LUA_GNAME, "collectgarbage", guarded<collectGarbage>);
  replace(lua, LUA_STRLIBNAME, "dump", guarded<refuseDump>);
  replace(lua, LUA_STRLIBNAME, "rep", guarded<repeat>);
  // How long these may take no limit inside C says; whoever ends the run from outside learns where it was.
  replace(lua, LUA_STRLIBNAME, "find", guarded<callNamed<kFind>>);
  replace(lua, LUA_STRLIBNAME, "match", guarded<callNamed<kMatch>>);
  replace(lua, LUA_STRLIBNAME, "gsub", guarded<callNamed<kGsub>>);
  replace(lua, LUA_STRLIBNAME, "gmatch", guarded<matchAll>);
  replace(lua, LUA_TABLIBNAME, "move", guarded<moveEntries>);
  replace(lua, LUA_TABLIBNAME, "insert", guarded<checkLength<kInsert>>);
  replace(lua, LUA_TABLIBNAME, "remove", guarded<checkLength<kRemove>>);
  replace(lua, LUA_TABLIBNAME, "concat", guarded<checkLength<kConcat>>);
  replace(lua, LUA_TABLIBNAME, "sort", guarded<checkLength<kSort>>);
  replace(lua, LUA_MATHLIBNAME, "randomseed", guarded<seedRandom>);
}

} // namespace jitscope::script
