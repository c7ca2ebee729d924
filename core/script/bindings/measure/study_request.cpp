// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/bindings/measure/study_request.h"

#include "script/bindings/measure/module_set.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/lua_function.h"
#include "script/lua/table_argument.h"
#include "script/trace/calls.h"

#include <array>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

constexpr std::array<std::string_view, 2> kStudyFields = {"pipelines", "repetitions"};
constexpr std::array<std::string_view, 2> kModuleFields = {"root", "triple"};
constexpr std::int64_t kMaxRepetitions = 1000;

std::vector<std::string> readPipelines(lua_State *lua, const TableArgument &argument) {
  std::vector<std::string> names;
  if (!argument.pushField("pipelines")) {
    return names;
  }
  if (!lua_istable(lua, -1) || lua_rawlen(lua, -1) == 0) {
    argument.refuse(fmt::format(R"(pipelines must be a table of names such as {{"per-function", "deferred"}}, not {})",
                                lua_istable(lua, -1) ? "an empty one" : describeValue(lua, -1)));
  }
  const auto count = static_cast<lua_Integer>(lua_rawlen(lua, -1));
  for (lua_Integer i = 1; i <= count; ++i) {
    lua_rawgeti(lua, -1, i);
    names.push_back(stringAt(lua, -1, "study", "a pipeline"));
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
  return names;
}

std::vector<Argument> readArguments(lua_State *lua, const TableArgument &argument, const ScriptFunction &function) {
  if (const std::string problem = function.argumentProblem(static_cast<int>(argument.size()) - 1); !problem.empty()) {
    argument.refuse(problem);
  }
  std::vector<Argument> arguments;
  for (std::int64_t i = 2; i <= argument.size(); ++i) {
    lua_rawgeti(lua, argument.index(), i);
    arguments.push_back(
        argumentAt(lua, lua_gettop(lua), {ValueName::Kind::CallArgument, function.name(), static_cast<int>(i) - 1}));
    lua_pop(lua, 1);
  }
  return arguments;
}

} // namespace

StudyRequest readStudyRequest(lua_State *lua, int index) {
  const TableArgument argument(lua, index, "study", "{f, a, b}");
  argument.checkFields(kStudyFields);
  StudyRequest request;
  request.pipelines = readPipelines(lua, argument);
  if (argument.pushField("repetitions")) {
    const std::int64_t repetitions = integerAt(lua, -1, "study", "repetitions");
    if (repetitions < 0 || repetitions > kMaxRepetitions) {
      argument.refuse(fmt::format("repetitions must be 0 to {}, not {}", kMaxRepetitions, repetitions));
    }
    request.repetitions = static_cast<std::uint32_t>(repetitions);
    lua_pop(lua, 1);
  }
  lua_rawgeti(lua, argument.index(), 1);
  if (const ModuleSet *modules = asModuleSet(lua, -1)) {
    if (argument.size() > 1) {
      argument.refuse("modules are never executed: nothing can follow them in the list");
    }
    request.modules = *modules;
  } else if (const ScriptFunction *function = asFunction(lua, -1)) {
    request.function = function->id();
    request.name = function->name();
    request.arguments = readArguments(lua, argument, *function);
  } else {
    argument.refuse(
        fmt::format("the list must begin with a function made by fn or with modules{{...}}, not {}", describeValue(lua, -1)));
  }
  lua_pop(lua, 1);
  request.line = currentLine(lua);
  return request;
}

ModuleSet readModuleSet(lua_State *lua, int index) {
  const TableArgument argument(lua, index, "modules", R"({"a.bc", "b.ll", root="symbol"})");
  argument.checkFields(kModuleFields);
  if (argument.size() == 0) {
    argument.refuse("no file is named");
  }
  ModuleSet set;
  for (std::int64_t i = 1; i <= argument.size(); ++i) {
    lua_rawgeti(lua, argument.index(), i);
    set.paths.push_back(stringAt(lua, -1, "modules", "a file"));
    lua_pop(lua, 1);
  }
  set.root = argument.text("root");
  set.triple = argument.text("triple");
  return set;
}

} // namespace jitscope::script
