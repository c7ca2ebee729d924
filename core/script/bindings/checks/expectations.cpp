// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/bindings/checks/expectations.h"

#include "script/lua/lua_error.h"

#include <utility>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

int conclude(lua_State *lua, const char *name, bool hasPassed, std::string expected, std::string actual) {
  ScriptContext &context = contextOf(lua);
  if (!hasPassed) {
    ++context.failedExpectations;
    context.host.print(fmt::format("{}{} failed: expected {}, got {}\n", placeOf(lua), name, expected, actual));
  }
  context.host.expectation({currentLine(lua), name, hasPassed, std::move(expected), std::move(actual)});
  lua_pushboolean(lua, hasPassed ? 1 : 0);
  return 1;
}

int refuseVacuous(lua_State *lua, const char *name, const std::string &problem) {
  if (!contextOf(lua).host.isReplay()) {
    raise(lua, base::ErrorCode::ScriptArgument, fmt::format("{}: {}", name, problem));
  }
  lua_pushboolean(lua, 1);
  return 1;
}

} // namespace jitscope::script
