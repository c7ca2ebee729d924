// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/script_context.h"

#include <string>

struct lua_State;

/// What every expect.* has in common.
namespace jitscope::script {

/// Records it, says so if it failed, and pushes whether it held; gives 1.
int conclude(lua_State *lua, const char *name, bool hasPassed, std::string expected, std::string actual);

/// For what could not fail, whatever was measured: raises an error that says why. A script that runs again for one cold leg has
/// measured nothing, so there it is taken for held: pushes true and gives 1.
int refuseVacuous(lua_State *lua, const char *name, const std::string &problem);

/// Expectations are about what has happened, so none stands in a function that is traced.
template <int (*function)(lua_State *)> int outsideOfTraces(lua_State *lua) {
  contextOf(lua).tracer.refuseInTrace(lua, "expect");
  return function(lua);
}

} // namespace jitscope::script
