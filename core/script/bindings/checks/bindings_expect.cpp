// SPDX-License-Identifier: GPL-3.0-or-later
// expect.*: what a script states about its run. A failed expectation is recorded and printed; the script goes on. Budgets have a
// file of their own.
#include "script/bindings/checks/bindings_expect.h"
#include "event/loops.h"
#include "script/bindings/bindings.h"
#include "script/bindings/checks/expectations.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/lua_function.h"
#include "script/lua/near_name.h"
#include "script/lua/table_argument.h"
#include "script/script_context.h"
#include "script/tensor/tensor_comparison.h"
#include "script/trace/script_function.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

constexpr std::array<std::string_view, 6> kOutcomes = {"hit", "retrace", "disk", "miss", "wait", "bypass"};
constexpr std::array<std::string_view, 2> kVectorizedFields = {"min_width", "pipeline"};
constexpr std::array<std::string_view, 2> kFindingFields = {"kinds", "above_ms"};
constexpr double kMaxFindingMs = 86'400'000; // no run takes longer than a day

[[noreturn]] void refuse(lua_State *lua, const char *function, const std::string &problem) {
  raise(lua, ErrorCode::ScriptArgument, fmt::format("{}: {}", function, problem));
}

/// `expect.outcome(r, "hit")`, where `r` is what time or compile gave.
int outcome(lua_State *lua) {
  constexpr const char *kName = "expect.outcome";
  checkCount(lua, kName, 2, 2);
  if (!lua_istable(lua, 1)) {
    refuse(lua, kName, fmt::format("expected the result of time or compile, not {}", describeValue(lua, 1)));
  }
  lua_pushliteral(lua, "outcome");
  if (lua_rawget(lua, 1) != LUA_TSTRING) {
    refuse(lua, kName, "expected the result of time or compile; this table has no outcome");
  }
  std::string actual = lua_tostring(lua, -1);
  std::string expected = stringAt(lua, 2, kName, "the outcome");
  if (std::ranges::find(kOutcomes, expected) == kOutcomes.end()) {
    refuse(lua, kName,
           fmt::format("there is no outcome \"{}\"; there are {}{}", expected, fmt::join(kOutcomes, ", "),
                       suggestionFor(expected, kOutcomes)));
  }
  const bool hasPassed = actual == expected;
  return conclude(lua, kName, hasPassed, std::move(expected), std::move(actual));
}

/// `expect.compiles(n, function() ... end)`; gives what the function gives.
int compiles(lua_State *lua) {
  constexpr const char *kName = "expect.compiles";
  checkCount(lua, kName, 2, 2);
  const std::int64_t expected = integerAt(lua, 1, kName, "the number of compiles");
  if (expected < 0) {
    refuse(lua, kName, fmt::format("the number of compiles must not be negative, but is {}", expected));
  }
  if (!lua_isfunction(lua, 2)) {
    refuse(lua, kName, fmt::format("expected a Lua function that makes the calls, not {}", describeValue(lua, 2)));
  }
  ScriptContext &context = contextOf(lua);
  const std::uint64_t before = context.host.counters().compiles;
  const std::uint64_t requestsBefore = context.requests;
  lua_pushvalue(lua, 2);
  lua_call(lua, 0, 0);
  const std::uint64_t actual = context.host.counters().compiles - before;
  if (expected == 0 && context.requests == requestsBefore) {
    return refuseVacuous(lua, kName, "the function called and compiled nothing, so no compile could happen");
  }
  return conclude(lua, kName, actual == static_cast<std::uint64_t>(expected), std::to_string(expected), std::to_string(actual));
}

std::string describe(const std::vector<event::LoopResult> &loops) {
  std::vector<std::string> texts;
  for (const event::LoopResult &loop : loops) {
    texts.push_back(fmt::format("a loop of width {} at line {}", event::widthText(loop), loop.line));
  }
  return texts.empty() ? "no vectorized loop" : fmt::format("{}", fmt::join(texts, ", "));
}

/// `expect.vectorized{f, min_width=2, pipeline="deferred"}`: about the latest compile of `f`.
int vectorized(lua_State *lua) {
  constexpr const char *kName = "expect.vectorized";
  checkCount(lua, kName, 1, 1);
  const TableArgument argument(lua, 1, kName, "{f, min_width=4}");
  argument.checkFields(kVectorizedFields);
  lua_rawgeti(lua, 1, 1);
  const ScriptFunction *function = asFunction(lua, -1);
  if (function == nullptr || argument.size() != 1) {
    argument.refuse(fmt::format("the list must hold one function made by fn and nothing else, not {}",
                                function == nullptr ? describeValue(lua, -1) : std::to_string(argument.size()) + " values"));
  }
  std::int64_t minWidth = 2;
  if (argument.pushField("min_width")) {
    minWidth = integerAt(lua, -1, kName, "min_width");
    if (minWidth < 2) {
      argument.refuse(fmt::format("min_width must be at least 2, not {}: every loop has a width of 1", minWidth));
    }
  }
  const std::string pipeline = argument.text("pipeline");
  const std::vector<event::LoopResult> loops = valueOrRaise(lua, contextOf(lua).host.vectorizedLoops(function->id(), pipeline));
  const bool hasPassed = std::ranges::any_of(loops, [&](const event::LoopResult &loop) { return loop.width >= minWidth; });
  std::string expected = fmt::format("a vectorized loop of width {} or more in {}{}{}", minWidth, function->name(),
                                     pipeline.empty() ? "" : " under ", pipeline);
  return conclude(lua, kName, hasPassed, std::move(expected), describe(loops));
}

/// The kinds of findings in the field `kinds`; none where it is absent.
std::vector<std::string> kindsIn(lua_State *lua, const TableArgument &argument) {
  std::vector<std::string> kinds;
  if (!argument.pushField("kinds")) {
    return kinds;
  }
  const int list = lua_gettop(lua);
  const auto size = lua_istable(lua, list) ? static_cast<lua_Integer>(lua_rawlen(lua, list)) : 0;
  for (lua_Integer i = 1; i <= size; ++i) {
    if (lua_rawgeti(lua, list, i) == LUA_TSTRING) {
      kinds.emplace_back(lua_tostring(lua, -1));
    }
    lua_pop(lua, 1);
  }
  if (kinds.empty() || static_cast<lua_Integer>(kinds.size()) != size) {
    argument.refuse(R"(kinds must be a list of names such as {"storm", "made-anew"}; leave it out for every kind)");
  }
  return kinds;
}

/// `expect.no_findings{kinds={"storm"}, above_ms=100}`: about all that was recorded until here.
int noFindings(lua_State *lua) {
  constexpr const char *kName = "expect.no_findings";
  checkCount(lua, kName, 1, 1);
  const TableArgument argument(lua, 1, kName, R"({kinds={"storm"}, above_ms=100})");
  argument.checkFields(kFindingFields);
  if (argument.size() > 0) {
    argument.refuse("it takes the fields kinds and above_ms, and no list");
  }
  FindingQuery query;
  query.kinds = kindsIn(lua, argument);
  if (argument.pushField("above_ms")) {
    query.aboveMs = numberAt(lua, -1, kName, "above_ms");
    if (!(query.aboveMs >= 0 && query.aboveMs <= kMaxFindingMs)) {
      argument.refuse(fmt::format("above_ms must be 0 to {:g}, not {}", kMaxFindingMs, query.aboveMs));
    }
  }
  if (contextOf(lua).requests == 0) {
    return refuseVacuous(lua, kName, "the script has called and compiled nothing so far, so nothing could be found");
  }
  if (contextOf(lua).host.isReplay()) {
    lua_pushboolean(lua, 1);
    return 1;
  }
  const std::vector<std::string> found = valueOrRaise(lua, contextOf(lua).host.findings(query));
  const std::string expected = fmt::format("no finding{}{}{}", query.kinds.empty() ? "" : " of kind ", fmt::join(query.kinds, ", "),
                                           query.aboveMs > 0 ? fmt::format(" above {:g} ms", query.aboveMs) : std::string());
  constexpr std::size_t kNamed = 3;
  std::string actual =
      found.empty()
          ? std::string("none")
          : fmt::format(
                "{}", fmt::join(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), kNamed)), "; "));
  if (found.size() > kNamed) {
    actual += fmt::format("; and {} more", found.size() - kNamed);
  }
  return conclude(lua, kName, found.empty(), expected, std::move(actual));
}

/// `expect.equal(t, u, tolerance)`: tensors, numbers and tables of numbers; other values by Lua's `==`.
int equal(lua_State *lua) {
  constexpr const char *kName = "expect.equal";
  checkCount(lua, kName, 2, 3);
  const double tolerance = lua_isnoneornil(lua, 3) ? 0 : numberAt(lua, 3, kName, "the tolerance");
  if (!(tolerance >= 0)) {
    refuse(lua, kName, fmt::format("the tolerance must be at least 0, not {}", tolerance));
  }
  Comparison comparison = compareValues(lua, 1, 2, tolerance);
  return conclude(lua, kName, comparison.isEqual, std::move(comparison.expected), std::move(comparison.actual));
}

constexpr auto kExpectations = std::to_array<luaL_Reg>({
    {"outcome", guarded<outsideOfTraces<outcome>>},
    {"compiles", guarded<outsideOfTraces<compiles>>},
    {"no_findings", guarded<outsideOfTraces<noFindings>>},
    {"equal", guarded<outsideOfTraces<equal>>},
    {"vectorized", guarded<outsideOfTraces<vectorized>>},
});

} // namespace

void addExpectations(lua_State *lua) {
  lua_createtable(lua, 0, static_cast<int>(kExpectations.size()));
  for (const luaL_Reg &function : kExpectations) {
    lua_pushcfunction(lua, function.func);
    lua_setfield(lua, -2, function.name);
  }
  lua_setglobal(lua, "expect");
}

} // namespace jitscope::script
