// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"
#include "script/lua/value_name.h"
#include "script/trace/operation.h"
#include "script/trace/script_function.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

struct lua_State;

/// From Lua values to calls: into the graph while a function is traced, to the engine otherwise. All functions run on the thread
/// that runs Lua and raise Lua errors.
namespace jitscope::script {

/// Applies an operation to the tensors and numbers at the stack indices `operands` and pushes the result; gives 1.
int perform(lua_State *lua, const Operation &operation, std::span<const int> operands);

/// Calls a function with the stack's values `first` … top and pushes its results; gives their number.
int callFunction(lua_State *lua, ScriptFunction &function, int first);
/// `map`: the same for each element.
int mapFunction(lua_State *lua, ScriptFunction &function, int first);

/// The stack's values `first` … top as arguments for a call of `function`, their number checked. Errors name the argument.
std::vector<Argument> argumentsFor(lua_State *lua, const ScriptFunction &function, int first);
/// The concrete tensor, number or static value at `index`; `name` begins the error's message.
Argument argumentAt(lua_State *lua, int index, const ValueName &name);

/// Calls through the engine, collecting garbage where tensors use up their bytes.
CallResult callEngine(lua_State *lua, base::FunctionId function, std::span<const Argument> arguments);

/// An uninitialized tensor, collecting garbage where tensors use up their bytes. `what` begins the error's message.
graph::Tensor allocateTensor(lua_State *lua, graph::DType dtype, const graph::Shape &shape, std::string_view what);

} // namespace jitscope::script
