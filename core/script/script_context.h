// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"
#include "script/lua/counting_allocator.h"
#include "script/lua/lua_error.h"
#include "script/lua/lua_limits.h"
#include "script/sandbox/watchdog.h"
#include "script/tensor/tensor_garbage.h"
#include "script/trace/eager_operations.h"
#include "script/trace/lua_graph_source.h"
#include "script/trace/static_value.h"
#include "script/trace/tracer.h"

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

struct lua_State;

namespace jitscope::script {

/// Everything that belongs to one running script. The bindings reach it through their Lua state, so nothing is global.
struct ScriptContext {
  ScriptContext(std::string name, Host &engine, const LuaOptions &runOptions, Watchdog &dog)
      : scriptName(std::move(name)), host(engine), options(runOptions), allocator(runOptions.limits.memoryBytes), watchdog(dog),
        garbage(engine) {
    link->tracer = &tracer;
  }
  ScriptContext(const ScriptContext &) = delete;
  ScriptContext &operator=(const ScriptContext &) = delete;

  std::string scriptName;
  Host &host;
  LuaOptions options;
  CountingAllocator allocator;
  Watchdog &watchdog;
  ErrorSlot errors;
  TensorGarbage garbage;
  std::shared_ptr<StaticReferences> staticReferences = std::make_shared<StaticReferences>();
  Tracer tracer;
  std::shared_ptr<TracerLink> link = std::make_shared<TracerLink>();
  EagerOperations eager;
  std::vector<BenchLegResult> benchResults;  ///< of all `bench` calls so far, for budgets
  std::set<base::FunctionId> warnedOfFrozen; ///< functions whose frozen values were warned of, which is done once
  std::uint64_t requests = 0;                ///< calls, compiles and benches that the engine was asked for
  std::uint64_t failedExpectations = 0;
  std::uint64_t nextSeed = 0; ///< of the next uniform or normal without a seed
};

/// The context of the script that `lua`, any thread of its state, belongs to.
ScriptContext &contextOf(lua_State *lua);
/// Ties them together; before anything else is done with the state.
void setContext(lua_State *lua, ScriptContext &context);

} // namespace jitscope::script
