// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/storage.h"
#include "graph/shape_evaluation.h"

#include <algorithm>
#include <unordered_map>

namespace jitscope::lower {

using graph::DType;
using graph::Graph;
using graph::Node;
using graph::NodeIndex;
using graph::Op;

namespace {

/// Small buffers go on the stack, where the optimizer can take them apart into registers.
constexpr std::int64_t kStackBufferBytes = 1024;
constexpr std::int64_t kStackBytes = 4096;

std::int64_t aligned(std::int64_t bytes) {
  constexpr auto kAlignment = static_cast<std::int64_t>(graph::kBufferAlignment);
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

class Storage {
public:
  Storage(const Graph &graph, const FusionPlan &fusion, const std::vector<Step> &steps)
      : m_graph(graph), m_fusion(fusion), m_steps(steps) {
    if (!graph.isStatic()) {
      m_layout = graph::sizeLayoutOf(graph);
    }
  }

  StoragePlan run() {
    m_plan.locations.resize(m_graph.nodes().size());
    m_plan.resultIsRead.assign(m_graph.results().size(), false);
    placeInputs();
    placeResults();
    placeTemporaries();
    followReads();
    assignOffsets();
    return std::move(m_plan);
  }

private:
  void placeInputs() {
    for (NodeIndex index = 0; index < m_graph.nodes().size(); ++index) {
      const Node &node = m_graph.node(index);
      if (node.op == Op::Parameter) {
        m_plan.locations[index] = {Location::Kind::Input, node.index()};
      } else if (node.op == Op::Capture) {
        m_plan.locations[index] = {Location::Kind::Input,
                                   static_cast<std::uint32_t>(m_graph.parameterTypes().size() + node.index())};
      }
    }
  }

  /// A result is computed where it is wanted, unless it is an input or wanted twice.
  void placeResults() {
    for (std::uint32_t result = 0; result < m_graph.results().size(); ++result) {
      if (m_graph.resultType(result).shape.isScalar()) {
        continue;
      }
      const NodeIndex base = storageBase(m_graph, m_graph.results()[result]);
      Location &location = m_plan.locations[base];
      if (location.kind == Location::Kind::None) {
        location = {Location::Kind::Output, result};
        continue;
      }
      m_plan.copies.push_back({result, base});
      if (location.kind == Location::Kind::Output) {
        m_plan.resultIsRead[location.index] = true;
      }
    }
  }

  std::uint32_t addBuffer(TemporaryBuffer buffer, std::uint32_t step) {
    buffer.firstStep = buffer.lastStep = step;
    m_plan.buffers.push_back(std::move(buffer));
    return static_cast<std::uint32_t>(m_plan.buffers.size() - 1);
  }

  [[nodiscard]] TemporaryBuffer bufferFor(DType dtype, const Dims &dims) const {
    TemporaryBuffer buffer{static_cast<std::int64_t>(graph::byteSize(dtype))};
    for (const Dim &dim : dims) {
      if (dim.isKnown()) {
        buffer.elementBytes *= dim.known;
      } else {
        buffer.sizeSlots.push_back(m_layout.nodeOffset[dim.node] + dim.axis);
      }
    }
    return buffer;
  }

  /// The buffer for a result that has no node: its sizes are in the callee's block.
  [[nodiscard]] TemporaryBuffer bufferFor(NodeIndex call, std::uint32_t result) const {
    const Graph &callee = m_graph.node(call).callee();
    const graph::TensorType type = callee.resultType(result);
    TemporaryBuffer buffer{static_cast<std::int64_t>(graph::byteSize(type.dtype))};
    for (std::uint32_t axis = 0; axis < type.shape.rank(); ++axis) {
      if (type.shape[axis] != graph::kDynamic) {
        buffer.elementBytes *= type.shape[axis];
      } else {
        const graph::SizeLayout inner = graph::sizeLayoutOf(callee);
        buffer.sizeSlots.push_back(m_layout.calleeOffset[call] + inner.nodeOffset[callee.results()[result]] + axis);
      }
    }
    return buffer;
  }

  void placeNode(NodeIndex index, std::uint32_t step) {
    Location &location = m_plan.locations[index];
    if (location.kind == Location::Kind::None && !m_graph.node(index).type.shape.isScalar()) {
      location = {Location::Kind::Temporary, addBuffer(bufferFor(m_graph.node(index).type.dtype, m_fusion.dims[index]), step)};
    }
  }

  void placeTemporaries() {
    std::vector<std::vector<NodeIndex>> resultsOf(m_graph.nodes().size());
    for (NodeIndex index = 0; index < m_graph.nodes().size(); ++index) {
      if (m_fusion.nodes[index].role == Role::Projection) {
        resultsOf[m_graph.node(index).operands[0]].push_back(index);
      }
    }
    for (std::uint32_t step = 0; step < m_steps.size(); ++step) {
      switch (m_steps[step].kind) {
      case Step::Kind::Scalar:
        break;
      case Step::Kind::Call:
        placeCall(m_steps[step].nodes[0], resultsOf[m_steps[step].nodes[0]], step);
        break;
      default:
        for (const NodeIndex node : m_steps[step].nodes) {
          placeNode(node, step);
          placeAccumulators(m_steps[step], node, step);
        }
      }
    }
  }

  void placeCall(NodeIndex call, const std::vector<NodeIndex> &results, std::uint32_t step) {
    const Graph &callee = m_graph.node(call).callee();
    for (std::uint32_t result = 0; result < callee.results().size(); ++result) {
      const auto found = std::ranges::find_if(results, [&](NodeIndex node) { return m_graph.node(node).index() == result; });
      if (found != results.end()) {
        placeNode(*found, step);
      } else if (!callee.resultType(result).shape.isScalar()) {
        m_plan.unreadResults[{call, result}] = addBuffer(bufferFor(call, result), step);
      }
    }
  }

  void placeAccumulators(const Step &step, NodeIndex node, std::uint32_t stepIndex) {
    if (step.kind != Step::Kind::Reduction || !accumulatesInMemory(m_fusion.clusters[step.cluster])) {
      return;
    }
    // Row by row means that what was written is read again.
    markRead(node, stepIndex);
    if (m_graph.node(node).op == Op::ArgMax) {
      const DType dtype = m_graph.node(m_graph.node(node).operands[0]).type.dtype;
      m_plan.bestValues[node] = addBuffer(bufferFor(dtype, m_fusion.dims[node]), stepIndex);
    }
  }

  void markRead(NodeIndex node, std::uint32_t step) {
    const Location &location = m_plan.locations[node];
    if (location.kind == Location::Kind::Output) {
      m_plan.resultIsRead[location.index] = true;
    } else if (location.kind == Location::Kind::Temporary) {
      m_plan.buffers[location.index].lastStep = std::max(m_plan.buffers[location.index].lastStep, step);
    }
  }

  void followReads() {
    for (std::uint32_t step = 0; step < m_steps.size(); ++step) {
      for (const NodeIndex node : memoryReadBy(m_steps[step], m_graph, m_fusion)) {
        markRead(node, step);
      }
    }
    // Result copies come last of all.
    for (const ResultCopy &copy : m_plan.copies) {
      markRead(copy.source, static_cast<std::uint32_t>(m_steps.size()));
    }
  }

  /// First fit by offset, in the order of first use: buffers that are never alive together share memory.
  void assignOffsets() {
    std::int64_t stackBytes = 0;
    std::vector<std::uint32_t> placed;
    for (std::uint32_t index = 0; index < m_plan.buffers.size(); ++index) {
      TemporaryBuffer &buffer = m_plan.buffers[index];
      if (!buffer.isStatic()) {
        continue;
      }
      const std::int64_t bytes = aligned(buffer.elementBytes);
      if (bytes <= kStackBufferBytes && stackBytes + bytes <= kStackBytes) {
        buffer.isOnStack = true;
        stackBytes += bytes;
        continue;
      }
      std::int64_t offset = 0;
      for (const std::uint32_t other : placed) {
        const TemporaryBuffer &neighbour = m_plan.buffers[other];
        const bool isAliveTogether = neighbour.lastStep >= buffer.firstStep;
        if (isAliveTogether && neighbour.offset < offset + bytes && offset < neighbour.offset + aligned(neighbour.elementBytes)) {
          offset = neighbour.offset + aligned(neighbour.elementBytes);
        }
      }
      buffer.offset = offset;
      m_plan.ownBytes = std::max(m_plan.ownBytes, offset + bytes);
      // Kept in the order of offsets, so that one pass finds the first gap.
      placed.insert(std::ranges::upper_bound(placed, offset, {}, [&](std::uint32_t i) { return m_plan.buffers[i].offset; }), index);
    }
  }

  const Graph &m_graph;
  const FusionPlan &m_fusion;
  const std::vector<Step> &m_steps;
  graph::SizeLayout m_layout;
  StoragePlan m_plan;
};

using PureMemo = std::unordered_map<const Graph *, bool>;

bool isPureScalar(const Graph &graph, PureMemo &memo) {
  if (const auto known = memo.find(&graph); known != memo.end()) {
    return known->second;
  }
  const bool isPure = std::ranges::all_of(graph.nodes(), [&](const Node &node) {
    const bool isCall = node.op == Op::Call || node.op == Op::Map;
    return node.type.shape.isScalar() && (!isCall || isPureScalar(node.callee(), memo));
  });
  memo.emplace(&graph, isPure);
  return isPure;
}

} // namespace

FunctionPlan planFunction(const Graph &graph) {
  FunctionPlan plan;
  plan.fusion = planFusion(graph);
  plan.steps = scheduleOf(graph, plan.fusion);
  plan.storage = Storage(graph, plan.fusion, plan.steps).run();
  return plan;
}

bool isPureScalar(const Graph &graph) {
  PureMemo memo;
  return isPureScalar(graph, memo);
}

} // namespace jitscope::lower
