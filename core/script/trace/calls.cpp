// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/calls.h"
#include "script/lua/lua_error.h"
#include "script/lua/lua_function.h"
#include "script/script_context.h"
#include "script/tensor/lua_tensor.h"
#include "script/trace/frozen_values.h"

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::ErrorCode;
using base::Result;

namespace {

ValueName operandName(std::string_view operation, std::size_t position, std::size_t count) {
  return {count == 1 ? ValueName::Kind::OnlyOperand : ValueName::Kind::Operand, operation, static_cast<int>(position) + 1};
}

ValueName argumentName(const ScriptFunction &function, int position) {
  return {ValueName::Kind::CallArgument, function.name(), position + 1};
}

/// A Lua number as a scalar tensor whose type yields to that of the tensors it meets.
graph::Tensor numberTensor(lua_State *lua, int index) {
  const bool isInteger = lua_isinteger(lua, index) != 0;
  graph::Tensor tensor = allocateTensor(lua, isInteger ? graph::DType::S64 : graph::DType::F64, {}, "a number");
  tensor.weak = true;
  if (isInteger) {
    tensor.elements<std::int64_t>()[0] = lua_tointeger(lua, index);
  } else {
    tensor.elements<double>()[0] = lua_tonumber(lua, index);
  }
  return tensor;
}

void countOperation(lua_State *lua, ActiveTrace &trace) {
  const std::uint32_t limit = contextOf(lua).options.limits.graphOperations;
  if (trace.countOperation() > limit) {
    raiseFinal(lua, {ErrorCode::ScriptLimit,
                     fmt::format("the graph of {} has more than {} operations; is there an endless loop? The limit "
                                 "is raised with --set graph_operations=N",
                                 trace.function().name(), limit)});
  }
}

int pushResults(lua_State *lua, std::vector<graph::Tensor> results) {
  luaL_checkstack(lua, static_cast<int>(results.size()) + 4, "too many results");
  for (graph::Tensor &tensor : results) {
    pushTensor(lua, std::move(tensor));
  }
  return static_cast<int>(results.size());
}

int pushNodes(lua_State *lua, const ActiveTrace &trace, std::span<const graph::NodeIndex> nodes) {
  luaL_checkstack(lua, static_cast<int>(nodes.size()) + 4, "too many results");
  for (const graph::NodeIndex node : nodes) {
    pushSymbolic(lua, {trace.identity(), node});
  }
  return static_cast<int>(nodes.size());
}

/// A call's arguments while tracing: nodes for tensors and numbers; static values are left on top of the stack.
struct TracedArguments {
  graph::Template tmpl;
  std::vector<graph::NodeIndex> nodes;
};

TracedArguments tracedArguments(lua_State *lua, ActiveTrace &trace, const ScriptFunction &function, int first) {
  TracedArguments arguments;
  const int last = lua_gettop(lua);
  luaL_checkstack(lua, last - first + 8, "too many arguments");
  for (int index = first; index <= last; ++index) {
    const ValueName name = argumentName(function, index - first);
    if (asTensor(lua, index) != nullptr || lua_type(lua, index) == LUA_TNUMBER) {
      arguments.nodes.push_back(contextOf(lua).tracer.nodeAt(lua, index, name));
      arguments.tmpl.arguments.emplace_back(trace.builder().typeOf(arguments.nodes.back()));
    } else {
      arguments.tmpl.arguments.emplace_back(makeStaticArgument(lua, index, name).value);
      lua_pushvalue(lua, index);
    }
  }
  return arguments;
}

void checkArgumentCount(lua_State *lua, const ScriptFunction &function, int given) {
  if (std::string problem = function.argumentProblem(given); !problem.empty()) {
    raise(lua, ErrorCode::ScriptArgument, std::move(problem));
  }
}

enum class CallKind : std::uint8_t { Once, Map };

int callInTrace(lua_State *lua, ActiveTrace &trace, ScriptFunction &function, int first, CallKind kind) {
  checkArgumentCount(lua, function, lua_gettop(lua) - first + 1);
  countOperation(lua, trace);
  trace.builder().setLine(currentLine(lua));
  const TracedArguments arguments = tracedArguments(lua, trace, function, first);
  const graph::Template tmpl = kind == CallKind::Map ? elementTemplateOf(arguments.tmpl) : arguments.tmpl;
  std::shared_ptr<const TracedGraph> callee = contextOf(lua).tracer.trace(lua, function, tmpl);
  trace.builder().setLine(currentLine(lua));
  const std::vector<graph::NodeIndex> results =
      valueOrRaise(lua, kind == CallKind::Map ? trace.builder().map(callee->graph, arguments.nodes)
                                              : trace.builder().call(callee->graph, arguments.nodes));
  trace.addCallee(std::move(callee));
  return pushNodes(lua, trace, results);
}

base::FunctionId mapFunctionId(ScriptContext &context, lua_State *lua, int functionIndex) {
  const std::shared_ptr<ScriptFunction> function = sharedFunction(lua, functionIndex);
  if (!function->mapId().isValid()) {
    auto source = std::make_unique<MapGraphSource>(context.link, function);
    function->setMapId(context.host.defineFunction("map " + function->name(), 0, true, std::move(source)));
  }
  return function->mapId();
}

} // namespace

int perform(lua_State *lua, const Operation &operation, std::span<const int> operands) {
  ScriptContext &context = contextOf(lua);
  const std::string operationName = nameOf(operation);
  if (ActiveTrace *trace = context.tracer.innermost()) {
    countOperation(lua, *trace);
    trace->builder().setLine(currentLine(lua));
    std::vector<graph::NodeIndex> nodes;
    nodes.reserve(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      nodes.push_back(context.tracer.nodeAt(lua, operands[i], operandName(operationName, i, operands.size())));
    }
    pushSymbolic(lua, {trace->identity(), valueOrRaise(lua, apply(operation, trace->builder(), nodes))});
    return 1;
  }
  std::vector<Argument> arguments;
  arguments.reserve(operands.size() + 1);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const ValueName name = operandName(operationName, i, operands.size());
    if (asTensor(lua, operands[i]) == nullptr && lua_type(lua, operands[i]) != LUA_TNUMBER) {
      raise(lua, ErrorCode::ScriptArgument,
            fmt::format("{} must be a tensor or a number, not {}", name.text(), describeValue(lua, operands[i])));
    }
    arguments.push_back(argumentAt(lua, operands[i], name));
  }
  if (std::optional<Argument> attributes = EagerOperations::attributeArgument(operation)) {
    arguments.push_back(std::move(*attributes));
  }
  return pushResults(lua, callEngine(lua, context.eager.functionFor(context.host, operation), arguments).results);
}

int callFunction(lua_State *lua, ScriptFunction &function, int first) {
  if (ActiveTrace *trace = contextOf(lua).tracer.innermost()) {
    return callInTrace(lua, *trace, function, first, CallKind::Once);
  }
  const std::vector<Argument> arguments = argumentsFor(lua, function, first);
  return pushResults(lua, callEngine(lua, function.id(), arguments).results);
}

int mapFunction(lua_State *lua, ScriptFunction &function, int first) {
  ScriptContext &context = contextOf(lua);
  if (ActiveTrace *trace = context.tracer.innermost()) {
    return callInTrace(lua, *trace, function, first, CallKind::Map);
  }
  const std::vector<Argument> arguments = argumentsFor(lua, function, first);
  return pushResults(lua, callEngine(lua, mapFunctionId(context, lua, first - 1), arguments).results);
}

std::vector<Argument> argumentsFor(lua_State *lua, const ScriptFunction &function, int first) {
  const int last = lua_gettop(lua);
  const int count = last - first + 1;
  checkArgumentCount(lua, function, count);
  std::vector<Argument> arguments;
  arguments.reserve(static_cast<std::size_t>(count));
  for (int index = first; index <= last; ++index) {
    arguments.push_back(argumentAt(lua, index, argumentName(function, index - first)));
  }
  return arguments;
}

Argument argumentAt(lua_State *lua, int index, const ValueName &name) {
  if (lua_type(lua, index) == LUA_TNUMBER) {
    return numberTensor(lua, index);
  }
  const TensorValue *value = asTensor(lua, index);
  if (value == nullptr) {
    return makeStaticArgument(lua, index, name);
  }
  if (const auto *symbolic = std::get_if<SymbolicTensor>(value)) {
    contextOf(lua).tracer.raiseForeignTensor(lua, *symbolic);
  }
  return std::get<graph::Tensor>(*value);
}

CallResult callEngine(lua_State *lua, base::FunctionId function, std::span<const Argument> arguments) {
  ScriptContext &context = contextOf(lua);
  const int line = currentLine(lua);
  context.tracer.setCallLine(line);
  ++context.requests;
  Result<CallResult> result = withTensorMemory(lua, context.garbage, [&] {
    const Watchdog::Away away(context.watchdog, "a call", line);
    return context.host.call(function, arguments);
  });
  context.watchdog.restart();
  CallResult called = valueOrRaise(lua, std::move(result));
  warnOfFrozenValues(lua, function, called.frozen.get());
  return called;
}

graph::Tensor allocateTensor(lua_State *lua, graph::DType dtype, const graph::Shape &shape, std::string_view what) {
  ScriptContext &context = contextOf(lua);
  Result<graph::Tensor> tensor =
      withTensorMemory(lua, context.garbage, [&] { return context.host.tensors().allocate(dtype, shape); });
  if (!tensor) {
    tensor.error().message = fmt::format("{}: {}", what, tensor.error().message);
  }
  return valueOrRaise(lua, std::move(tensor));
}

} // namespace jitscope::script
