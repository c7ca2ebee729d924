// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/bindings/measure/bench_checks.h"

#include "script/bindings/checks/expectations.h"
#include "script/lua/lua_error.h"
#include "script/tensor/lua_tensor.h"
#include "script/trace/calls.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

namespace {

constexpr const char *kPassed = "passed";

/// Pushes the check of a case: its own, else that of the whole bench. Pushes nothing where there is neither.
bool pushCheck(lua_State *lua, int table, std::size_t caseIndex) {
  lua_rawgeti(lua, table, static_cast<lua_Integer>(caseIndex) + 1);
  lua_pushliteral(lua, "check");
  if (lua_rawget(lua, -2) == LUA_TNIL) {
    lua_pop(lua, 1);
    lua_pushliteral(lua, "check");
    lua_rawget(lua, table);
  }
  lua_remove(lua, -2);
  if (lua_isnil(lua, -1)) {
    lua_pop(lua, 1);
    return false;
  }
  return true;
}

/// Pops the check and its arguments, of which there are `count`; gives `kPassed` or what was wrong.
std::string callCheck(lua_State *lua, int count) {
  const std::uint64_t failedBefore = contextOf(lua).failedExpectations;
  const int base = lua_gettop(lua) - count - 1;
  if (const int status = lua_pcall(lua, count, LUA_MULTRET, 0); status != LUA_OK) {
    raiseAgainIfFinal(lua, status);
    std::string message = takeError(lua, status).message;
    return message;
  }
  const bool isRefused = lua_gettop(lua) > base && lua_toboolean(lua, base + 1) == 0;
  lua_settop(lua, base);
  return isRefused                                          ? "the check returned false"
         : contextOf(lua).failedExpectations > failedBefore ? "an expectation in the check failed"
                                                            : kPassed;
}

std::string checkOnce(lua_State *lua, const BenchCase &benchCase, const BenchInput &input) {
  // The check itself is on top of the stack, and stays there.
  CallResult called = callEngine(lua, benchCase.function, input.arguments);
  luaL_checkstack(lua, static_cast<int>(called.results.size()) + 8, "too many results");
  lua_pushvalue(lua, -1);
  int count = static_cast<int>(called.results.size());
  for (graph::Tensor &tensor : called.results) {
    pushTensor(lua, std::move(tensor));
  }
  if (!input.name.empty()) {
    lua_pushlstring(lua, input.name.data(), input.name.size());
    ++count;
  }
  return callCheck(lua, count);
}

} // namespace

void runChecks(lua_State *lua, int table, BenchRequest &request) {
  for (std::size_t caseIndex = 0; caseIndex < request.cases.size(); ++caseIndex) {
    BenchCase &benchCase = request.cases[caseIndex];
    if (!pushCheck(lua, table, caseIndex)) {
      continue;
    }
    for (BenchInput &input : benchCase.inputs) {
      const std::string label = event::caseName(benchCase.name, input.name);
      std::string actual = checkOnce(lua, benchCase, input);
      input.isBroken = actual != kPassed;
      actual = input.isBroken ? std::move(actual) : fmt::format("{} passed it", label);
      conclude(lua, "bench.check", !input.isBroken, fmt::format("{} to pass its check", label), std::move(actual));
      lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
  }
}

} // namespace jitscope::script
