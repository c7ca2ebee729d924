// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

struct lua_State;

namespace jitscope::script {

/// Pushes what `time` and `compile` give: {outcome=, compiled=, ns=, ms=, lookup_ns=, wait_ns=, compile_ns=, execute_ns=}.
/// `compiled` tells whether it paid for a compile.
void pushCallTable(lua_State *lua, const event::CallEvent &event);

} // namespace jitscope::script
