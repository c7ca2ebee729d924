// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

/// Replaces pcall, xpcall, coroutine.resume, coroutine.wrap and coroutine.close by ones that let limits and interrupts pass. A part
/// of `openSandbox`.
void addProtectedCalls(lua_State *lua);

} // namespace jitscope::script
