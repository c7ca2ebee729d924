// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds iota, zeros, ones, full, uniform, normal, tensor. Called once, while the state is set up.
void addCreation(lua_State *lua);

} // namespace jitscope::script
