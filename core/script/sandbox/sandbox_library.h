// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Replaces library functions that could run for ever inside C, or reach beyond the script. A part of `openSandbox`.
void addBoundedLibrary(lua_State *lua);

} // namespace jitscope::script
