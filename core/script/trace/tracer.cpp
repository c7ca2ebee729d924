// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/tracer.h"
#include "script/lua/finally.h"
#include "script/lua/lua_error.h"
#include "script/script_context.h"
#include "script/trace/frozen_values.h"
#include "script/trace/graph_parameters.h"
#include "script/trace/static_value.h"

#include <algorithm>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

/// What a body may need of the C stack on its own: 200 nested C calls of Lua's library, each with a buffer of 1 KiB and more.
constexpr std::size_t kStackReserve = std::size_t{1} << 20U;

/// What the body reads from outside, before it runs.
LuaFrozenValues::Part readsOf(lua_State *lua, ScriptFunction &function) {
  std::shared_ptr<const OutsideReads> reads = function.outsideReads();
  if (!reads || !reads->isCurrent()) {
    luaL_checkstack(lua, 4, "tracing");
    lua_rawgeti(lua, LUA_REGISTRYINDEX, function.luaReference());
    reads = OutsideReads::of(lua, -1);
    lua_pop(lua, 1);
    function.setOutsideReads(reads);
  }
  OutsideReads::Values values = reads->values(lua);
  return {function.name(), std::move(reads), std::move(values)};
}

int staticCountOf(const graph::Template &tmpl) {
  return static_cast<int>(std::ranges::count_if(
      tmpl.arguments, [](const graph::ArgumentType &argument) { return std::holds_alternative<graph::StaticValue>(argument); }));
}

} // namespace

ActiveTrace::ActiveTrace(const ScriptFunction &function, std::string signature, std::vector<graph::TensorType> parameterTypes)
    : m_function(function), m_signature(std::move(signature)),
      m_identity(std::make_shared<const TraceIdentity>(function.name(), function.line())),
      m_builder(function.name(), function.line(), function.id(), std::move(parameterTypes)) {}

graph::NodeIndex ActiveTrace::capture(const graph::Tensor &tensor) {
  const auto [known, isNew] = m_captures.try_emplace({tensor.buffer.get(), toString(tensor.type())}, 0);
  if (isNew) {
    known->second = m_builder.capture(tensor);
  }
  return known->second;
}

/// A trace that the engine asks for, on its way through lua_pcall.
struct Tracer::Request {
  Tracer *tracer;
  ScriptFunction *function;
  const graph::Template *tmpl;
  std::span<const Argument> arguments;
  std::shared_ptr<const TracedGraph> traced;
};

void Tracer::attach(lua_State *lua) {
  m_base = lua_newthread(lua);
  luaL_ref(lua, LUA_REGISTRYINDEX); // for the life of the state
}

void Tracer::refuseInTrace(lua_State *lua, const char *what) const {
  if (const ActiveTrace *trace = innermost()) {
    raise(lua, ErrorCode::ScriptFailed,
          fmt::format("{} cannot be used while a function is traced (this is the body of '{}'); use it outside", what,
                      trace->function().name()));
  }
}

// NOLINTNEXTLINE(readability-make-member-function-const): it adds to the graph that is traced
graph::NodeIndex Tracer::nodeAt(lua_State *lua, int index, const ValueName &name) {
  ActiveTrace &trace = *innermost();
  if (lua_type(lua, index) == LUA_TNUMBER) {
    return lua_isinteger(lua, index) != 0 ? trace.builder().number(static_cast<std::int64_t>(lua_tointeger(lua, index)))
                                          : trace.builder().number(lua_tonumber(lua, index));
  }
  const TensorValue *value = asTensor(lua, index);
  if (value == nullptr) {
    raise(lua, ErrorCode::ScriptArgument,
          fmt::format("{} must be a tensor or a number, not {}", name.text(), describeValue(lua, index)));
  }
  if (const auto *concrete = std::get_if<graph::Tensor>(value)) {
    return trace.capture(*concrete);
  }
  const auto &symbolic = std::get<SymbolicTensor>(*value);
  if (symbolic.trace == trace.identity()) {
    return symbolic.node;
  }
  raiseForeignTensor(lua, symbolic);
}

std::string Tracer::describeForeignTensor(const SymbolicTensor &tensor) const {
  const bool isOuter = std::ranges::any_of(m_active, [&](const auto &active) { return active->identity() == tensor.trace; });
  const std::string owner =
      fmt::format("a tensor of the trace of '{}' (line {}) was used ", tensor.trace->function, tensor.trace->line);
  if (isOuter) {
    const std::string &inner = innermost()->function().name();
    return fmt::format("{}inside '{}': pass it to '{}' as an argument", owner, inner, inner);
  }
  return fmt::format("{}after that trace ended: it stands for a value that only exists inside the function; return it instead",
                     owner);
}

void Tracer::raiseForeignTensor(lua_State *lua, const SymbolicTensor &tensor) const {
  raise(lua, ErrorCode::ScriptFailed, describeForeignTensor(tensor));
}

void Tracer::checkDepth(lua_State *lua, const ScriptFunction &function, const std::string &signature) const {
  const auto same = std::ranges::find_if(
      m_active, [&](const auto &active) { return &active->function() == &function && active->signature() == signature; });
  if (same != m_active.end()) {
    std::string chain;
    for (auto active = same; active != m_active.end(); ++active) {
      chain += (*active)->function().name() + " -> ";
    }
    raise(lua, ErrorCode::ScriptLimit,
          fmt::format("endless recursion: {}{}, again for {}; a graph has no condition that could end it", chain, function.name(),
                      signature.empty() ? "no arguments" : signature));
  }
  const std::uint32_t limit = contextOf(lua).options.limits.callDepth;
  if (m_active.size() >= limit) {
    raise(lua, ErrorCode::ScriptLimit,
          fmt::format("functions call each other more than {} deep ({} calls {}); the limit is raised with --set call_depth=N",
                      limit, m_active.back()->function().name(), function.name()));
  }
}

std::shared_ptr<const TracedGraph> Tracer::trace(lua_State *lua, ScriptFunction &function, const graph::Template &tmpl) {
  const int firstStatic = lua_gettop(lua) - staticCountOf(tmpl) + 1;
  const std::string signature = signatureOf(tmpl);
  std::shared_ptr<const TracedGraph> traced = function.find(signature);
  if (!traced) {
    checkDepth(lua, function, signature);
    if (m_stackGuard.remainingBytes() < kStackReserve) {
      raise(lua, ErrorCode::ScriptLimit,
            fmt::format("functions call each other {} deep, and the program's stack has no room for more", m_active.size()));
    }
    traced = runBody(lua, function, tmpl, signature, firstStatic);
    function.remember(signature, traced);
  }
  lua_settop(lua, firstStatic - 1);
  return traced;
}

std::shared_ptr<const TracedGraph> Tracer::runBody(lua_State *lua, ScriptFunction &function, const graph::Template &tmpl,
                                                   const std::string &signature, int firstStatic) {
  ScriptContext &context = contextOf(lua);
  const int callLine = m_active.empty() ? m_callLine : currentLine(lua);
  luaL_checkstack(lua, 8, "too many values while tracing");
  lua_State *thread = lua_newthread(lua); // stays on the stack of `lua`, and so alive, until the end
  m_active.push_back(std::make_unique<ActiveTrace>(function, signature, tensorTypesOf(tmpl)));
  lua_State *const outer = context.allocator.running();
  if (m_active.size() == 1) {
    context.watchdog.beginTrace();
  }
  const Finally leave([&] {
    context.allocator.setRunning(outer);
    if (m_active.size() == 1) {
      context.watchdog.endTrace();
    }
    m_active.pop_back();
  });

  LuaFrozenValues::Part read = readsOf(lua, function);
  const int argumentCount = prepareThread(lua, thread, function, tmpl, innermost()->identity(), firstStatic);
  context.allocator.setRunning(thread);
  const int status = lua_pcall(thread, argumentCount, LUA_MULTRET, 1);
  Result<std::shared_ptr<const graph::Graph>> graph;
  if (status != LUA_OK) {
    graph = std::unexpected(takeError(thread, status));
  } else {
    graph = finishGraph(lua, thread);
  }
  if (!graph) {
    raise(lua, std::move(graph.error())
                   .within(fmt::format("while tracing {} for {}{}", function.name(), signature.empty() ? "no arguments" : signature,
                                       callLine > 0 ? fmt::format(" (called at line {})", callLine) : "")));
  }
  std::vector<std::shared_ptr<const TracedGraph>> callees = innermost()->takeCallees();
  std::vector<std::shared_ptr<const FrozenValues>> frozen;
  for (const std::shared_ptr<const TracedGraph> &callee : callees) {
    frozen.push_back(callee->frozen);
  }
  return std::make_shared<const TracedGraph>(std::move(*graph), std::move(callees), LuaFrozenValues::join(std::move(read), frozen));
}

/// Puts message handler, body and arguments on the new thread's stack; gives the number of arguments. Only `lua` runs protected, so
/// everything that allocates is made there and moved.
int Tracer::prepareThread(lua_State *lua, lua_State *thread, const ScriptFunction &function, const graph::Template &tmpl,
                          const std::shared_ptr<const TraceIdentity> &identity, int firstStatic) {
  const int count = static_cast<int>(tmpl.arguments.size());
  if (lua_checkstack(thread, count + 8) == 0) {
    raise(lua, ErrorCode::ScriptLimit, "too many arguments for one function");
  }
  lua_pushcfunction(thread, guarded<handleMessage>);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, function.luaReference());
  lua_xmove(lua, thread, 1);
  graph::NodeIndex node = 0;
  int nextStatic = firstStatic;
  for (const graph::ArgumentType &argument : tmpl.arguments) {
    if (std::holds_alternative<graph::TensorType>(argument)) {
      pushSymbolic(lua, {identity, node++});
    } else {
      lua_pushvalue(lua, nextStatic++);
    }
    lua_xmove(lua, thread, 1);
  }
  return count;
}

Result<std::shared_ptr<const graph::Graph>> Tracer::finishGraph(lua_State *lua, lua_State *thread) {
  const ScriptFunction &function = innermost()->function();
  const std::string place = fmt::format("{}:{}: ", contextOf(lua).scriptName, function.line());
  const int last = lua_gettop(thread);
  if (last < 2) {
    return base::fail(
        ErrorCode::ScriptFailed,
        fmt::format("{}{} returned nothing; a traced function must return at least one tensor", place, function.name()));
  }
  luaL_checkstack(lua, 4, "too many results");
  innermost()->builder().setLine(function.line());
  std::vector<graph::NodeIndex> results;
  for (int index = 2; index <= last; ++index) {
    lua_pushvalue(thread, index);
    lua_xmove(thread, lua, 1);
    const TensorValue *value = asTensor(lua, -1);
    if (value == nullptr && lua_type(lua, -1) != LUA_TNUMBER) {
      return base::fail(ErrorCode::ScriptFailed, fmt::format("{}result {} of {} is {}; a traced function returns tensors", place,
                                                             index - 1, function.name(), describeValue(lua, -1)));
    }
    if (const auto *symbolic = value != nullptr ? std::get_if<SymbolicTensor>(value) : nullptr;
        symbolic != nullptr && symbolic->trace != innermost()->identity()) {
      return base::fail(ErrorCode::ScriptFailed, place + describeForeignTensor(*symbolic));
    }
    results.push_back(nodeAt(lua, -1, {ValueName::Kind::Result, function.name(), index - 1}));
    lua_pop(lua, 1);
  }
  Result<std::shared_ptr<const graph::Graph>> graph = innermost()->builder().finish(std::move(results));
  if (!graph) {
    graph.error().message = place + graph.error().message;
  }
  return graph;
}

Result<std::shared_ptr<const TracedGraph>> Tracer::traceForEngine(ScriptFunction &function, const graph::Template &tmpl,
                                                                  std::span<const Argument> arguments) {
  if (m_base == nullptr) {
    return base::fail(ErrorCode::Internal, fmt::format("{} cannot be traced, because its script has ended", function.name()));
  }
  Request request{this, &function, &tmpl, arguments, nullptr};
  lua_pushcfunction(m_base, guarded<runRequest>);
  lua_pushlightuserdata(m_base, &request);
  if (const int status = lua_pcall(m_base, 1, 0, 0); status != LUA_OK) {
    return std::unexpected(takeError(m_base, status));
  }
  return std::move(request.traced);
}

int Tracer::runRequest(lua_State *lua) {
  auto &request = *static_cast<Request *>(lua_touserdata(lua, 1));
  luaL_checkstack(lua, static_cast<int>(request.arguments.size()) + 8, "too many arguments");
  for (const Argument &argument : request.arguments) {
    if (const auto *value = std::get_if<StaticArgument>(&argument)) {
      pushStaticValue(lua, *value);
    }
  }
  request.traced = request.tracer->trace(lua, *request.function, *request.tmpl);
  return 0;
}

} // namespace jitscope::script
