// SPDX-License-Identifier: GPL-3.0-or-later
// What moves elements: reshape, transpose, broadcast, slice, concat.
#include "script/bindings/tensors/bindings_shape.h"
#include "script/bindings/bindings.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/trace/calls.h"

#include <array>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

namespace {

int reshape(lua_State *lua) {
  checkCount(lua, "reshape", 2, 2);
  return perform(lua, ReshapeOperation{shapeAt(lua, 2, "reshape", /*allowsOpen=*/true)}, std::array{1});
}

int transpose(lua_State *lua) {
  checkCount(lua, "transpose", 1, 2);
  return perform(lua, TransposeOperation{integersAt(lua, 2, "transpose", "axes")}, std::array{1});
}

int broadcast(lua_State *lua) {
  checkCount(lua, "broadcast", 2, 2);
  return perform(lua, BroadcastOperation{shapeAt(lua, 2, "broadcast")}, std::array{1});
}

int slice(lua_State *lua) {
  checkCount(lua, "slice", 3, 3);
  return perform(lua, SliceOperation{integersAt(lua, 2, "slice", "starts"), integersAt(lua, 3, "slice", "sizes")}, std::array{1});
}

int concat(lua_State *lua) {
  checkCount(lua, "concat", 1, 2);
  if (!lua_istable(lua, 1)) {
    raise(lua, base::ErrorCode::ScriptArgument,
          fmt::format("concat: the first argument must be a table of tensors, such as {{a, b}}, not {}", describeValue(lua, 1)));
  }
  const std::int64_t axis = lua_isnoneornil(lua, 2) ? 0 : integerAt(lua, 2, "concat", "axis");
  const auto count = static_cast<int>(lua_rawlen(lua, 1));
  luaL_checkstack(lua, count + 4, "concat: too many tensors");
  std::vector<int> operands;
  operands.reserve(static_cast<std::size_t>(count));
  for (int i = 1; i <= count; ++i) {
    lua_rawgeti(lua, 1, i);
    operands.push_back(lua_gettop(lua));
  }
  if (count == 0) {
    raise(lua, base::ErrorCode::ScriptArgument, "concat: the table of tensors is empty");
  }
  return perform(lua, ConcatOperation{axis}, operands);
}

constexpr auto kShapeBindings = std::to_array<Binding>({
    {"reshape", guarded<reshape>, true, true},
    {"transpose", guarded<transpose>, true, true},
    {"broadcast", guarded<broadcast>, true, true},
    {"slice", guarded<slice>, true, true},
    {"concat", guarded<concat>, true, false},
});

} // namespace

void addShapes(lua_State *lua) { addBindings(lua, kShapeBindings); }

} // namespace jitscope::script
