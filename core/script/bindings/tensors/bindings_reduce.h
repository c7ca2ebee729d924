// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds sum, mean, max, min, argmax, dot. Called once, while the state is set up.
void addReductions(lua_State *lua);

} // namespace jitscope::script
