// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/near_name.h"

#include <array>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

[[noreturn]] void refuse(lua_State *lua, int index, std::string_view function, std::string_view what, std::string_view expected) {
  raise(lua, ErrorCode::ScriptArgument,
        fmt::format("{}: {} must be {}, not {}", function, what, expected, describeValue(lua, index)));
}

} // namespace

void checkCount(lua_State *lua, std::string_view function, int least, int most) {
  const int given = lua_gettop(lua);
  if (given >= least && given <= most) {
    return;
  }
  const std::string expected = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  raise(lua, ErrorCode::ScriptArgument,
        fmt::format("{}: expected {} argument{}, got {}", function, expected, expected == "1" ? "" : "s", given));
}

std::int64_t integerAt(lua_State *lua, int index, std::string_view function, std::string_view what) {
  int isInteger = 0;
  const lua_Integer value = lua_type(lua, index) == LUA_TNUMBER ? lua_tointegerx(lua, index, &isInteger) : 0;
  if (isInteger == 0) {
    if (lua_type(lua, index) == LUA_TNUMBER) {
      raise(lua, ErrorCode::ScriptArgument,
            fmt::format("{}: {} must be a whole number, not {}", function, what, lua_tonumber(lua, index)));
    }
    refuse(lua, index, function, what, "a whole number");
  }
  return value;
}

double numberAt(lua_State *lua, int index, std::string_view function, std::string_view what) {
  if (lua_type(lua, index) != LUA_TNUMBER) {
    refuse(lua, index, function, what, "a number");
  }
  return lua_tonumber(lua, index);
}

std::string stringAt(lua_State *lua, int index, std::string_view function, std::string_view what) {
  if (lua_type(lua, index) != LUA_TSTRING) {
    refuse(lua, index, function, what, "a string");
  }
  std::size_t length = 0;
  const char *text = lua_tolstring(lua, index, &length);
  return {text, length};
}

std::vector<std::int64_t> integersAt(lua_State *lua, int index, std::string_view function, std::string_view what) {
  if (lua_isnoneornil(lua, index)) {
    return {};
  }
  if (lua_type(lua, index) == LUA_TNUMBER) {
    return {integerAt(lua, index, function, what)};
  }
  if (!lua_istable(lua, index)) {
    refuse(lua, index, function, what, "a table of whole numbers, such as {0, 1}");
  }
  const lua_Unsigned count = lua_rawlen(lua, index);
  if (count > graph::kMaxRank) {
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("{}: {} has {} entries, but a tensor has at most {} axes", function, what, count, graph::kMaxRank));
  }
  std::vector<std::int64_t> numbers;
  for (lua_Unsigned i = 1; i <= count; ++i) {
    lua_rawgeti(lua, index, static_cast<lua_Integer>(i));
    numbers.push_back(integerAt(lua, -1, function, fmt::format("entry {} of {}", i, what)));
    lua_pop(lua, 1);
  }
  lua_pushnil(lua);
  while (lua_next(lua, index) != 0) {
    if (lua_isinteger(lua, -2) == 0) {
      raise(lua, ErrorCode::ScriptArgument, fmt::format("{}: {} must be a list such as {{64, 64}}, without keys", function, what));
    }
    lua_pop(lua, 1);
  }
  return numbers;
}

graph::Shape shapeAt(lua_State *lua, int index, std::string_view function, bool allowsOpen) {
  if (!lua_istable(lua, index) && lua_type(lua, index) != LUA_TNUMBER) {
    refuse(lua, index, function, "shape", "a table of sizes, such as {64, 64}");
  }
  const std::vector<std::int64_t> sizes = integersAt(lua, index, function, "shape");
  for (const std::int64_t size : sizes) {
    const bool isOpen = allowsOpen && size == -1;
    if (size < 0 && !isOpen) {
      raise(lua, ErrorCode::ScriptShape, fmt::format("{}: shape has the negative size {}", function, size));
    }
  }
  return graph::Shape(sizes);
}

graph::DType dtypeAt(lua_State *lua, int index, std::string_view function, std::optional<graph::DType> fallback) {
  if (fallback && lua_isnoneornil(lua, index)) {
    return *fallback;
  }
  if (lua_type(lua, index) != LUA_TSTRING) {
    refuse(lua, index, function, "dtype", "a name such as \"f32\"");
  }
  const std::string name = stringAt(lua, index, function, "dtype");
  const std::optional<graph::DType> dtype = graph::dtypeFromName(name);
  if (!dtype) {
    static constexpr std::array<std::string_view, graph::kDTypeCount> kNames = {"pred", "u8", "s32", "s64", "f32", "f64"};
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("{}: there is no dtype \"{}\"; there are pred, u8, s32, s64, f32 and f64{}", function, name,
                      suggestionFor(name, kNames)));
  }
  return *dtype;
}

} // namespace jitscope::script
