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

// The parts of `openSandbox`.
void addProtectedCalls(lua_State *lua); ///< pcall, xpcall, coroutine.resume, which let limits and interrupts pass
void addBoundedLibrary(lua_State *lua); ///< library functions that could run for ever inside C, or reach beyond the script

} // namespace jitscope::script
