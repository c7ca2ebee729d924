// SPDX-License-Identifier: GPL-3.0-or-later
// bench: reads the request, lets cases be checked and the engine measure, keeps the samples for budgets.
#include "script/bindings/measure/bindings_bench.h"
#include "base/percentile.h"
#include "script/bindings/bindings.h"
#include "script/bindings/checks/sorted_totals.h"
#include "script/bindings/measure/bench_checks.h"
#include "script/bindings/measure/bench_request.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/script_context.h"
#include "script/trace/frozen_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include <lua.hpp>

namespace jitscope::script {

namespace {

void pushLegResult(lua_State *lua, const BenchLegResult &result) {
  const auto setText = [&](const char *key, std::string_view text) {
    lua_pushlstring(lua, text.data(), text.size());
    lua_setfield(lua, -2, key);
  };
  lua_createtable(lua, 0, 8);
  setText("case", result.caseName);
  setText("input", result.inputName);
  setText("leg", nameOf(result.leg));
  lua_pushinteger(lua, static_cast<lua_Integer>(result.samples.size()));
  lua_setfield(lua, -2, "samples");
  lua_pushboolean(lua, result.isBroken ? 1 : 0);
  lua_setfield(lua, -2, "broken");
  // Not the samples themselves: there may be millions, and the session has them. A leg that was passed over has figures, too, so
  // that a script that reckons with them comes to its next bench when it runs again for a cold leg.
  const std::vector<std::uint64_t> sorted = sortedTotals(result.samples);
  const std::pair<const char *, double> figures[] = {{"min_ns", 0}, {"median_ns", 50}, {"max_ns", 100}};
  for (const auto &[key, percent] : figures) {
    lua_pushnumber(lua, sorted.empty() ? std::numeric_limits<double>::quiet_NaN() : base::percentile(sorted, percent));
    lua_setfield(lua, -2, key);
  }
}

/// Gives a list of {case=, input=, leg=, samples=, broken=, min_ns=, median_ns=, max_ns=}.
int bench(lua_State *lua) {
  checkCount(lua, "bench", 1, 1);
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "bench");
  BenchRequest request = readBenchRequest(lua, 1);
  runChecks(lua, 1, request);
  ++context.requests;
  const int line = currentLine(lua);
  context.tracer.setCallLine(line);
  context.garbage.collect(lua); // nothing of the script's past shall be freed between samples
  base::Result<std::vector<BenchLegResult>> measured = [&] {
    const Watchdog::Away away(context.watchdog, "a benchmark", line);
    return context.host.bench(request);
  }();
  context.watchdog.restart();
  std::vector<BenchLegResult> results = valueOrRaise(lua, std::move(measured));
  for (const BenchCase &benchCase : request.cases) {
    for (const BenchInput &input : benchCase.inputs) {
      warnOfFrozenValues(lua, benchCase.function, context.host.frozenIn(benchCase.function, input.arguments).get());
    }
  }
  lua_createtable(lua, static_cast<int>(results.size()), 0);
  for (std::size_t i = 0; i < results.size(); ++i) {
    pushLegResult(lua, results[i]);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
  std::ranges::move(results, std::back_inserter(context.benchResults));
  return 1;
}

constexpr auto kBenchBindings = std::to_array<Binding>({{"bench", guarded<bench>, true, false}});

} // namespace

void addBench(lua_State *lua) { addBindings(lua, kBenchBindings); }

} // namespace jitscope::script
