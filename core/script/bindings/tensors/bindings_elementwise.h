// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds operators, exp and its like, comparisons, select, min, max, pow, as_type. Called once, while the state is set up.
void addElementwise(lua_State *lua);

} // namespace jitscope::script
