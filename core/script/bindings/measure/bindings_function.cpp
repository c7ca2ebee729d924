// SPDX-License-Identifier: GPL-3.0-or-later
// Functions: fn makes them; they are called, mapped, timed and compiled ahead of time.
#include "script/bindings/measure/bindings_function.h"
#include "event/compile_cost.h"
#include "script/bindings/bindings.h"
#include "script/bindings/measure/call_table.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/lua_function.h"
#include "script/script_context.h"
#include "script/trace/calls.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

constexpr std::size_t kMaxNameBytes = 200;

std::string functionName(lua_State *lua, int index) {
  std::string name = stringAt(lua, index, "fn", "the name");
  const auto isControl = [](char byte) { return static_cast<unsigned char>(byte) < 0x20; };
  if (name.empty() || name.size() > kMaxNameBytes || std::ranges::any_of(name, isControl)) {
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("fn: the name must have 1 to {} bytes and no line breaks or other control characters", kMaxNameBytes));
  }
  return name;
}

/// What Lua knows about the function at `index`.
FunctionTraits traitsOf(lua_State *lua, int index) {
  if (!lua_isfunction(lua, index)) {
    raise(lua, ErrorCode::ScriptArgument, fmt::format("fn: expected a Lua function, not {}", describeValue(lua, index)));
  }
  lua_Debug activation{};
  lua_pushvalue(lua, index);
  lua_getinfo(lua, ">Su", &activation);
  if (std::string_view(activation.what) == "C") {
    raise(lua, ErrorCode::ScriptArgument, "fn: a built-in function cannot be traced; wrap it: fn(function(x) return ... end)");
  }
  return {fmt::format("{}:{}", contextOf(lua).scriptName, activation.linedefined), activation.linedefined, activation.nparams,
          activation.isvararg != 0, 0};
}

int makeFunction(lua_State *lua) {
  checkCount(lua, "fn", 1, 2);
  const int bodyIndex = lua_gettop(lua);
  FunctionTraits traits = traitsOf(lua, bodyIndex);
  if (bodyIndex == 2) {
    traits.name = functionName(lua, 1);
  }
  lua_pushvalue(lua, bodyIndex);
  traits.luaReference = luaL_ref(lua, LUA_REGISTRYINDEX);
  ScriptContext &context = contextOf(lua);
  const auto function = std::make_shared<ScriptFunction>(std::move(traits));
  function->setId(context.host.defineFunction(function->name(), function->line(), false,
                                              std::make_unique<LuaGraphSource>(context.link, function)));
  pushFunction(lua, function);
  return 1;
}

ScriptFunction &functionAt(lua_State *lua, int index, const char *caller) {
  ScriptFunction *function = asFunction(lua, index);
  if (function == nullptr) {
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("{}: expected a function made by fn, not {}{}", caller, describeValue(lua, index),
                      lua_isfunction(lua, index) ? "; make it one with fn" : ""));
  }
  return *function;
}

int call(lua_State *lua) { return callFunction(lua, *asFunction(lua, 1), 2); }

int map(lua_State *lua) {
  ScriptFunction &function = functionAt(lua, 1, "map");
  if (lua_gettop(lua) < 2) {
    raise(lua, ErrorCode::ScriptArgument, "map: expected a function and at least one tensor");
  }
  return mapFunction(lua, function, 2);
}

std::string millisecondsText(std::uint64_t ns) {
  // The notebook rounds to 0.1 ms; a cache hit takes less than that.
  const double milliseconds = static_cast<double>(ns) * 1e-6;
  return milliseconds >= 1 ? fmt::format("{:.1f}", milliseconds) : fmt::format("{:.4f}", milliseconds);
}

int time(lua_State *lua) {
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "time");
  const std::string label = stringAt(lua, 1, "time", "the label");
  const ScriptFunction &function = functionAt(lua, 2, "time");
  const std::vector<Argument> arguments = argumentsFor(lua, function, 3);
  CallResult result = callEngine(lua, function.id(), arguments);
  result.results.clear(); // nobody will read them; the next timed call finds the memory free
  const event::CallEvent &event = result.event;
  context.host.print(fmt::format("{}: {} ms\nCompiled: {}\nCompile events so far in this section: {}\n\n", label,
                                 millisecondsText(event.totalNs()), event::paidForCompile(event.outcome),
                                 context.host.counters().compilesInSection));
  pushCallTable(lua, event);
  lua_pushlstring(lua, label.data(), label.size());
  lua_setfield(lua, -2, "label");
  return 1;
}

int compile(lua_State *lua) {
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "compile");
  const ScriptFunction &function = functionAt(lua, 1, "compile");
  const std::vector<Argument> arguments = argumentsFor(lua, function, 2);
  const int line = currentLine(lua);
  context.tracer.setCallLine(line);
  ++context.requests;
  base::Result<event::CallEvent> event = [&] {
    const Watchdog::Away away(context.watchdog, "a compile", line);
    return context.host.compile(function.id(), arguments);
  }();
  context.watchdog.restart();
  pushCallTable(lua, valueOrRaise(lua, std::move(event)));
  return 1;
}

int contains(lua_State *lua) {
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "cache.contains");
  const ScriptFunction &function = functionAt(lua, 1, "cache.contains");
  const std::vector<Argument> arguments = argumentsFor(lua, function, 2);
  lua_pushboolean(lua, context.host.contains(function.id(), arguments) ? 1 : 0);
  context.watchdog.restart();
  return 1;
}

int clear(lua_State *lua) {
  checkCount(lua, "cache.clear", 0, 0);
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "cache.clear");
  context.host.clearCache();
  context.watchdog.restart();
  return 0;
}

int functionToText(lua_State *lua) {
  const ScriptFunction &function = *asFunction(lua, 1);
  lua_pushfstring(lua, "fn %s (line %d)", function.name().c_str(), function.line());
  return 1;
}

constexpr auto kFunctionBindings = std::to_array<Binding>({
    {"fn", guarded<makeFunction>, true, false},
    {"map", guarded<map>, true, false},
    {"time", guarded<time>, true, false},
    {"compile", guarded<compile>, true, false},
});

constexpr auto kCacheFunctions = std::to_array<luaL_Reg>({{"clear", guarded<clear>}, {"contains", guarded<contains>}});

} // namespace

void addFunctions(lua_State *lua) {
  addBindings(lua, kFunctionBindings);
  lua_createtable(lua, 0, static_cast<int>(kCacheFunctions.size()));
  for (const luaL_Reg &function : kCacheFunctions) {
    lua_pushcfunction(lua, function.func);
    lua_setfield(lua, -2, function.name);
  }
  lua_setglobal(lua, "cache");
  pushFunctionMetatable(lua);
  lua_pushcfunction(lua, guarded<call>);
  lua_setfield(lua, -2, "__call");
  lua_pushcfunction(lua, guarded<functionToText>);
  lua_setfield(lua, -2, "__tostring");
  lua_pop(lua, 1);
}

} // namespace jitscope::script
