// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds study, modules. Called once, while the state is set up.
void addStudies(lua_State *lua);

} // namespace jitscope::script
