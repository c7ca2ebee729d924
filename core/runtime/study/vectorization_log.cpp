// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/study/vectorization_log.h"

#include "event/loops.h"
#include "graph/graph.h"
#include "pipeline/observe/observation.h"

#include <set>
#include <utility>

#include <fmt/format.h>

namespace jitscope::runtime {

namespace {

void collect(const graph::Graph &graph, std::set<base::FunctionId> &functions, std::set<const graph::Graph *> &seen) {
  if (!seen.insert(&graph).second) {
    return;
  }
  functions.insert(graph.functionId());
  for (const graph::Node &node : graph.nodes()) {
    if (node.op == graph::Op::Call || node.op == graph::Op::Map) {
      collect(node.callee(), functions, seen);
    }
  }
}

} // namespace

void VectorizationLog::compiled(const graph::Graph &root, const std::string &pipeline, const pipeline::CompileTrace &trace) {
  std::set<base::FunctionId> functions;
  std::set<const graph::Graph *> seen;
  collect(root, functions, seen);
  const std::vector<event::LoopResult> loops = event::vectorizedLoops(trace.loops);
  const std::lock_guard lock(m_mutex);
  for (const base::FunctionId function : functions) {
    m_latest[{function, pipeline}] = {trace.hasLoops, {}};
  }
  // All are the root's, wherever they are written.
  m_latest[{root.functionId(), pipeline}].loops = loops;
  for (const event::LoopResult &loop : loops) {
    if (loop.functionId != root.functionId() && functions.contains(loop.functionId)) {
      m_latest[{loop.functionId, pipeline}].loops.push_back(loop);
    }
  }
}

base::Result<std::vector<event::LoopResult>> VectorizationLog::find(base::FunctionId function, const std::string &name,
                                                                    const std::string &pipeline) const {
  const std::lock_guard lock(m_mutex);
  const auto known = m_latest.find({function, pipeline});
  if (known == m_latest.end()) {
    return base::fail(
        base::ErrorCode::RuntimeOption,
        fmt::format("{} was not compiled under the pipeline {} so far; call, compile or study it first", name, pipeline));
  }
  if (!known->second.hasLoops) {
    return base::fail(
        base::ErrorCode::RuntimeOption,
        fmt::format("{} was compiled without the remarks of {}; add it to the option remarks", name, "loop-vectorize"));
  }
  return known->second.loops;
}

} // namespace jitscope::runtime
