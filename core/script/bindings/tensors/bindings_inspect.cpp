// SPDX-License-Identifier: GPL-3.0-or-later
// Looking at tensors from Lua: shape, dtype, elements, text; and clear words for what tensors are not.
#include "script/bindings/tensors/bindings_inspect.h"
#include "script/bindings/bindings.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/near_name.h"
#include "script/script_context.h"
#include "script/tensor/lua_tensor.h"
#include "script/tensor/tensor_text.h"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

const TensorValue &tensorAt(lua_State *lua, const char *function) {
  checkCount(lua, function, 1, 1);
  const TensorValue *value = asTensor(lua, 1);
  if (value == nullptr) {
    raise(lua, ErrorCode::ScriptArgument, fmt::format("{}: expected a tensor, not {}", function, describeValue(lua, 1)));
  }
  return *value;
}

/// Type of a concrete tensor or of one of the innermost trace.
graph::TensorType typeAt(lua_State *lua, const char *function) {
  const TensorValue &value = tensorAt(lua, function);
  if (const auto *concrete = std::get_if<graph::Tensor>(&value)) {
    return concrete->type();
  }
  const auto &symbolic = std::get<SymbolicTensor>(value);
  const Tracer &tracer = contextOf(lua).tracer;
  ActiveTrace *trace = tracer.innermost();
  if (trace == nullptr || trace->identity() != symbolic.trace) {
    tracer.raiseForeignTensor(lua, symbolic);
  }
  return trace->builder().typeOf(symbolic.node);
}

int shape(lua_State *lua) {
  const graph::TensorType type = typeAt(lua, "shape");
  if (!type.shape.isStatic()) {
    raise(
        lua, ErrorCode::ScriptShape,
        fmt::format("shape: the sizes of {} are not known while tracing, because template=\"rank\" makes one executable serve all "
                    "sizes; options{{template=\"exact\"}} makes them known",
                    toString(type)));
  }
  lua_createtable(lua, static_cast<int>(type.shape.rank()), 0);
  for (std::size_t axis = 0; axis < type.shape.rank(); ++axis) {
    lua_pushinteger(lua, type.shape[axis]);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(axis) + 1);
  }
  return 1;
}

int dtype(lua_State *lua) {
  const std::string_view name = nameOf(typeAt(lua, "dtype").dtype);
  lua_pushlstring(lua, name.data(), name.size());
  return 1;
}

void pushElement(lua_State *lua, const Element &element) {
  if (const auto *truth = std::get_if<bool>(&element)) {
    lua_pushboolean(lua, *truth ? 1 : 0);
  } else if (const auto *whole = std::get_if<std::int64_t>(&element)) {
    lua_pushinteger(lua, *whole);
  } else {
    lua_pushnumber(lua, std::get<double>(element));
  }
}

/// Pushes the part below `axis` and advances `next`, the row-major place of its first element.
void pushPart(lua_State *lua, const graph::Tensor &tensor, std::size_t axis, std::int64_t &next) {
  if (axis == tensor.shape.rank()) {
    pushElement(lua, elementAt(tensor, next++));
    return;
  }
  const std::int64_t size = tensor.shape[axis];
  lua_createtable(lua, static_cast<int>(std::min<std::int64_t>(size, 1 << 20U)), 0);
  for (std::int64_t i = 1; i <= size; ++i) {
    pushPart(lua, tensor, axis + 1, next);
    lua_rawseti(lua, -2, i);
  }
}

int toTable(lua_State *lua) {
  const TensorValue &value = tensorAt(lua, "to_table");
  const auto *concrete = std::get_if<graph::Tensor>(&value);
  if (concrete == nullptr) {
    raise(lua, ErrorCode::ScriptFailed,
          "to_table: tensors have no elements while a function is traced; return the tensor and call to_table outside");
  }
  luaL_checkstack(lua, graph::kMaxRank * 2 + 4, "to_table");
  const graph::Tensor tensor = *concrete; // shares the buffer: building the table may collect the value
  std::int64_t next = 0;
  pushPart(lua, tensor, 0, next);
  return 1;
}

int tensorToText(lua_State *lua) {
  std::string text;
  const TensorValue &value = *asTensor(lua, 1);
  if (const auto *concrete = std::get_if<graph::Tensor>(&value)) {
    text = headOf(*concrete);
  } else {
    const auto &symbolic = std::get<SymbolicTensor>(value);
    ActiveTrace *trace = contextOf(lua).tracer.innermost();
    text = trace != nullptr && trace->identity() == symbolic.trace
               ? fmt::format("{} (being traced)", toString(trace->builder().typeOf(symbolic.node)))
               : fmt::format("tensor of the trace of {}", symbolic.trace->function);
  }
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

int refuseLength(lua_State *lua) { raise(lua, ErrorCode::ScriptFailed, "a tensor has no length (#); t:shape() gives its sizes"); }

/// `t.name`. Upvalue 1 is the table of methods.
int index(lua_State *lua) {
  lua_pushvalue(lua, 2);
  if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) {
    return 1;
  }
  if (lua_type(lua, 2) != LUA_TSTRING) {
    raise(lua, ErrorCode::ScriptFailed,
          "a tensor cannot be indexed; t:slice(starts, sizes) gives a part of it, and outside of traced functions t:to_table() its "
          "elements");
  }
  std::vector<std::string_view> methods;
  lua_pushnil(lua);
  while (lua_next(lua, lua_upvalueindex(1)) != 0) {
    methods.emplace_back(lua_tostring(lua, -2)); // all keys are strings
    lua_pop(lua, 1);
  }
  const std::string_view name = lua_tostring(lua, 2);
  raise(lua, ErrorCode::ScriptFailed, fmt::format("a tensor has no method \"{}\"{}", name, suggestionFor(name, methods)));
}

int refuseAssignment(lua_State *lua) {
  raise(lua, ErrorCode::ScriptFailed, "tensors cannot be changed; each operation gives a new one");
}

constexpr auto kInspectBindings = std::to_array<Binding>({
    {"shape", guarded<shape>, false, true},
    {"dtype", guarded<dtype>, false, true},
    {"to_table", guarded<toTable>, false, true},
});

constexpr auto kMetamethods = std::to_array<luaL_Reg>({
    {"__tostring", guarded<tensorToText>},
    {"__len", guarded<refuseLength>},
    {"__newindex", guarded<refuseAssignment>},
});

} // namespace

void addInspection(lua_State *lua) {
  addBindings(lua, kInspectBindings);
  pushTensorMetatable(lua);
  for (const luaL_Reg &metamethod : kMetamethods) {
    lua_pushcfunction(lua, metamethod.func);
    lua_setfield(lua, -2, metamethod.name);
  }
  lua_getfield(lua, -1, "methods");
  lua_pushcclosure(lua, guarded<index>, 1);
  lua_setfield(lua, -2, "__index");
  lua_pop(lua, 1);
}

} // namespace jitscope::script
