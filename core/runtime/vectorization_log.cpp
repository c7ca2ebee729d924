// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/vectorization_log.h"

#include "graph/graph.h"
#include "pipeline/observation.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>

namespace jitscope::runtime {

namespace {

constexpr const char *kVectorizer = "loop-vectorize";

std::uint32_t numberIn(const llvm::json::Array &arguments, llvm::StringRef key) {
  for (const llvm::json::Value &argument : arguments) {
    const llvm::json::Object *object = argument.getAsObject();
    if (object != nullptr && object->getString("key").value_or("") == key) {
      std::uint32_t number = 0;
      // A scalable width reads "vscale x 4".
      llvm::StringRef text = object->getString("value").value_or("");
      text.consume_front("vscale x ");
      return text.getAsInteger(10, number) ? 0 : number;
    }
  }
  return 0;
}

bool isVectorized(const event::Remark &remark) {
  return remark.pass == kVectorizer && remark.kind == event::RemarkKind::Passed && remark.name == "Vectorized";
}

script::VectorizedLoop loopOf(const event::Remark &remark) {
  script::VectorizedLoop loop{remark.function, remark.line, 0, 0};
  llvm::Expected<llvm::json::Value> arguments = llvm::json::parse(remark.args);
  if (!arguments) {
    llvm::consumeError(arguments.takeError());
  } else if (const llvm::json::Array *list = arguments->getAsArray()) {
    loop.width = numberIn(*list, "VectorizationFactor");
    loop.interleave = numberIn(*list, "InterleaveCount");
  }
  return loop;
}

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

std::vector<script::VectorizedLoop> vectorizedLoopsIn(const std::vector<event::Remark> &remarks) {
  std::vector<script::VectorizedLoop> loops;
  for (const event::Remark &remark : remarks) {
    if (!isVectorized(remark)) {
      continue;
    }
    if (script::VectorizedLoop loop = loopOf(remark); std::ranges::find(loops, loop) == loops.end()) {
      loops.push_back(std::move(loop));
    }
  }
  return loops;
}

void VectorizationLog::compiled(const graph::Graph &root, const std::string &pipeline, const pipeline::Observation &observation,
                                const std::vector<event::Remark> &remarks) {
  std::set<base::FunctionId> functions;
  std::set<const graph::Graph *> seen;
  collect(root, functions, seen);
  const bool hasRemarks = observation.allRemarks || observation.remarkPasses.contains(kVectorizer);
  const std::lock_guard lock(m_mutex);
  for (const base::FunctionId function : functions) {
    m_latest[{function, pipeline}] = {hasRemarks, {}};
  }
  for (const event::Remark &remark : remarks) {
    if (!isVectorized(remark)) {
      continue;
    }
    const script::VectorizedLoop loop = loopOf(remark);
    // A loop of the root may have come from a callee, or stayed there: either is the root's.
    m_latest[{root.functionId(), pipeline}].loops.push_back(loop);
    if (remark.functionId != root.functionId() && functions.contains(remark.functionId)) {
      m_latest[{remark.functionId, pipeline}].loops.push_back(loop);
    }
  }
}

base::Result<std::vector<script::VectorizedLoop>> VectorizationLog::find(base::FunctionId function, const std::string &name,
                                                                         const std::string &pipeline) const {
  const std::lock_guard lock(m_mutex);
  const auto known = m_latest.find({function, pipeline});
  if (known == m_latest.end()) {
    return base::fail(
        base::ErrorCode::RuntimeOption,
        fmt::format("{} was not compiled under the pipeline {} so far; call, compile or study it first", name, pipeline));
  }
  if (!known->second.hasRemarks) {
    return base::fail(base::ErrorCode::RuntimeOption,
                      fmt::format("{} was compiled without the remarks of {}; add it to the option remarks", name, kVectorizer));
  }
  return known->second.loops;
}

} // namespace jitscope::runtime
