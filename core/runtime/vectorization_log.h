// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "event/event.h"
#include "script/host.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::graph {
class Graph;
} // namespace jitscope::graph
namespace jitscope::pipeline {
struct Observation;
} // namespace jitscope::pipeline

namespace jitscope::runtime {

/// The loops that remarks call vectorized, in the order of the remarks. What was inlined several times is one loop of the script.
std::vector<script::VectorizedLoop> vectorizedLoopsIn(const std::vector<event::Remark> &remarks);

/// Remembers of each function and pipeline which loops the latest compile vectorized. Any thread.
class VectorizationLog {
public:
  /// `root` and everything it calls was compiled under `pipeline`, with these remarks.
  void compiled(const graph::Graph &root, const std::string &pipeline, const pipeline::Observation &observation,
                const std::vector<event::Remark> &remarks);

  /// What `Host::vectorizedLoops` gives; `name` is the function's.
  [[nodiscard]] base::Result<std::vector<script::VectorizedLoop>> find(base::FunctionId function, const std::string &name,
                                                                       const std::string &pipeline) const;

private:
  struct Compile {
    bool hasRemarks = false;
    std::vector<script::VectorizedLoop> loops;
  };
  mutable std::mutex m_mutex;
  std::map<std::pair<base::FunctionId, std::string>, Compile> m_latest;
};

} // namespace jitscope::runtime
