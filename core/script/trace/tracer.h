// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "graph/builder/builder.h"
#include "graph/template.h"
#include "script/host.h"
#include "script/lua/stack_guard.h"
#include "script/lua/value_name.h"
#include "script/tensor/lua_tensor.h"
#include "script/trace/script_function.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

struct lua_State;

namespace jitscope::script {

/// One function body that is running on symbolic tensors.
class ActiveTrace {
public:
  ActiveTrace(const ScriptFunction &function, std::string signature, std::vector<graph::TensorType> parameterTypes);

  [[nodiscard]] const ScriptFunction &function() const { return m_function; }
  [[nodiscard]] const std::string &signature() const { return m_signature; }
  [[nodiscard]] const std::shared_ptr<const TraceIdentity> &identity() const { return m_identity; }
  graph::GraphBuilder &builder() { return m_builder; }

  /// The node of a concrete tensor. Remembered here, since a body may capture many.
  graph::NodeIndex capture(const graph::Tensor &tensor);
  void addCallee(std::shared_ptr<const TracedGraph> callee) { m_callees.push_back(std::move(callee)); }
  std::vector<std::shared_ptr<const TracedGraph>> takeCallees() { return std::move(m_callees); }
  /// Counts an operation; how many there are now.
  std::uint32_t countOperation() { return ++m_operations; }

private:
  const ScriptFunction &m_function;
  std::string m_signature;
  std::shared_ptr<const TraceIdentity> m_identity;
  graph::GraphBuilder m_builder;
  std::map<std::pair<const graph::Buffer *, std::string>, graph::NodeIndex> m_captures;
  std::vector<std::shared_ptr<const TracedGraph>> m_callees;
  std::uint32_t m_operations = 0;
};

/// Runs the bodies of functions to obtain their graphs. Each body has a Lua thread of its own, because Lua allows only 200 nested C
/// calls on one thread. One trace runs at a time, on any thread.
class Tracer {
public:
  /// A stack of Lua threads for traces that the engine asks for; called once, while the state is set up.
  void attach(lua_State *lua);
  /// The state is about to be closed: from now on the engine gets errors. Called with no trace running.
  void detach() { m_base = nullptr; }

  /// The trace that operations go to; null outside of any.
  [[nodiscard]] ActiveTrace *innermost() const { return m_active.empty() ? nullptr : m_active.back().get(); }
  /// Raises ScriptFailed where a trace runs: `what` cannot be part of a graph.
  void refuseInTrace(lua_State *lua, const char *what) const;
  /// The innermost trace's node of the tensor or number at `index`. Raises for a tensor of another trace, and for anything else an
  /// error that begins with `name`.
  graph::NodeIndex nodeAt(lua_State *lua, int index, const ValueName &name);

  /// Raises what is wrong with a symbolic tensor that does not belong to the innermost trace.
  [[noreturn]] void raiseForeignTensor(lua_State *lua, const SymbolicTensor &tensor) const;

  /// The graph of `function` for `tmpl`, from memory or traced now; the static values of the template stand on top of the stack, in
  /// order, and are popped. For Lua code that runs protected; raises what goes wrong.
  std::shared_ptr<const TracedGraph> trace(lua_State *lua, ScriptFunction &function, const graph::Template &tmpl);
  /// The same for the engine, on any thread while no Lua code runs.
  base::Result<std::shared_ptr<const TracedGraph>> traceForEngine(ScriptFunction &function, const graph::Template &tmpl,
                                                                  std::span<const Argument> arguments);

  /// The line that the engine is being called from, for messages.
  void setCallLine(int line) { m_callLine = line; }

private:
  struct Request;
  static int runRequest(lua_State *lua);
  [[nodiscard]] std::string describeForeignTensor(const SymbolicTensor &tensor) const;
  void checkDepth(lua_State *lua, const ScriptFunction &function, const std::string &signature) const;
  std::shared_ptr<const TracedGraph> runBody(lua_State *lua, ScriptFunction &function, const graph::Template &tmpl,
                                             const std::string &signature, int firstStatic);
  static int prepareThread(lua_State *lua, lua_State *thread, const ScriptFunction &function, const graph::Template &tmpl,
                           const std::shared_ptr<const TraceIdentity> &identity, int firstStatic);
  base::Result<std::shared_ptr<const graph::Graph>> finishGraph(lua_State *lua, lua_State *thread);

  lua_State *m_base = nullptr;
  std::vector<std::unique_ptr<ActiveTrace>> m_active; // outermost first
  StackGuard m_stackGuard;
  int m_callLine = 0;
};

} // namespace jitscope::script
