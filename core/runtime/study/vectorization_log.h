// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "event/event.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::graph {
class Graph;
} // namespace jitscope::graph
namespace jitscope::pipeline {
struct CompileTrace;
} // namespace jitscope::pipeline

namespace jitscope::runtime {

/// Remembers of each function and pipeline which loops the latest compile vectorized. Any thread.
class VectorizationLog {
public:
  /// `root` and everything it calls was compiled under `pipeline`, with these loops.
  void compiled(const graph::Graph &root, const std::string &pipeline, const pipeline::CompileTrace &trace);

  /// What `Host::vectorizedLoops` gives; `name` is the function's.
  [[nodiscard]] base::Result<std::vector<event::LoopResult>> find(base::FunctionId function, const std::string &name,
                                                                  const std::string &pipeline) const;

private:
  struct Compile {
    bool hasLoops = false;
    std::vector<event::LoopResult> loops;
  };
  mutable std::mutex m_mutex;
  std::map<std::pair<base::FunctionId, std::string>, Compile> m_latest;
};

} // namespace jitscope::runtime
