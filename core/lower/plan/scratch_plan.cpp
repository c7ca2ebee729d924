// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/scratch_plan.h"
#include "graph/shape_evaluation.h"
#include "lower/plan/storage.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace jitscope::lower {

using graph::Graph;
using graph::NodeIndex;
using graph::Op;

namespace {

constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();

std::int64_t plus(std::int64_t left, std::int64_t right) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(left, right, &sum) ? kMaximum : sum;
}

std::int64_t times(std::int64_t left, std::int64_t right) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(left, right, &product) ? kMaximum : product;
}

std::int64_t bytesOf(const ScratchPlan::Buffer &buffer, std::span<const std::int64_t> sizes) {
  constexpr auto kAlignment = static_cast<std::int64_t>(graph::kBufferAlignment);
  std::int64_t bytes = buffer.elementBytes;
  for (const std::uint32_t slot : buffer.sizeSlots) {
    bytes = times(bytes, sizes[slot]);
  }
  bytes = plus(bytes, kAlignment - 1);
  return bytes - bytes % kAlignment;
}

using Known = std::unordered_map<const Graph *, std::size_t>;

std::size_t addFunction(const Graph &graph, ScratchPlan &plan, Known &known) {
  if (const auto found = known.find(&graph); found != known.end()) {
    return found->second;
  }
  const FunctionPlan own = planFunction(graph);
  ScratchPlan::Function function{own.storage.ownBytes};
  for (const TemporaryBuffer &buffer : own.storage.buffers) {
    if (!buffer.isStatic()) {
      function.buffers.push_back({buffer.elementBytes, buffer.sizeSlots});
    }
  }
  const graph::SizeLayout layout = graph.isStatic() ? graph::SizeLayout{} : graph::sizeLayoutOf(graph);
  for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
    const graph::Node &node = graph.node(index);
    if ((node.op == Op::Call || node.op == Op::Map) && !isPureScalar(node.callee())) {
      const std::uint32_t base = node.op == Op::Call && !graph.isStatic() ? layout.calleeOffset[index] : 0;
      function.callees.push_back({addFunction(node.callee(), plan, known), base});
    }
  }
  plan.functions.push_back(std::move(function));
  known.emplace(&graph, plan.functions.size() - 1);
  return plan.functions.size() - 1;
}

std::int64_t bytesOf(const ScratchPlan &plan, std::size_t index, std::span<const std::int64_t> sizes,
                     std::vector<std::int64_t> &knownBytes) {
  // Without sizes a function needs the same wherever it is called.
  if (sizes.empty() && knownBytes[index] >= 0) {
    return knownBytes[index];
  }
  const ScratchPlan::Function &function = plan.functions[index];
  std::int64_t bytes = function.ownBytes;
  for (const ScratchPlan::Buffer &buffer : function.buffers) {
    bytes = plus(bytes, bytesOf(buffer, sizes));
  }
  std::int64_t most = 0;
  for (const ScratchPlan::Callee &callee : function.callees) {
    most = std::max(most, bytesOf(plan, callee.function, sizes.subspan(callee.sizeBase), knownBytes));
  }
  bytes = plus(bytes, most);
  if (sizes.empty()) {
    knownBytes[index] = bytes;
  }
  return bytes;
}

} // namespace

ScratchPlan planScratch(const Graph &root) {
  ScratchPlan plan;
  Known known;
  addFunction(root, plan, known);
  return plan;
}

std::int64_t scratchBytes(const ScratchPlan &plan, std::span<const std::int64_t> sizes) {
  std::vector<std::int64_t> knownBytes(plan.functions.size(), -1);
  return bytesOf(plan, plan.functions.size() - 1, sizes, knownBytes);
}

} // namespace jitscope::lower
