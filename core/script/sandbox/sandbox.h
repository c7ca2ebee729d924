// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

/// The part of Lua's library that graph scripts have, and the errors for the part that they lack.
namespace jitscope::script {

/// Opens the safe part of Lua's library. Runs protected, once, before the script functions are added.
void openSandbox(lua_State *lua);

/// Makes reading an undefined global an error that explains it: not available here, a typo, or never set. Call it last, after all
/// script functions are defined.
void guardGlobals(lua_State *lua);

} // namespace jitscope::script
