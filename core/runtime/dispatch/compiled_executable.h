// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "cache/executable_cache.h"
#include "graph/graph.h"
#include "jit/code_linker.h"
#include "lower/plan/scratch_plan.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace jitscope::runtime {

class TensorPool;

/// Code of one graph, ready to run. May run in several threads at once.
class CompiledExecutable final : public cache::Executable {
public:
  CompiledExecutable(std::shared_ptr<const graph::Graph> graph, std::unique_ptr<jit::LinkedCode> code, std::uint64_t codeBytes);
  ~CompiledExecutable() override;
  CompiledExecutable(const CompiledExecutable &) = delete;
  CompiledExecutable &operator=(const CompiledExecutable &) = delete;

  [[nodiscard]] std::uint64_t codeBytes() const override { return m_codeBytes; }

  /// Runs it on `inputs` (parameters, then captures), whose types are the graph's. ScriptShape when sizes that were unknown at
  /// compile time do not fit, RuntimeMemory when there is no room for the results.
  [[nodiscard]] base::Result<std::vector<graph::Tensor>> run(std::span<const graph::Tensor *const> inputs, TensorPool &pool) const;

private:
  [[nodiscard]] base::Result<std::vector<graph::Tensor>> runWithShapes(std::span<const graph::Tensor *const> inputs,
                                                                       TensorPool &pool, std::span<const graph::TensorType> results,
                                                                       std::span<const std::int64_t> sizes,
                                                                       std::int64_t scratch) const;

  std::shared_ptr<const graph::Graph> m_graph;
  std::unique_ptr<jit::LinkedCode> m_code;
  std::uint64_t m_codeBytes;
  std::vector<graph::TensorType> m_resultTypes;
  lower::ScratchPlan m_scratchPlan;
  std::int64_t m_scratchBytes = 0; ///< of a static graph
};

} // namespace jitscope::runtime
