// SPDX-License-Identifier: GPL-3.0-or-later
// study and modules: the same input under several pipelines.
#include "script/bindings/measure/bindings_study.h"
#include "event/loops.h"
#include "script/bindings/bindings.h"
#include "script/bindings/measure/module_set.h"
#include "script/bindings/measure/study_request.h"
#include "script/lua/lua_arguments.h"
#include "script/lua/lua_error.h"
#include "script/script_context.h"
#include "script/trace/frozen_values.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lua.hpp>

namespace jitscope::script {

namespace {

/// Three digits or more, in the unit that suits: "87.1 µs".
std::string durationText(double ns) {
  struct Unit {
    double ns;
    const char *name;
  };
  constexpr auto kUnits = std::to_array<Unit>({{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}});
  const auto *const unit = std::ranges::find_if(kUnits, [ns](const Unit &candidate) { return ns >= candidate.ns; });
  const Unit &chosen = unit == kUnits.end() ? kUnits.back() : *unit;
  const double value = ns / chosen.ns;
  return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : value < 100 ? 1 : 0, chosen.name);
}

std::string loopsText(const std::vector<event::LoopResult> &loops) {
  std::vector<std::string> texts;
  for (const event::LoopResult &loop : loops) {
    texts.push_back(fmt::format("width {} at line {}", event::widthText(loop), loop.line));
  }
  return texts.empty() ? "no loop vectorized" : fmt::format("vectorized: {}", fmt::join(texts, ", "));
}

/// What the script's reader sees at once; the whole is in the report.
std::string describe(const StudyPipeline &pipeline) {
  if (!pipeline.error.empty()) {
    return fmt::format("  {:<14}{}\n", pipeline.pipeline, pipeline.error);
  }
  const std::string call = pipeline.executeNs > 0 ? durationText(pipeline.executeNs) + " a call" : "";
  return fmt::format("  {:<14}compile {:>8}  {:>15}  {:>6} B  {}\n", pipeline.pipeline, durationText(pipeline.compileNs), call,
                     pipeline.codeBytes, loopsText(pipeline.loops));
}

void pushPipeline(lua_State *lua, const StudyPipeline &pipeline) {
  const auto setText = [&](const char *key, const std::string &text) {
    lua_pushlstring(lua, text.data(), text.size());
    lua_setfield(lua, -2, key);
  };
  lua_createtable(lua, 0, 7);
  setText("pipeline", pipeline.pipeline);
  if (!pipeline.error.empty()) {
    setText("error", pipeline.error);
    return;
  }
  lua_pushnumber(lua, pipeline.compileNs);
  lua_setfield(lua, -2, "compile_ns");
  if (pipeline.executeNs > 0) {
    lua_pushnumber(lua, pipeline.executeNs);
    lua_setfield(lua, -2, "execute_ns");
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(pipeline.codeBytes));
  lua_setfield(lua, -2, "code_bytes");
  lua_pushinteger(lua, static_cast<lua_Integer>(pipeline.loops.size()));
  lua_setfield(lua, -2, "vectorized_loops");
  lua_pushboolean(lua, pipeline.isEqual ? 1 : 0);
  lua_setfield(lua, -2, "equal");
}

/// Different results are what nobody may overlook: they fail the run as an expectation does.
void expectEqualResults(lua_State *lua, const StudyRequest &request, const std::vector<StudyPipeline> &pipelines) {
  std::vector<std::string_view> different;
  for (const StudyPipeline &pipeline : pipelines) {
    if (pipeline.error.empty() && !pipeline.isEqual) {
      different.push_back(pipeline.pipeline);
    }
  }
  ScriptContext &context = contextOf(lua);
  std::string actual = different.empty() ? "equal results" : fmt::format("different results of {}", fmt::join(different, ", "));
  if (!different.empty()) {
    context.host.print(fmt::format("{}study failed: expected equal results under every pipeline, got {}\n", placeOf(lua), actual));
  }
  context.host.expectation({request.line, "study", different.empty(), "equal results", std::move(actual)});
}

/// Gives a list of {pipeline=, compile_ns=, execute_ns=, code_bytes=, vectorized_loops=, equal=, error=}.
int study(lua_State *lua) {
  checkCount(lua, "study", 1, 1);
  ScriptContext &context = contextOf(lua);
  context.tracer.refuseInTrace(lua, "study");
  const StudyRequest request = readStudyRequest(lua, 1);
  const int line = currentLine(lua);
  context.tracer.setCallLine(line);
  context.garbage.collect(lua);
  base::Result<std::vector<StudyPipeline>> studied = [&] {
    const Watchdog::Away away(context.watchdog, "a study", line);
    return context.host.study(request);
  }();
  context.watchdog.restart();
  const std::vector<StudyPipeline> pipelines = valueOrRaise(lua, std::move(studied));
  if (!request.modules) {
    warnOfFrozenValues(lua, request.function, context.host.frozenIn(request.function, request.arguments).get());
  }
  std::string text =
      fmt::format("study {}\n", request.modules ? fmt::format("of {} modules", request.modules->paths.size()) : request.name);
  for (const StudyPipeline &pipeline : pipelines) {
    text += describe(pipeline);
  }
  context.host.print(text + "\n");
  if (!request.modules && !pipelines.empty()) {
    expectEqualResults(lua, request, pipelines);
  }
  lua_createtable(lua, static_cast<int>(pipelines.size()), 0);
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    pushPipeline(lua, pipelines[i]);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
  return 1;
}

int modules(lua_State *lua) {
  checkCount(lua, "modules", 1, 1);
  contextOf(lua).tracer.refuseInTrace(lua, "modules");
  pushModuleSet(lua, readModuleSet(lua, 1));
  return 1;
}

constexpr auto kStudyBindings = std::to_array<Binding>({
    {"study", guarded<study>, true, false},
    {"modules", guarded<modules>, true, false},
});

} // namespace

void addStudies(lua_State *lua) {
  createModuleSetType(lua);
  addBindings(lua, kStudyBindings);
}

} // namespace jitscope::script
