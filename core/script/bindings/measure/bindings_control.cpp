// SPDX-License-Identifier: GPL-3.0-or-later
// Steering a run: section, options, stats, sleep, print.
#include "script/bindings/measure/bindings_control.h"
#include "script/bindings/bindings.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/script_context.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

constexpr double kMaxSleepMs = 86'400'000; // a day
constexpr std::chrono::milliseconds kSleepSlice{10};

int section(lua_State *lua) {
  checkCount(lua, "section", 1, 1);
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "section");
  std::string name = stringAt(lua, 1, "section", "the name");
  if (name.empty()) {
    raise(lua, ErrorCode::ScriptArgument, "section: the name is empty");
  }
  context.host.beginSection(std::move(name));
  context.watchdog.restart();
  return 0;
}

OptionValue optionValueAt(lua_State *lua, int index, const std::string &name) {
  switch (lua_type(lua, index)) {
  case LUA_TBOOLEAN:
    return lua_toboolean(lua, index) != 0;
  case LUA_TNUMBER:
    if (lua_isinteger(lua, index) != 0) {
      return static_cast<std::int64_t>(lua_tointeger(lua, index));
    }
    return lua_tonumber(lua, index);
  case LUA_TSTRING:
    return stringAt(lua, index, "options", name);
  default:
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("options: {} must be a boolean, a number or a string, not {}", name, describeValue(lua, index)));
  }
}

int options(lua_State *lua) {
  checkCount(lua, "options", 1, 1);
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "options");
  if (!lua_istable(lua, 1)) {
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("options: expected a table such as {{template=\"rank\"}}, not {}", describeValue(lua, 1)));
  }
  std::map<std::string, OptionValue> values; // sorted: Lua's order differs from run to run
  lua_pushnil(lua);
  while (lua_next(lua, 1) != 0) {
    if (lua_type(lua, -2) != LUA_TSTRING) {
      raise(lua, ErrorCode::ScriptArgument, "options: each value needs a name, as in options{slp=false}");
    }
    const std::string name = lua_tostring(lua, -2);
    values.emplace(name, optionValueAt(lua, -1, name));
    lua_pop(lua, 1);
  }
  for (const auto &[name, value] : values) {
    valueOrRaise(lua, context.host.setOption(name, value));
  }
  context.watchdog.restart();
  return 0;
}

struct Counter {
  const char *key;
  const char *title;
  std::uint64_t EngineCounters::*value;
};

constexpr auto kCounters = std::to_array<Counter>({
    {"calls", "calls", &EngineCounters::calls},
    {"hits", "hits", &EngineCounters::hits},
    {"misses", "misses", &EngineCounters::misses},
    {"retraces", "retraces", &EngineCounters::retraces},
    {"disk", "disk loads", &EngineCounters::disk},
    {"waits", "waits", &EngineCounters::waits},
    {"bypasses", "bypasses", &EngineCounters::bypasses},
    {"compiles", "compiles", &EngineCounters::compiles},
    {"compiles_in_section", "compiles in this section", &EngineCounters::compilesInSection},
    {"compile_ns", "compile time, ns", &EngineCounters::compileNs},
    {"evictions", "evictions", &EngineCounters::evictions},
    {"cache_entries", "cache entries", &EngineCounters::cacheEntries},
    {"cache_code_bytes", "cache code, bytes", &EngineCounters::cacheCodeBytes},
    {"tensor_live_bytes", "tensors now, bytes", &EngineCounters::tensorLiveBytes},
    {"tensor_peak_bytes", "tensors at peak, bytes", &EngineCounters::tensorPeakBytes},
});

int stats(lua_State *lua) {
  checkCount(lua, "stats", 0, 0);
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "stats");
  const EngineCounters counters = context.host.counters();
  std::string text;
  lua_createtable(lua, 0, static_cast<int>(kCounters.size()));
  for (const Counter &counter : kCounters) {
    text += fmt::format("{:<26}{:>16}\n", counter.title, counters.*counter.value);
    lua_pushinteger(lua, static_cast<lua_Integer>(counters.*counter.value));
    lua_setfield(lua, -2, counter.key);
  }
  context.host.print(text);
  return 1;
}

int sleep(lua_State *lua) {
  checkCount(lua, "sleep", 1, 1);
  const double milliseconds = numberAt(lua, 1, "sleep", "the time");
  if (!isWithin(milliseconds, 0, kMaxSleepMs)) {
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("sleep: the time must be 0 to {:.0f} milliseconds (a day), not {}", kMaxSleepMs, milliseconds));
  }
  using Clock = std::chrono::steady_clock;
  ScriptContext &context = contextOf(lua);
  const Clock::time_point begin = Clock::now();
  const Clock::time_point end = begin + std::chrono::nanoseconds(static_cast<std::int64_t>(milliseconds * 1e6));
  const Watchdog::Away away(context.watchdog, "sleep", currentLine(lua));
  for (Clock::time_point now = begin; now < end; now = Clock::now()) {
    // In slices, so that Ctrl-C ends it soon; absolute, so that the slices' delays do not add up.
    std::this_thread::sleep_until(std::min(end, now + kSleepSlice));
    context.watchdog.exclude(static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - now).count()));
    if (std::optional<base::Error> error = context.watchdog.check()) {
      raiseFinal(lua, std::move(*error));
    }
  }
  return 0;
}

int print(lua_State *lua) {
  const int count = lua_gettop(lua);
  std::string line;
  for (int i = 1; i <= count; ++i) {
    std::size_t length = 0;
    const char *text = luaL_tolstring(lua, i, &length);
    line += i == 1 ? "" : "\t";
    line.append(text, length);
    lua_pop(lua, 1);
  }
  ScriptContext &context = contextOf(lua);
  const Watchdog::Away away(context.watchdog, "print", currentLine(lua));
  context.host.print(line + "\n"); // whoever reads it may be slow
  return 0;
}

constexpr auto kControlBindings = std::to_array<Binding>({
    {"section", guarded<section>, true, false},
    {"options", guarded<options>, true, false},
    {"stats", guarded<stats>, true, false},
    {"sleep", guarded<sleep>, true, false},
    {"print", guarded<print>, true, false},
});

} // namespace

void addControl(lua_State *lua) { addBindings(lua, kControlBindings); }

} // namespace jitscope::script
