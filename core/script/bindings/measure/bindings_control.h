// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds section, stats, options, cache, sleep, print. Called once, while the state is set up.
void addControl(lua_State *lua);

} // namespace jitscope::script
