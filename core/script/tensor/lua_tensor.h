// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <memory>
#include <string>
#include <variant>

struct lua_State;

/// Tensors as Lua values. All functions run on the thread that runs Lua and may raise Lua errors.
namespace jitscope::script {

/// Which run of which function a symbolic tensor belongs to; outlives the trace, so that late uses can be explained.
struct TraceIdentity {
  std::string function;
  int line = 0; ///< where the function was defined
};

/// A value that exists only in the graph being traced.
struct SymbolicTensor {
  std::shared_ptr<const TraceIdentity> trace;
  graph::NodeIndex node = 0;
};

using TensorValue = std::variant<graph::Tensor, SymbolicTensor>;

/// The tensor at `index`, or null when the value there is none.
TensorValue *asTensor(lua_State *lua, int index);

/// Pushes a concrete tensor; collects garbage first where tensors, whose size Lua does not see, have become many.
void pushTensor(lua_State *lua, graph::Tensor tensor);
void pushSymbolic(lua_State *lua, SymbolicTensor tensor);

/// Creates the type; its methods and operators come from the bindings.
void createTensorType(lua_State *lua);
/// Pushes the metatable.
void pushTensorMetatable(lua_State *lua);

} // namespace jitscope::script
