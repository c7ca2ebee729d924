// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

struct lua_State;

/// What `fn` makes, as a Lua value. All functions run on the thread that runs Lua and may raise Lua errors.
namespace jitscope::script {

class ScriptFunction;

/// The function at `index`, or null when the value there is none.
ScriptFunction *asFunction(lua_State *lua, int index);

/// Shares it with others who keep it; null when the value there is none.
std::shared_ptr<ScriptFunction> sharedFunction(lua_State *lua, int index);

void pushFunction(lua_State *lua, std::shared_ptr<ScriptFunction> function);

/// Creates the type; calling it is added by the bindings.
void createFunctionType(lua_State *lua);
/// Pushes the metatable.
void pushFunctionMetatable(lua_State *lua);

} // namespace jitscope::script
