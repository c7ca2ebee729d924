// SPDX-License-Identifier: GPL-3.0-or-later
// What makes few elements of many: sum, mean, max, min, argmax, dot.
#include "script/bindings/tensors/bindings_reduce.h"
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

constexpr char kSum[] = "sum";
constexpr char kMean[] = "mean";
constexpr char kMax[] = "max";
constexpr char kMin[] = "min";
constexpr char kArgMax[] = "argmax";

template <Op op, const char *name> int reduce(lua_State *lua) {
  checkCount(lua, name, 1, 2);
  if (asTensor(lua, 2) != nullptr) {
    raise(lua, base::ErrorCode::ScriptArgument,
          fmt::format("{}: the second argument must be axes, not a tensor; {}(a, b) without a colon compares two tensors", name,
                      name));
  }
  return perform(lua, ReduceOperation{op, integersAt(lua, 2, name, "axes")}, std::array{1});
}

int dot(lua_State *lua) {
  checkCount(lua, "dot", 2, 2);
  return perform(lua, DotOperation{}, std::array{1, 2});
}

constexpr auto kReduceBindings = std::to_array<Binding>({
    {kSum, guarded<reduce<Op::ReduceSum, kSum>>, true, true},
    {kMean, guarded<reduce<Op::ReduceMean, kMean>>, true, true},
    {kMax, guarded<reduce<Op::ReduceMax, kMax>>, false, true},
    {kMin, guarded<reduce<Op::ReduceMin, kMin>>, false, true},
    {kArgMax, guarded<reduce<Op::ArgMax, kArgMax>>, true, true},
    {"dot", guarded<dot>, true, true},
});

} // namespace

void addReductions(lua_State *lua) { addBindings(lua, kReduceBindings); }

} // namespace jitscope::script
