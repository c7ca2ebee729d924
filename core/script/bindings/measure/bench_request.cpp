// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/bindings/measure/bench_request.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/lua_function.h"
#include "script/lua/table_argument.h"
#include "script/trace/calls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;

namespace {

constexpr double kMaxSeconds = 86400;
constexpr std::int64_t kMaxParallel = 1024;
constexpr std::int64_t kMaxSamples = 100'000'000;
constexpr std::array<std::string_view, 7> kFields = {"warmup", "time", "parallel", "legs", "inputs", "check", "max_samples"};
constexpr std::array<std::string_view, 1> kCaseFields = {"check"};

class BenchReader {
public:
  BenchReader(lua_State *lua, int index) : m_lua(lua), m_argument(lua, index, "bench", "{time=4, {\"case\", f, a}}") {}

  BenchRequest read() {
    m_argument.checkFields(kFields, "the list of cases has a hole (is one of them nil?)");
    readSeconds("warmup", m_request.warmupSeconds, /*mayBeZero=*/true);
    readSeconds("time", m_request.timeSeconds, /*mayBeZero=*/false);
    readParallel();
    readMaxSamples();
    readCheck(m_argument);
    readLegs();
    readInputNames();
    readCases();
    return std::move(m_request);
  }

private:
  [[noreturn]] void refuse(const std::string &problem) { m_argument.refuse(problem); }

  void readSeconds(const char *field, double &seconds, bool mayBeZero) {
    if (!m_argument.pushField(field)) {
      return;
    }
    const double value = numberAt(m_lua, -1, "bench", field);
    if (!isWithin(value, 0, kMaxSeconds) || (value == 0 && !mayBeZero)) {
      refuse(fmt::format("{} must be {} and at most {:.0f} seconds, not {}", field, mayBeZero ? "at least 0" : "more than 0",
                         kMaxSeconds, value));
    }
    seconds = value;
    lua_pop(m_lua, 1);
  }

  void readParallel() {
    if (!m_argument.pushField("parallel")) {
      return;
    }
    const std::int64_t value = integerAt(m_lua, -1, "bench", "parallel");
    if (value < 1 || value > kMaxParallel) {
      refuse(fmt::format("parallel must be 1 to {}, not {}", kMaxParallel, value));
    }
    m_request.parallel = static_cast<std::uint32_t>(value);
    lua_pop(m_lua, 1);
  }

  void readMaxSamples() {
    if (!m_argument.pushField("max_samples")) {
      return;
    }
    const std::int64_t value = integerAt(m_lua, -1, "bench", "max_samples");
    if (value < 1 || value > kMaxSamples) {
      refuse(fmt::format("max_samples must be 1 to {}, not {}", kMaxSamples, value));
    }
    m_request.maxSamples = static_cast<std::uint64_t>(value);
    lua_pop(m_lua, 1);
  }

  /// Only whether there may be one: it stays in the table, for runChecks.
  void readCheck(const TableArgument &argument) {
    if (argument.pushField("check")) {
      if (!lua_isfunction(m_lua, -1)) {
        refuse(fmt::format("check must be a Lua function that is given the results, not {}", describeValue(m_lua, -1)));
      }
      lua_pop(m_lua, 1);
    }
  }

  void readLegs() {
    if (!m_argument.pushField("legs")) {
      return;
    }
    if (!lua_istable(m_lua, -1) || lua_rawlen(m_lua, -1) == 0) {
      refuse(fmt::format(R"(legs must be a table of "cold" and "warm", not {})",
                         lua_istable(m_lua, -1) ? "an empty one" : describeValue(m_lua, -1)));
    }
    m_request.legs.clear();
    const auto count = static_cast<lua_Integer>(lua_rawlen(m_lua, -1));
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(m_lua, -1, i);
      const std::string name = stringAt(m_lua, -1, "bench", "a leg");
      const std::optional<event::Leg> leg = event::legFromName(name);
      if (!leg || *leg == event::Leg::None) {
        refuse(fmt::format(R"(there is no leg "{}"; there are "cold" and "warm")", name));
      }
      if (std::ranges::find(m_request.legs, *leg) != m_request.legs.end()) {
        refuse(fmt::format("leg \"{}\" is named twice", name));
      }
      m_request.legs.push_back(*leg);
      lua_pop(m_lua, 1);
    }
    lua_pop(m_lua, 1);
  }

  void readInputNames() {
    m_hasInputs = m_argument.pushField("inputs");
    if (!m_hasInputs) {
      return;
    }
    if (!lua_istable(m_lua, -1)) {
      refuse(fmt::format("inputs must be a table such as {{small={{a, b}}, large={{c, d}}}}, not {}", describeValue(m_lua, -1)));
    }
    lua_pushnil(m_lua);
    while (lua_next(m_lua, -2) != 0) {
      if (lua_type(m_lua, -2) != LUA_TSTRING || lua_rawlen(m_lua, -2) == 0) {
        refuse("each of inputs needs a name, as in inputs={small={a, b}}");
      }
      m_inputNames.emplace_back(lua_tostring(m_lua, -2));
      if (!lua_istable(m_lua, -1)) {
        refuse(fmt::format("input \"{}\" must be a table of arguments, not {}", m_inputNames.back(), describeValue(m_lua, -1)));
      }
      lua_pop(m_lua, 1);
    }
    if (m_inputNames.empty()) {
      refuse("inputs is empty");
    }
    std::ranges::sort(m_inputNames); // Lua's own order differs from run to run
    m_inputsIndex = lua_gettop(m_lua);
  }

  void readCases() {
    const std::int64_t count = m_argument.size();
    if (count == 0) {
      refuse("there is no case; one is {\"name\", f, a, b}");
    }
    for (lua_Integer i = 1; i <= count; ++i) {
      lua_rawgeti(m_lua, m_argument.index(), i);
      readCase(lua_gettop(m_lua), i);
      lua_pop(m_lua, 1);
    }
  }

  void readCase(int caseIndex, lua_Integer position) {
    if (!lua_istable(m_lua, caseIndex)) {
      refuse(fmt::format("case {} must be a table {{\"name\", f, ...}}, not {}", position, describeValue(m_lua, caseIndex)));
    }
    const TableArgument fields(m_lua, caseIndex, "bench", "{\"name\", f, a}");
    fields.checkFields(kCaseFields, "a case has a hole (is one of its arguments nil?)");
    readCheck(fields);
    BenchCase benchCase;
    lua_rawgeti(m_lua, caseIndex, 1);
    benchCase.name = stringAt(m_lua, -1, "bench", fmt::format("the name of case {}", position));
    lua_pop(m_lua, 1);
    if (benchCase.name.empty()) {
      refuse(fmt::format("the name of case {} is empty", position));
    }
    if (std::ranges::any_of(m_request.cases, [&](const BenchCase &other) { return other.name == benchCase.name; })) {
      refuse(fmt::format("two cases are called \"{}\"", benchCase.name));
    }
    lua_rawgeti(m_lua, caseIndex, 2);
    const ScriptFunction *function = asFunction(m_lua, -1);
    if (function == nullptr) {
      refuse(fmt::format("case \"{}\" must have a function made by fn after its name, not {}", benchCase.name,
                         describeValue(m_lua, -1)));
    }
    benchCase.function = function->id();
    if (!m_hasInputs) {
      benchCase.inputs.push_back({"", argumentsIn(caseIndex, 3, *function, fmt::format("case \"{}\"", benchCase.name))});
    } else if (lua_rawlen(m_lua, caseIndex) > 2) {
      refuse(fmt::format("case \"{}\" has arguments of its own, but its arguments come from inputs", benchCase.name));
    }
    for (const std::string &name : m_inputNames) {
      lua_getfield(m_lua, m_inputsIndex, name.c_str());
      benchCase.inputs.push_back(
          {name, argumentsIn(lua_gettop(m_lua), 1, *function, fmt::format(R"(case "{}" with input "{}")", benchCase.name, name))});
      lua_pop(m_lua, 1);
    }
    lua_pop(m_lua, 1);
    m_request.cases.push_back(std::move(benchCase));
  }

  /// Entries `first` … of the table as arguments of `function`.
  std::vector<Argument> argumentsIn(int table, lua_Integer first, const ScriptFunction &function, const std::string &where) {
    const auto count = static_cast<lua_Integer>(lua_rawlen(m_lua, table));
    const int given = static_cast<int>(std::max<lua_Integer>(0, count - first + 1));
    if (const std::string problem = function.argumentProblem(given); !problem.empty()) {
      refuse(fmt::format("{}: {}", where, problem));
    }
    std::vector<Argument> arguments;
    for (lua_Integer i = first; i <= count; ++i) {
      lua_rawgeti(m_lua, table, i);
      arguments.push_back(
          argumentAt(m_lua, lua_gettop(m_lua), {ValueName::Kind::CallArgument, function.name(), static_cast<int>(i - first) + 1}));
      lua_pop(m_lua, 1);
    }
    return arguments;
  }

  lua_State *m_lua;
  TableArgument m_argument;
  BenchRequest m_request;
  bool m_hasInputs = false;
  std::vector<std::string> m_inputNames;
  int m_inputsIndex = 0;
};

} // namespace

BenchRequest readBenchRequest(lua_State *lua, int index) { return BenchReader(lua, index).read(); }

} // namespace jitscope::script
