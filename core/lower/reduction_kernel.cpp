// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions take their elements strictly in row-major order, so that floats always add up to the same sum.
#include "lower/evaluator.h"

#include <algorithm>

namespace jitscope::lower {

using graph::DType;
using graph::Node;
using graph::NodeIndex;
using graph::Op;

namespace {

/// The reductions of one cluster and the loops they share.
class Reduction {
public:
  Reduction(Emission &emission, const Step &step)
      : m_emission(emission), m_step(step), m_cluster(emission.plan.fusion.clusters[step.cluster]) {
    const Grouping grouping(emission.graph, emission.plan.fusion, false);
    AxisBreaks breaks = reductionBreaks(m_cluster);
    for (const NodeIndex member : m_cluster.members) {
      const bool isReduction = graph::isReduction(emission.node(member).op);
      breaks |= isReduction ? grouping.readBreaks(emission.node(member).operands[0]) : grouping.breaksOf(member);
    }
    for (const AxisRange &range : rangesOf(m_cluster.dims.size(), breaks)) {
      (isReduced(range.first) ? m_reduced : m_kept).push_back(range);
    }
    for (std::uint32_t axis = 0; axis < m_cluster.dims.size(); ++axis) {
      (isReduced(axis) ? m_reducedDims : m_keptDims).push_back(m_cluster.dims[axis]);
    }
  }

  void run() {
    m_emission.locate(m_step.nodes.back());
    if (accumulatesInMemory(m_cluster)) {
      inMemory();
    } else {
      inRegisters();
    }
  }

private:
  [[nodiscard]] bool isReduced(std::uint32_t axis) const { return std::ranges::binary_search(m_cluster.axes, axis); }
  [[nodiscard]] DType operandType(NodeIndex node) const { return m_emission.node(m_emission.node(node).operands[0]).type.dtype; }

  /// The running values of all reductions: one each, and the index besides for argmax.
  Values initial() {
    Values values;
    for (const NodeIndex node : m_step.nodes) {
      const DType dtype = operandType(node);
      switch (m_emission.node(node).op) {
      case Op::ReduceMax:
        values.push_back(m_emission.code.lowest(dtype));
        break;
      case Op::ReduceMin:
        values.push_back(m_emission.code.highest(dtype));
        break;
      case Op::ArgMax:
        values.push_back(m_emission.code.lowest(dtype));
        values.push_back(m_emission.builder.getInt64(0));
        break;
      default:
        values.push_back(m_emission.code.constant(m_emission.node(node).type.dtype, 0));
      }
    }
    return values;
  }

  /// Takes one more element into every running value.
  Values accumulate(const ElementIndex &index, const Values &carried) {
    Evaluator evaluator(m_emission, m_step.cluster, false);
    Values next;
    for (const NodeIndex node : m_step.nodes) {
      const Op op = m_emission.node(node).op;
      const DType dtype = operandType(node);
      llvm::Value *value = evaluator.at(m_emission.node(node).operands[0], index);
      m_emission.locate(node);
      llvm::Value *running = carried[next.size()];
      if (op == Op::ReduceMax || op == Op::ReduceMin) {
        next.push_back(m_emission.code.binary(op == Op::ReduceMax ? Op::Maximum : Op::Minimum, dtype, running, value));
      } else if (op == Op::ArgMax) {
        llvm::Value *isBetter = beats(dtype, value, running);
        llvm::Value *place = evaluator.map().linear(m_reducedDims, within(index, true));
        llvm::Value *runningPlace = carried[next.size() + 1];
        next.push_back(m_emission.builder.CreateSelect(isBetter, value, running));
        next.push_back(m_emission.builder.CreateSelect(isBetter, place, runningPlace));
      } else {
        const DType sum = m_emission.node(node).type.dtype;
        next.push_back(m_emission.code.binary(Op::Add, sum, running, m_emission.code.convert(value, dtype, sum)));
      }
    }
    return next;
  }

  /// Strictly larger, or the first NaN.
  llvm::Value *beats(DType dtype, llvm::Value *value, llvm::Value *best) {
    if (!graph::isFloat(dtype)) {
      return m_emission.code.binary(Op::Greater, dtype, value, best);
    }
    llvm::Value *isLarger = m_emission.builder.CreateFCmpUGT(value, best);
    return m_emission.builder.CreateAnd(isLarger, m_emission.builder.CreateFCmpORD(best, best));
  }

  /// The part of an index that is along the reduced (or the kept) axes, in terms of those axes alone.
  [[nodiscard]] ElementIndex within(const ElementIndex &index, bool reduced) const {
    ElementIndex part;
    for (const AxisPosition &position : index) {
      if (isReduced(position.range.first) == reduced) {
        std::uint32_t before = 0;
        for (std::uint32_t axis = 0; axis < position.range.first; ++axis) {
          before += isReduced(axis) == reduced ? 1 : 0;
        }
        part.push_back({{before, before + position.range.last - position.range.first}, position.value});
      }
    }
    return part;
  }

  /// What is kept of the running values of `node` in the end.
  llvm::Value *finished(NodeIndex node, llvm::Value *running) {
    m_emission.locate(node);
    if (m_emission.node(node).op != Op::ReduceMean) {
      return running;
    }
    const DType dtype = m_emission.node(node).type.dtype;
    llvm::Value *count = m_emission.code.convert(m_emission.sizes.product(m_reducedDims), DType::S64, dtype);
    return m_emission.code.binary(Op::Divide, dtype, running, count);
  }

  void inRegisters() {
    emitNest(m_emission, m_cluster.dims, m_kept, {}, [&](const ElementIndex &kept, const Values &) {
      const Values totals =
          emitNest(m_emission, m_cluster.dims, m_reduced, initial(),
                   [&](const ElementIndex &reduced, const Values &carried) { return accumulate(joined(kept, reduced), carried); });
      IndexMap map(m_emission.builder, m_emission.sizes, m_emission.graph, m_emission.plan.fusion, false);
      std::size_t place = 0;
      for (const NodeIndex node : m_step.nodes) {
        const bool isArgMax = m_emission.node(node).op == Op::ArgMax;
        llvm::Value *value = finished(node, totals[place + (isArgMax ? 1 : 0)]);
        place += isArgMax ? 2 : 1;
        if (m_emission.node(node).type.shape.isScalar()) {
          m_emission.scalars[node] = value;
        } else {
          m_emission.memory.store(node, map.linear(m_keptDims, within(kept, false)), value);
        }
      }
      return Values{};
    });
  }

  static ElementIndex joined(const ElementIndex &left, const ElementIndex &right) {
    ElementIndex index = left;
    index.insert(index.end(), right.begin(), right.end());
    std::ranges::sort(index, {}, [](const AxisPosition &position) { return position.range.first; });
    return index;
  }

  /// Row by row: the running values of the whole result are in memory, and the inner loop runs along a row.
  void inMemory() {
    const std::vector<AxisRange> whole = rangesOf(m_keptDims.size(), 0);
    emitNest(m_emission, m_keptDims, whole, {}, [&](const ElementIndex &index, const Values &) {
      storeRunning(index, initial());
      return Values{};
    });
    std::vector<AxisRange> outer;
    std::vector<AxisRange> inner;
    splitAtLastKept(outer, inner);
    emitNest(m_emission, m_cluster.dims, outer, {}, [&](const ElementIndex &place, const Values &) {
      const ElementIndex kept = within(place, false);
      const Values totals =
          emitNest(m_emission, m_cluster.dims, inner, loadRunning(kept),
                   [&](const ElementIndex &rest, const Values &carried) { return accumulate(joined(place, rest), carried); });
      storeRunning(kept, totals);
      return Values{};
    });
    if (std::ranges::any_of(m_step.nodes, [&](NodeIndex node) { return m_emission.node(node).op == Op::ReduceMean; })) {
      emitNest(m_emission, m_keptDims, whole, {}, [&](const ElementIndex &index, const Values &) {
        finishRow(index);
        return Values{};
      });
    }
  }

  /// Ranges up to the last kept one that matters, and the reduced ones within it.
  void splitAtLastKept(std::vector<AxisRange> &outer, std::vector<AxisRange> &inner) const {
    std::uint32_t lastKept = 0;
    for (const std::uint32_t axis : longAxes(m_cluster.dims)) {
      lastKept = isReduced(axis) ? lastKept : axis;
    }
    outer = m_kept;
    for (const AxisRange &range : m_reduced) {
      (range.first < lastKept ? outer : inner).push_back(range);
    }
    std::ranges::sort(outer, {}, &AxisRange::first);
  }

  Values loadRunning(const ElementIndex &kept) {
    IndexMap map(m_emission.builder, m_emission.sizes, m_emission.graph, m_emission.plan.fusion, false);
    llvm::Value *offset = map.linear(m_keptDims, kept);
    Values running;
    for (const NodeIndex node : m_step.nodes) {
      m_emission.locate(node);
      if (m_emission.node(node).op == Op::ArgMax) {
        running.push_back(m_emission.memory.loadBuffer(m_emission.plan.storage.bestValues.at(node), operandType(node), offset));
      }
      running.push_back(m_emission.memory.load(node, offset));
    }
    return running;
  }

  void storeRunning(const ElementIndex &kept, const Values &running) {
    IndexMap map(m_emission.builder, m_emission.sizes, m_emission.graph, m_emission.plan.fusion, false);
    llvm::Value *offset = map.linear(m_keptDims, kept);
    std::size_t place = 0;
    for (const NodeIndex node : m_step.nodes) {
      m_emission.locate(node);
      if (m_emission.node(node).op == Op::ArgMax) {
        m_emission.memory.storeBuffer(m_emission.plan.storage.bestValues.at(node), operandType(node), offset, running[place++]);
      }
      m_emission.memory.store(node, offset, running[place++]);
    }
  }

  void finishRow(const ElementIndex &index) {
    IndexMap map(m_emission.builder, m_emission.sizes, m_emission.graph, m_emission.plan.fusion, false);
    llvm::Value *offset = map.linear(m_keptDims, index);
    for (const NodeIndex node : m_step.nodes) {
      if (m_emission.node(node).op == Op::ReduceMean) {
        m_emission.memory.store(node, offset, finished(node, m_emission.memory.load(node, offset)));
      }
    }
  }

  Emission &m_emission;
  const Step &m_step;
  const Cluster &m_cluster;
  std::vector<AxisRange> m_kept;
  std::vector<AxisRange> m_reduced;
  Dims m_keptDims;
  Dims m_reducedDims;
};

} // namespace

void emitReduction(Emission &emission, const Step &step) { Reduction(emission, step).run(); }

} // namespace jitscope::lower
