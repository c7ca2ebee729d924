// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds fn, map, time, compile. Called once, while the state is set up.
void addFunctions(lua_State *lua);

} // namespace jitscope::script
