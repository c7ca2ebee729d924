// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/tensor/lua_tensor.h"
#include "script/lua/userdata.h"
#include "script/script_context.h"

namespace jitscope::script {

namespace {

constexpr char kTypeKey = 0; // its address is the key

} // namespace

TensorValue *asTensor(lua_State *lua, int index) { return asUserdata<TensorValue>(lua, index, &kTypeKey); }

void pushTensor(lua_State *lua, graph::Tensor tensor) {
  contextOf(lua).garbage.tensorMade(lua, tensor.buffer ? tensor.buffer->byteSize() : 0);
  pushUserdata(lua, &kTypeKey, TensorValue(std::move(tensor)));
}

void pushSymbolic(lua_State *lua, SymbolicTensor tensor) { pushUserdata(lua, &kTypeKey, TensorValue(std::move(tensor))); }

void createTensorType(lua_State *lua) {
  createMetatable<TensorValue>(lua, &kTypeKey, "tensor");
  lua_pop(lua, 1);
}

void pushTensorMetatable(lua_State *lua) { pushMetatable(lua, &kTypeKey); }

} // namespace jitscope::script
