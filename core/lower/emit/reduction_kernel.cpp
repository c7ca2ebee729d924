// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions take their elements strictly in row-major order, so that floats always add up to the same sum.
#include "lower/emit/reduction_kernel.h"

#include "lower/emit/evaluator.h"
#include "lower/emit/loops.h"
#include "lower/plan/reduction_blocks.h"

#include <algorithm>
#include <map>

#include <llvm/IR/Intrinsics.h>

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
      const DType dtype = operandType(node);
      llvm::Value *value = evaluator.at(m_emission.node(node).operands[0], index);
      m_emission.locate(node);
      llvm::Value *running = carried[next.size()];
      if (m_emission.node(node).op == Op::ArgMax) {
        llvm::Value *isBetter = beats(dtype, value, running);
        llvm::Value *place = evaluator.map().linear(m_reducedDims, within(index, true));
        llvm::Value *runningPlace = carried[next.size() + 1];
        next.push_back(m_emission.builder.CreateSelect(isBetter, value, running));
        next.push_back(m_emission.builder.CreateSelect(isBetter, place, runningPlace));
      } else {
        next.push_back(taken(node, running, value));
      }
    }
    return next;
  }

  /// The running value of a reduction other than argmax with one more element.
  llvm::Value *taken(NodeIndex node, llvm::Value *running, llvm::Value *value) {
    const Op op = m_emission.node(node).op;
    const DType dtype = operandType(node);
    if (op == Op::ReduceMax || op == Op::ReduceMin) {
      return m_emission.code.binary(op == Op::ReduceMax ? Op::Maximum : Op::Minimum, dtype, running, value);
    }
    const DType sum = m_emission.node(node).type.dtype;
    return m_emission.code.binary(Op::Add, sum, running, m_emission.code.convert(value, dtype, sum));
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

  /// The running values once all reduced elements of one kept place are in.
  Values totalsAt(const ElementIndex &kept) {
    if (!m_blocks.inBlocks) {
      return emitNest(m_emission, m_cluster.dims, m_reduced, initial(), [&](const ElementIndex &reduced, const Values &carried) {
        return accumulate(joined(kept, reduced), carried);
      });
    }
    const std::span<const AxisRange> outer = std::span(m_reduced).first(m_reduced.size() - 1);
    return emitNest(m_emission, m_cluster.dims, outer, initial(),
                    [&](const ElementIndex &reduced, const Values &carried) { return inBlocks(joined(kept, reduced), carried); });
  }

  /// A part of the innermost reduced range: the elements from `start` on, beside the positions along all other axes.
  struct Block {
    const ElementIndex &outer;
    llvm::Value *start;
    llvm::Value *length;
  };

  /// The innermost reduced range, block by block.
  Values inBlocks(const ElementIndex &outer, const Values &initialValues) {
    const AxisRange range = m_reduced.back();
    llvm::IRBuilder<> &builder = m_emission.builder;
    llvm::Value *extent = m_emission.sizes.product(std::span(m_cluster.dims).subspan(range.first, range.last - range.first + 1));
    llvm::Value *most = builder.getInt64(kReductionBlock);
    llvm::Value *count = builder.CreateUDiv(builder.CreateNUWAdd(extent, builder.getInt64(kReductionBlock - 1)), most);
    return emitLoop(m_emission, count, initialValues, [&](llvm::Value *number, const Values &carried) {
      llvm::Value *start = builder.CreateMul(number, most, "", true, true);
      llvm::Value *rest = builder.CreateSub(extent, start, "", true, true);
      const Block block{outer, start, builder.CreateSelect(builder.CreateICmpULT(rest, most), rest, most)};
      storeBlock(block);
      Values next;
      for (const NodeIndex node : m_step.nodes) {
        if (m_emission.node(node).op == Op::ArgMax) {
          next.append(bestOf(block, node, carried[next.size()], carried[next.size() + 1]));
        } else {
          next.append(overBlock(block, node, carried[next.size()], [&](llvm::Value *running, llvm::Value *value, llvm::Value *) {
            return taken(node, running, value);
          }));
        }
      }
      return next;
    });
  }

  [[nodiscard]] ElementIndex indexIn(const Block &block, llvm::Value *position) {
    llvm::Value *place = m_emission.builder.CreateAdd(block.start, position, "", true, true);
    return joined(block.outer, {{m_reduced.back(), place}});
  }

  void storeBlock(const Block &block) {
    if (m_blocks.stored.empty()) {
      return;
    }
    emitLoop(m_emission, block.length, {}, [&](llvm::Value *position, const Values &) {
      Evaluator evaluator(m_emission, m_step.cluster, false);
      for (const NodeIndex operand : m_blocks.stored) {
        llvm::Value *value = evaluator.at(operand, indexIn(block, position));
        m_emission.memory.storeLocal(m_blockMemory.at(operand), m_emission.node(operand).type.dtype, position, value);
      }
      return Values{};
    });
  }

  /// One value carried over the elements of a block that `node` reduces.
  Values overBlock(const Block &block, NodeIndex node, llvm::Value *initialValue,
                   llvm::function_ref<llvm::Value *(llvm::Value *running, llvm::Value *value, llvm::Value *position)> next) {
    return emitLoop(m_emission, block.length, {initialValue}, [&](llvm::Value *position, const Values &carried) {
      const NodeIndex operand = m_emission.node(node).operands[0];
      const auto stored = m_blockMemory.find(operand);
      Evaluator evaluator(m_emission, m_step.cluster, false);
      llvm::Value *value = stored != m_blockMemory.end() ? m_emission.memory.loadLocal(stored->second, operandType(node), position)
                                                         : evaluator.at(operand, indexIn(block, position));
      m_emission.locate(node);
      return Values{next(carried[0], value, position)};
    });
  }

  /// The best value and its place after a block. Which value is its best is one vector loop, where that stands another; the second
  /// is only for blocks that hold something better than what came before.
  Values bestOf(const Block &block, NodeIndex node, llvm::Value *best, llvm::Value *bestPlace) {
    llvm::IRBuilder<> &builder = m_emission.builder;
    const DType dtype = operandType(node);
    llvm::Value *most =
        overBlock(block, node, m_emission.code.lowest(dtype), [&](llvm::Value *running, llvm::Value *value, llvm::Value *) {
          return m_emission.code.binary(Op::Maximum, dtype, running, value);
        })[0];
    m_emission.locate(node);
    llvm::Value *isBetter = beats(dtype, most, best);
    llvm::BasicBlock *before = builder.GetInsertBlock();
    auto *search = llvm::BasicBlock::Create(builder.getContext(), "search", before->getParent());
    auto *done = llvm::BasicBlock::Create(builder.getContext(), "done", before->getParent());
    builder.CreateCondBr(isBetter, search, done);
    builder.SetInsertPoint(search);
    const auto earlier = [&](llvm::Value *running, llvm::Value *value, llvm::Value *position) {
      llvm::Value *place = builder.CreateSelect(isSame(dtype, value, most), position, block.length);
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, running, place);
    };
    const ElementIndex index = indexIn(block, overBlock(block, node, block.length, earlier)[0]);
    m_emission.locate(node);
    llvm::Value *place = freshMap().linear(m_reducedDims, within(index, true));
    llvm::BasicBlock *searched = builder.GetInsertBlock();
    builder.CreateBr(done);
    done->moveAfter(searched);
    builder.SetInsertPoint(done);
    llvm::PHINode *merged = builder.CreatePHI(place->getType(), 2);
    merged->addIncoming(bestPlace, before);
    merged->addIncoming(place, searched);
    return {builder.CreateSelect(isBetter, most, best), merged};
  }

  /// Whether an element is the largest of its block, `most`. Where any is NaN, that is `most`.
  llvm::Value *isSame(DType dtype, llvm::Value *value, llvm::Value *most) {
    llvm::Value *isEqual = m_emission.code.binary(Op::Equal, dtype, value, most);
    return graph::isFloat(dtype) ? m_emission.builder.CreateOr(isEqual, m_emission.builder.CreateFCmpUNO(value, value)) : isEqual;
  }

  IndexMap freshMap() { return {m_emission.builder, m_emission.sizes, m_emission.graph, m_emission.plan.fusion, false}; }

  void inRegisters() {
    if (!m_reduced.empty()) {
      m_blocks = planBlocks(m_emission, m_step, m_reduced.back());
    }
    for (const NodeIndex operand : m_blocks.stored) {
      m_blockMemory.emplace(operand, m_emission.memory.local(m_emission.node(operand).type.dtype, kReductionBlock));
    }
    emitNest(m_emission, m_cluster.dims, m_kept, {}, [&](const ElementIndex &kept, const Values &) {
      const Values totals = totalsAt(kept);
      IndexMap map = freshMap();
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
    const auto alongRow = [&](const ElementIndex &place, const Values &) {
      const ElementIndex kept = within(place, false);
      const Values totals =
          emitNest(m_emission, m_cluster.dims, inner, loadRunning(kept),
                   [&](const ElementIndex &rest, const Values &carried) { return accumulate(joined(place, rest), carried); });
      storeRunning(kept, totals);
      return Values{};
    };
    // Once it is unrolled whole, the optimizer takes the row for registers; there are not that many, and all of it is spilled.
    emitNest(m_emission, m_cluster.dims, outer, {}, alongRow, Unrolling::Off);
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
    llvm::Value *offset = freshMap().linear(m_keptDims, kept);
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
    llvm::Value *offset = freshMap().linear(m_keptDims, kept);
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
    llvm::Value *offset = freshMap().linear(m_keptDims, index);
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
  BlockPlan m_blocks;
  std::map<NodeIndex, llvm::Value *> m_blockMemory; ///< by operand that is stored
};

} // namespace

void emitReduction(Emission &emission, const Step &step) { Reduction(emission, step).run(); }

} // namespace jitscope::lower
