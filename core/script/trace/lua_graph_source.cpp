// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/lua_graph_source.h"
#include "base/try.h"
#include "script/trace/graph_parameters.h"

#include <fmt/format.h>

namespace jitscope::script {

using base::Result;

namespace {

Result<std::shared_ptr<const TracedGraph>> traceThrough(const TracerLink &link, ScriptFunction &function,
                                                        const graph::Template &tmpl, std::span<const Argument> arguments) {
  if (link.tracer == nullptr) {
    return base::fail(base::ErrorCode::Internal, fmt::format("{} cannot be traced, because its script has ended", function.name()));
  }
  return link.tracer->traceForEngine(function, tmpl, arguments);
}

} // namespace

Result<std::shared_ptr<const graph::Graph>> LuaGraphSource::trace(const graph::Template &tmpl,
                                                                  std::span<const Argument> arguments) {
  JITSCOPE_TRY(std::shared_ptr<const TracedGraph> traced, traceThrough(*m_link, *m_function, tmpl, arguments));
  m_function->keep(signatureOf(tmpl), traced);
  return traced->graph;
}

std::shared_ptr<const FrozenValues> LuaGraphSource::frozenIn(const graph::Template &tmpl) {
  const std::shared_ptr<const TracedGraph> traced = m_function->kept(signatureOf(tmpl));
  return traced ? traced->frozen : nullptr;
}

void LuaGraphSource::forget(const graph::Template &tmpl) { m_function->forget(signatureOf(tmpl)); }

Result<std::shared_ptr<const graph::Graph>> MapGraphSource::trace(const graph::Template &tmpl,
                                                                  std::span<const Argument> arguments) {
  JITSCOPE_TRY(std::shared_ptr<const TracedGraph> callee, traceThrough(*m_link, *m_function, elementTemplateOf(tmpl), arguments));
  std::vector<graph::TensorType> types = tensorTypesOf(tmpl);
  const std::vector<graph::NodeIndex> operands = parameterNodes(types.size());
  graph::GraphBuilder builder("map " + m_function->name(), 0, m_function->mapId(), std::move(types));
  JITSCOPE_TRY(std::vector<graph::NodeIndex> results, builder.map(callee->graph, operands));
  {
    const std::scoped_lock lock(m_mutex);
    m_callees[signatureOf(tmpl)] = callee;
  }
  return builder.finish(std::move(results));
}

std::shared_ptr<const FrozenValues> MapGraphSource::frozenIn(const graph::Template &tmpl) {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_callees.find(signatureOf(tmpl));
  return found == m_callees.end() ? nullptr : found->second->frozen;
}

void MapGraphSource::forget(const graph::Template &tmpl) {
  const std::scoped_lock lock(m_mutex);
  m_callees.erase(signatureOf(tmpl));
}

graph::Template elementTemplateOf(const graph::Template &tmpl) {
  graph::Template result = tmpl;
  for (graph::ArgumentType &argument : result.arguments) {
    if (auto *type = std::get_if<graph::TensorType>(&argument)) {
      type->shape = {};
    }
  }
  return result;
}

} // namespace jitscope::script
