// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

struct lua_State;

/// What `modules{}` gives, as a Lua value. All functions run on the thread that runs Lua and may raise Lua errors.
namespace jitscope::script {

/// The set at `index`, or null when the value there is none.
ModuleSet *asModuleSet(lua_State *lua, int index);
void pushModuleSet(lua_State *lua, ModuleSet set);
/// Creates the type.
void createModuleSetType(lua_State *lua);

} // namespace jitscope::script
