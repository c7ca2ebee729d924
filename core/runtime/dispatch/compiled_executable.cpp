// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/compiled_executable.h"

#include "base/try.h"
#include "graph/shape_evaluation.h"
#include "runtime/memory/tensor_pool.h"

#include <llvm/ADT/SmallVector.h>

namespace jitscope::runtime {

using base::Result;
using graph::Tensor;

CompiledExecutable::CompiledExecutable(std::shared_ptr<const graph::Graph> graph, std::unique_ptr<jit::LinkedCode> code,
                                       std::uint64_t codeBytes)
    : m_graph(std::move(graph)), m_code(std::move(code)), m_codeBytes(codeBytes), m_scratchPlan(lower::planScratch(*m_graph)) {
  for (std::size_t i = 0; i < m_graph->results().size(); ++i) {
    m_resultTypes.push_back(m_graph->resultType(i));
  }
  if (m_graph->isStatic()) {
    m_scratchBytes = lower::scratchBytes(m_scratchPlan);
  }
}

CompiledExecutable::~CompiledExecutable() = default;

Result<std::vector<Tensor>> CompiledExecutable::runWithShapes(std::span<const Tensor *const> inputs, TensorPool &pool,
                                                              std::span<const graph::TensorType> results,
                                                              std::span<const std::int64_t> sizes,
                                                              std::int64_t scratchBytes) const {
  std::vector<Tensor> tensors;
  tensors.reserve(results.size());
  llvm::SmallVector<const void *, 8> inputData;
  llvm::SmallVector<void *, 4> outputData;
  for (const graph::TensorType &type : results) {
    JITSCOPE_TRY(Tensor tensor, pool.allocate(type.dtype, type.shape));
    outputData.push_back(tensor.buffer->data());
    tensors.push_back(std::move(tensor));
  }
  for (const Tensor *input : inputs) {
    inputData.push_back(input->buffer->data());
  }
  std::shared_ptr<graph::Buffer> scratch;
  if (scratchBytes > 0) {
    JITSCOPE_TRY(std::shared_ptr<graph::Buffer> buffer, pool.allocateBytes(static_cast<std::uint64_t>(scratchBytes)));
    scratch = std::move(buffer);
  }
  m_code->entry()(inputData.data(), outputData.data(), scratch ? scratch->data() : nullptr, sizes.data());
  return tensors;
}

Result<std::vector<Tensor>> CompiledExecutable::run(std::span<const Tensor *const> inputs, TensorPool &pool) const {
  if (m_graph->isStatic()) {
    return runWithShapes(inputs, pool, m_resultTypes, {}, m_scratchBytes);
  }
  llvm::SmallVector<graph::Shape, 8> shapes;
  for (const Tensor *input : inputs) {
    shapes.push_back(input->shape);
  }
  JITSCOPE_TRY(std::vector<std::int64_t> sizes, evaluateShapes(*m_graph, {shapes.data(), shapes.size()}));
  const graph::SizeLayout layout = sizeLayoutOf(*m_graph);
  std::vector<graph::TensorType> results = m_resultTypes;
  for (std::size_t i = 0; i < results.size(); ++i) {
    for (std::size_t axis = 0; axis < results[i].shape.rank(); ++axis) {
      results[i].shape.setSize(axis, sizes[layout.nodeOffset[m_graph->results()[i]] + axis]);
    }
  }
  return runWithShapes(inputs, pool, results, sizes, lower::scratchBytes(m_scratchPlan, sizes));
}

} // namespace jitscope::runtime
