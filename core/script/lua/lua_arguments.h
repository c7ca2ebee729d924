// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/dtype.h"
#include "graph/shape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct lua_State;

/// Reading the arguments of script functions. Each raises ScriptArgument in the form "iota: shape must be …, not …".
namespace jitscope::script {

/// Whether `value` lies between the two, which NaN does not.
constexpr bool isWithin(double value, double least, double most) { return value >= least && value <= most; }

/// Between `least` and `most` arguments were given. Lua alone would drop what is too much.
void checkCount(lua_State *lua, std::string_view function, int least, int most);

/// A whole number (1.0 is one; the string "1" is not).
std::int64_t integerAt(lua_State *lua, int index, std::string_view function, std::string_view what);
double numberAt(lua_State *lua, int index, std::string_view function, std::string_view what);
std::string stringAt(lua_State *lua, int index, std::string_view function, std::string_view what);

/// A table of whole numbers; a single number stands for a table of one. Nil and nothing give none.
std::vector<std::int64_t> integersAt(lua_State *lua, int index, std::string_view function, std::string_view what);
/// Sizes; -1 only where `allowsOpen`.
graph::Shape shapeAt(lua_State *lua, int index, std::string_view function, bool allowsOpen = false);
/// A dtype's name; `fallback` for nil and nothing, an error where there is no fallback.
graph::DType dtypeAt(lua_State *lua, int index, std::string_view function, std::optional<graph::DType> fallback);

} // namespace jitscope::script
