// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds expect.percentile and the other budgets, after the expectations. Called once, while the state is set up.
void addBudgets(lua_State *lua);

} // namespace jitscope::script
