// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Adds shape, dtype, to_table, tostring, and the errors for what tensors cannot do. Called once, while the state is set up.
void addInspection(lua_State *lua);

} // namespace jitscope::script
