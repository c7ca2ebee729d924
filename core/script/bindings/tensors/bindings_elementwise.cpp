// SPDX-License-Identifier: GPL-3.0-or-later
// What is computed element by element: operators, functions of one and two operands, comparisons, select, casts.
#include "script/bindings/tensors/bindings_elementwise.h"
#include "script/bindings/bindings.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/tensor/lua_tensor.h"
#include "script/trace/calls.h"

#include <array>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using graph::Op;

namespace {

template <Op op> int unary(lua_State *lua) {
  const Operation operation = UnaryOperation{op};
  checkCount(lua, nameOf(operation), 1, 1);
  return perform(lua, operation, std::array{1});
}

template <Op op> int binary(lua_State *lua) {
  const Operation operation = BinaryOperation{op};
  checkCount(lua, nameOf(operation), 2, 2);
  return perform(lua, operation, std::array{1, 2});
}

/// Lua gives the operand of unary operators twice.
int negate(lua_State *lua) { return perform(lua, UnaryOperation{Op::Negate}, std::array{1}); }

/// `min(a, b)` and `max(a, b)`; with one tensor, or the tensor and axes, they are the reductions.
template <Op elementwise, Op reduction> int minimumOrMaximum(lua_State *lua) {
  const Operation operation = BinaryOperation{elementwise};
  checkCount(lua, nameOf(operation), 1, 2);
  if (lua_gettop(lua) == 1 || lua_istable(lua, 2)) {
    return perform(lua, ReduceOperation{reduction, integersAt(lua, 2, nameOf(operation), "axes")}, std::array{1});
  }
  return perform(lua, operation, std::array{1, 2});
}

int asType(lua_State *lua) {
  checkCount(lua, "as_type", 2, 2);
  return perform(lua, ConvertOperation{dtypeAt(lua, 2, "as_type", std::nullopt)}, std::array{1});
}

/// Lua's own `select(n, ...)` for a number or "#", else elements by a condition. Upvalue 1 is Lua's.
int select(lua_State *lua) {
  const int type = lua_type(lua, 1);
  if (type == LUA_TNUMBER || type == LUA_TSTRING) {
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
  }
  checkCount(lua, "select", 3, 3);
  return perform(lua, SelectOperation{}, std::array{1, 2, 3});
}

int selectMethod(lua_State *lua) {
  checkCount(lua, "select", 3, 3);
  return perform(lua, SelectOperation{}, std::array{1, 2, 3});
}

/// Lua makes a boolean of whatever these metamethods give, so they cannot give a tensor.
template <const char *symbol, const char *function> int refuseComparison(lua_State *lua) {
  raise(lua, base::ErrorCode::ScriptFailed,
        fmt::format("tensors cannot be compared with {}, because Lua turns the result into one boolean; use {}(a, b) for a tensor "
                    "of truth values "
                    "({} and {} likewise)",
                    symbol, function, symbol[0] == '<' && symbol[1] == '=' ? ">=" : ">",
                    symbol[0] == '<' && symbol[1] == '=' ? "ge" : "gt"));
}

constexpr char kLess[] = "<";
constexpr char kLessFunction[] = "lt";
constexpr char kLessEqual[] = "<=";
constexpr char kLessEqualFunction[] = "le";

constexpr auto kElementwiseBindings = std::to_array<Binding>({
    {"exp", guarded<unary<Op::Exp>>, true, true},
    {"log", guarded<unary<Op::Log>>, true, true},
    {"sqrt", guarded<unary<Op::Sqrt>>, true, true},
    {"rsqrt", guarded<unary<Op::Rsqrt>>, true, true},
    {"abs", guarded<unary<Op::Abs>>, true, true},
    {"sin", guarded<unary<Op::Sin>>, true, true},
    {"cos", guarded<unary<Op::Cos>>, true, true},
    {"tanh", guarded<unary<Op::Tanh>>, true, true},
    {"sigmoid", guarded<unary<Op::Sigmoid>>, true, true},
    {"floor", guarded<unary<Op::Floor>>, true, true},
    {"pow", guarded<binary<Op::Power>>, true, true},
    {"eq", guarded<binary<Op::Equal>>, true, true},
    {"ne", guarded<binary<Op::NotEqual>>, true, true},
    {"lt", guarded<binary<Op::Less>>, true, true},
    {"le", guarded<binary<Op::LessEqual>>, true, true},
    {"gt", guarded<binary<Op::Greater>>, true, true},
    {"ge", guarded<binary<Op::GreaterEqual>>, true, true},
    {"min", guarded<minimumOrMaximum<Op::Minimum, Op::ReduceMin>>, true, false},
    {"max", guarded<minimumOrMaximum<Op::Maximum, Op::ReduceMax>>, true, false},
    {"select", guarded<selectMethod>, false, true},
    {"as_type", guarded<asType>, true, true},
});

constexpr auto kOperators = std::to_array<luaL_Reg>({
    {"__add", guarded<binary<Op::Add>>},
    {"__sub", guarded<binary<Op::Subtract>>},
    {"__mul", guarded<binary<Op::Multiply>>},
    {"__div", guarded<binary<Op::Divide>>},
    {"__idiv", guarded<binary<Op::FloorDivide>>},
    {"__mod", guarded<binary<Op::Modulo>>},
    {"__pow", guarded<binary<Op::Power>>},
    {"__unm", guarded<negate>},
    {"__lt", guarded<refuseComparison<kLess, kLessFunction>>},
    {"__le", guarded<refuseComparison<kLessEqual, kLessEqualFunction>>},
});

} // namespace

void addElementwise(lua_State *lua) {
  addBindings(lua, kElementwiseBindings);
  lua_getglobal(lua, "select");
  lua_pushcclosure(lua, guarded<select>, 1);
  lua_setglobal(lua, "select");
  pushTensorMetatable(lua);
  for (const luaL_Reg &metamethod : kOperators) {
    lua_pushcfunction(lua, metamethod.func);
    lua_setfield(lua, -2, metamethod.name);
  }
  lua_pop(lua, 1);
}

} // namespace jitscope::script
