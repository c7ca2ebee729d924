// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds reshape, transpose, broadcast, slice, concat. Called once, while the state is set up.
void addShapes(lua_State *lua);

} // namespace jitscope::script
