// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

struct lua_State;

namespace jitscope::script {

struct Comparison {
  bool isEqual = false;
  std::string expected; ///< the second value
  std::string actual;   ///< the first, and where they differ most
};

/// Compares two Lua values for `expect.equal`. Tensors, numbers and tables of numbers are equal when their shapes are and no
/// element differs by more than `tolerance`; dtypes may differ, NaN equals NaN. Everything else is equal as Lua's `rawequal` has
/// it.
Comparison compareValues(lua_State *lua, int actual, int expected, double tolerance);

} // namespace jitscope::script
