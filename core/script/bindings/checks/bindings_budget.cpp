// SPDX-License-Identifier: GPL-3.0-or-later
// expect.percentile, no_compiles, templates, code_bytes: what a script allows a case or a function to cost. A budget that nothing
// could exceed, since nothing was measured or compiled, is an error and never held.
#include "script/bindings/checks/bindings_budget.h"
#include "base/percentile.h"
#include "event/compile_cost.h"
#include "script/bindings/bindings.h"
#include "script/bindings/checks/expectations.h"
#include "script/bindings/checks/sorted_totals.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/lua/lua_function.h"
#include "script/lua/near_name.h"
#include "script/lua/table_argument.h"
#include "script/script_context.h"
#include "script/trace/script_function.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lua.hpp>

namespace jitscope::script {

namespace {

constexpr std::array<std::string_view, 5> kPercentileFields = {"case", "input", "leg", "p", "below_ms"};
constexpr std::array<std::string_view, 2> kNoCompilesFields = {"case", "input"};
constexpr std::array<std::string_view, 1> kTemplatesFields = {"at_most"};
constexpr std::array<std::string_view, 1> kCodeFields = {"below"};
constexpr double kMaxMs = 86'400'000; // no leg takes longer than a day
constexpr std::int64_t kMaxTemplates = 1'000'000;
constexpr std::int64_t kMaxCodeBytes = std::int64_t{1} << 40U;

/// Which measurement is meant; what is empty does not restrict.
struct MeasuredName {
  std::string caseName;
  std::optional<std::string> input;
  std::optional<event::Leg> leg;
};

MeasuredName readMeasuredName(const TableArgument &argument) {
  if (argument.size() > 0) {
    argument.refuse("it takes fields such as case= and no list");
  }
  MeasuredName name;
  name.caseName = argument.text("case");
  if (name.caseName.empty()) {
    argument.refuse("case is missing: the name of a case of bench");
  }
  if (std::string input = argument.text("input"); !input.empty()) {
    name.input = std::move(input);
  }
  if (const std::string leg = argument.text("leg"); !leg.empty()) {
    name.leg = event::legFromName(leg);
    if (!name.leg || *name.leg == event::Leg::None) {
      argument.refuse(fmt::format(R"(there is no leg "{}"; there are "cold" and "warm")", leg));
    }
  }
  return name;
}

/// "c (warm)" or "c [large] (warm)".
std::string labelOf(const BenchLegResult &measured) {
  return fmt::format("{} ({})", event::caseName(measured.caseName, measured.inputName), nameOf(measured.leg));
}

/// The measurements of a case, each kind once.
std::string measurementsOf(lua_State *lua, const std::string &caseName) {
  std::vector<std::string> labels;
  for (const BenchLegResult &result : contextOf(lua).benchResults) {
    if (std::string label = labelOf(result); result.caseName == caseName && std::ranges::find(labels, label) == labels.end()) {
      labels.push_back(std::move(label));
    }
  }
  return fmt::format("{}", fmt::join(labels, ", "));
}

/// What to do about the name of a case that was not measured: the one that may be meant, or all there are.
std::string casesInstead(const std::string &caseName, std::vector<std::string_view> names) {
  if (std::string suggestion = suggestionFor(caseName, names); !suggestion.empty()) {
    return suggestion;
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  constexpr std::size_t kMaximum = 8;
  const bool isCut = names.size() > kMaximum;
  names.resize(std::min(names.size(), kMaximum));
  return names.empty() ? std::string() : fmt::format("; there is \"{}\"{}", fmt::join(names, "\", \""), isCut ? ", …" : "");
}

/// The one measurement that is meant: the latest, where a case was measured again.
const BenchLegResult &findMeasured(lua_State *lua, const TableArgument &argument, const MeasuredName &name) {
  std::vector<const BenchLegResult *> found;
  std::vector<std::string_view> names;
  for (const BenchLegResult &result : contextOf(lua).benchResults) {
    names.emplace_back(result.caseName);
    if (result.caseName == name.caseName && name.input.value_or(result.inputName) == result.inputName &&
        name.leg.value_or(result.leg) == result.leg) {
      found.push_back(&result);
    }
  }
  if (found.empty() && std::ranges::find(names, name.caseName) == names.end()) {
    argument.refuse(fmt::format("no case \"{}\" was measured before{}", name.caseName, casesInstead(name.caseName, names)));
  }
  if (found.empty()) {
    argument.refuse(fmt::format("case \"{}\" was not measured with this input and leg, but as {}", name.caseName,
                                measurementsOf(lua, name.caseName)));
  }
  const auto differ = [&found](auto member) {
    return std::ranges::any_of(found, [&](const BenchLegResult *result) { return result->*member != found.back()->*member; });
  };
  const bool inputsDiffer = differ(&BenchLegResult::inputName);
  if (inputsDiffer || differ(&BenchLegResult::leg)) {
    argument.refuse(fmt::format("case \"{}\" was measured as {}: add {}=", name.caseName, measurementsOf(lua, name.caseName),
                                inputsDiffer ? "input" : "leg"));
  }
  return *found.back();
}

/// What there is to say of a leg without samples, whatever the budget.
int concludeUnmeasured(lua_State *lua, const char *name, const BenchLegResult &measured, std::string expected) {
  if (measured.isBroken) {
    return conclude(lua, name, false, std::move(expected), "nothing: the case failed its check and was not measured");
  }
  return refuseVacuous(lua, name, fmt::format("{} has no samples", labelOf(measured)));
}

/// A field that must be there.
void pushBound(const TableArgument &argument, const char *field) {
  if (!argument.pushField(field)) {
    argument.refuse(fmt::format("{} is missing: without a bound it could not fail", field));
  }
}

/// `expect.percentile{case=, input=, leg=, p=, below_ms=}`
int percentile(lua_State *lua) {
  constexpr const char *kName = "expect.percentile";
  checkCount(lua, kName, 1, 1);
  const TableArgument argument(lua, 1, kName, "{case=, leg=, p=, below_ms=}");
  argument.checkFields(kPercentileFields);
  const MeasuredName name = readMeasuredName(argument);
  pushBound(argument, "p");
  const double percent = numberAt(lua, -1, kName, "p");
  if (!isWithin(percent, 0, 100)) {
    argument.refuse(fmt::format("p must be 0 to 100, not {}", percent));
  }
  pushBound(argument, "below_ms");
  const double belowMs = numberAt(lua, -1, kName, "below_ms");
  if (!isWithin(belowMs, 0, kMaxMs) || belowMs == 0) {
    argument.refuse(fmt::format("below_ms must be more than 0 and at most {:.0f}, which is a day, not {}", kMaxMs, belowMs));
  }
  const BenchLegResult &measured = findMeasured(lua, argument, name);
  std::string expected = fmt::format("p{:g} of {} below {:g} ms", percent, labelOf(measured), belowMs);
  if (measured.samples.empty()) {
    return concludeUnmeasured(lua, kName, measured, std::move(expected));
  }
  const double milliseconds = base::percentile(sortedTotals(measured.samples), percent) * 1e-6;
  return conclude(lua, kName, milliseconds < belowMs, std::move(expected), fmt::format("{:.4f} ms", milliseconds));
}

/// `expect.no_compiles{case=, input=}`: about what comes after the warm-up, so about the warm leg.
int noCompiles(lua_State *lua) {
  constexpr const char *kName = "expect.no_compiles";
  checkCount(lua, kName, 1, 1);
  const TableArgument argument(lua, 1, kName, "{case=}");
  argument.checkFields(kNoCompilesFields);
  MeasuredName name = readMeasuredName(argument);
  name.leg = event::Leg::Warm;
  const std::vector<BenchLegResult> &all = contextOf(lua).benchResults;
  const bool isMeasured = std::ranges::any_of(all, [&](const BenchLegResult &result) { return result.caseName == name.caseName; });
  const bool isWarm = std::ranges::any_of(
      all, [&](const BenchLegResult &result) { return result.caseName == name.caseName && result.leg == event::Leg::Warm; });
  if (isMeasured && !isWarm) {
    argument.refuse(fmt::format("case \"{}\" has no warm leg, so it has no samples after a warm-up", name.caseName));
  }
  const BenchLegResult &measured = findMeasured(lua, argument, name);
  std::string expected = fmt::format("no compile in the samples of {}", labelOf(measured));
  if (measured.samples.empty()) {
    return concludeUnmeasured(lua, kName, measured, std::move(expected));
  }
  const auto heldUp = std::ranges::count_if(measured.samples, event::heldUpByCompile, &Sample::outcome);
  std::string actual = heldUp == 0 ? fmt::format("none in {} samples", measured.samples.size())
                                   : fmt::format("{} of {} samples held up by a compile", heldUp, measured.samples.size());
  return conclude(lua, kName, heldUp == 0, std::move(expected), std::move(actual));
}

/// The one function that the list of the argument holds.
const ScriptFunction &functionIn(lua_State *lua, const TableArgument &argument) {
  lua_rawgeti(lua, argument.index(), 1);
  const ScriptFunction *function = asFunction(lua, -1);
  if (function == nullptr || argument.size() != 1) {
    argument.refuse(fmt::format("the list must hold one function made by fn and nothing else, not {}",
                                function == nullptr ? describeValue(lua, -1) : std::to_string(argument.size()) + " values"));
  }
  return *function; // the argument keeps it
}

std::int64_t wholeBound(lua_State *lua, const TableArgument &argument, const char *name, const char *field, std::int64_t most) {
  pushBound(argument, field);
  const std::int64_t bound = integerAt(lua, -1, name, field);
  if (bound < 1 || bound > most) {
    argument.refuse(fmt::format("{} must be 1 to {}, not {}", field, most, bound));
  }
  return bound;
}

std::string vacuousFunction(const ScriptFunction &function) {
  return fmt::format("{} has no executable yet: it was never called or compiled on its own", function.name());
}

/// `expect.templates{f, at_most=4}`: against a storm of compiles for ever new shapes.
int templates(lua_State *lua) {
  constexpr const char *kName = "expect.templates";
  constexpr std::size_t kNamed = 3;
  checkCount(lua, kName, 1, 1);
  const TableArgument argument(lua, 1, kName, "{f, at_most=4}");
  argument.checkFields(kTemplatesFields);
  const ScriptFunction &function = functionIn(lua, argument);
  const std::int64_t atMost = wholeBound(lua, argument, kName, "at_most", kMaxTemplates);
  const std::vector<FunctionTemplate> known = contextOf(lua).host.templatesOf(function.id());
  if (known.empty()) {
    return refuseVacuous(lua, kName, vacuousFunction(function));
  }
  std::vector<std::string_view> last;
  for (const FunctionTemplate &entry : known) {
    last.emplace_back(entry.signature);
  }
  const bool isShort = known.size() <= kNamed;
  last.erase(last.begin(), isShort ? last.begin() : last.end() - kNamed);
  std::string actual = fmt::format("{}: {}{}", known.size(), isShort ? "" : "..., ", fmt::join(last, "; "));
  return conclude(lua, kName, std::cmp_less_equal(known.size(), atMost),
                  fmt::format("at most {} template{} of {}", atMost, atMost == 1 ? "" : "s", function.name()), std::move(actual));
}

/// `expect.code_bytes{f, below=4096}`: each executable, since how many there are is the business of expect.templates.
int codeBytes(lua_State *lua) {
  constexpr const char *kName = "expect.code_bytes";
  checkCount(lua, kName, 1, 1);
  const TableArgument argument(lua, 1, kName, "{f, below=4096}");
  argument.checkFields(kCodeFields);
  const ScriptFunction &function = functionIn(lua, argument);
  const std::int64_t below = wholeBound(lua, argument, kName, "below", kMaxCodeBytes);
  const std::vector<FunctionTemplate> known = contextOf(lua).host.templatesOf(function.id());
  if (known.empty()) {
    return refuseVacuous(lua, kName, vacuousFunction(function));
  }
  const auto largest = std::ranges::max_element(known, {}, &FunctionTemplate::codeBytes);
  return conclude(lua, kName, std::cmp_less(largest->codeBytes, below),
                  fmt::format("each executable of {} below {} bytes", function.name(), below),
                  fmt::format("{} bytes for {}", largest->codeBytes, largest->signature));
}

constexpr auto kBudgets = std::to_array<luaL_Reg>({
    {"code_bytes", guarded<outsideOfTraces<codeBytes>>},
    {"no_compiles", guarded<outsideOfTraces<noCompiles>>},
    {"percentile", guarded<outsideOfTraces<percentile>>},
    {"templates", guarded<outsideOfTraces<templates>>},
});

} // namespace

void addBudgets(lua_State *lua) {
  lua_getglobal(lua, "expect");
  for (const luaL_Reg &function : kBudgets) {
    lua_pushcfunction(lua, function.func);
    lua_setfield(lua, -2, function.name);
  }
  lua_pop(lua, 1);
}

} // namespace jitscope::script
