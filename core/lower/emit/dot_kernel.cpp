// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix products: BLAS for large ones of floats, loops for the rest.
#include "lower/emit/dot_kernel.h"

#include "lower/emit/loops.h"

#include <limits>

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace jitscope::lower {

using graph::DType;
using graph::NodeIndex;
using graph::Op;

namespace {

// Of cblas.h.
constexpr std::uint32_t kRowMajor = 101;
constexpr std::uint32_t kNoTranspose = 111;
constexpr std::uint32_t kTranspose = 112;
/// The largest size that BLAS takes.
constexpr std::int64_t kMaxBlas = std::numeric_limits<std::int32_t>::max();

class Dot {
public:
  Dot(Emission &emission, NodeIndex node)
      : m_emission(emission), m_builder(emission.builder), m_node(node), m_dtype(emission.node(node).type.dtype),
        m_left(dotOperand(emission.graph, emission.node(node).operands[0])),
        m_right(dotOperand(emission.graph, emission.node(node).operands[1])),
        m_leftDims(emission.dims(emission.node(node).operands[0])), m_rightDims(emission.dims(emission.node(node).operands[1])),
        m_inner(emission.sizes.extent(m_leftDims.back())) {
    m_rows = emission.sizes.product(std::span(m_leftDims).first(m_leftDims.size() - 1));
    m_columns = emission.sizes.product(std::span(m_rightDims).subspan(1));
  }

  void run() {
    m_emission.locate(m_node);
    if (!graph::isFloat(m_dtype)) {
      finish(loops());
      return;
    }
    llvm::Value *isLarge = largeEnough();
    if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(isLarge)) {
      finish(known->isOne() ? blas() : loops());
      return;
    }
    llvm::Function *function = m_builder.GetInsertBlock()->getParent();
    auto *large = llvm::BasicBlock::Create(m_builder.getContext(), "blas", function);
    auto *small = llvm::BasicBlock::Create(m_builder.getContext(), "small", function);
    auto *done = llvm::BasicBlock::Create(m_builder.getContext(), "done", function);
    m_builder.CreateCondBr(isLarge, large, small);
    m_builder.SetInsertPoint(large);
    llvm::Value *ofBlas = blas();
    llvm::BasicBlock *largeEnd = m_builder.CreateBr(done)->getParent();
    m_builder.SetInsertPoint(small);
    llvm::Value *ofLoops = loops();
    llvm::BasicBlock *smallEnd = m_builder.CreateBr(done)->getParent();
    done->moveAfter(smallEnd);
    m_builder.SetInsertPoint(done);
    if (ofBlas == nullptr) {
      return;
    }
    llvm::PHINode *value = m_builder.CreatePHI(ofBlas->getType(), 2);
    value->addIncoming(ofBlas, largeEnd);
    value->addIncoming(ofLoops, smallEnd);
    finish(value);
  }

private:
  [[nodiscard]] bool isScalarResult() const { return m_emission.node(m_node).type.shape.isScalar(); }
  void finish(llvm::Value *value) {
    if (isScalarResult()) {
      m_emission.scalars[m_node] = value;
    }
  }

  /// Whether the product is worth a call of BLAS and fits its 32-bit sizes. Folds to a constant where all sizes are known.
  llvm::Value *largeEnough() {
    llvm::Value *work = m_builder.CreateMul(m_builder.CreateMul(m_rows, m_inner), m_columns);
    llvm::Value *isLarge =
        m_builder.CreateICmpSGT(work, m_builder.getInt64(static_cast<std::uint64_t>(m_emission.options.smallDot)));
    for (llvm::Value *size : {m_rows, m_inner, m_columns}) {
      isLarge = m_builder.CreateAnd(isLarge, m_builder.CreateICmpSLE(size, m_builder.getInt64(kMaxBlas)));
    }
    return isLarge;
  }

  // --- loops ---

  llvm::Value *at(llvm::Value *row, llvm::Value *column, llvm::Value *columns) {
    return m_builder.CreateAdd(m_builder.CreateMul(row, columns, "", true, true), column, "", true, true);
  }
  llvm::Value *left(llvm::Value *row, llvm::Value *k) {
    return m_emission.memory.load(m_left.base, m_left.isTransposed ? at(k, row, m_rows) : at(row, k, m_inner));
  }
  llvm::Value *right(llvm::Value *k, llvm::Value *column) {
    return m_emission.memory.load(m_right.base, m_right.isTransposed ? at(column, k, m_inner) : at(k, column, m_columns));
  }
  llvm::Value *plusProduct(llvm::Value *sum, llvm::Value *a, llvm::Value *b) {
    return m_emission.code.binary(Op::Add, m_dtype, sum, m_emission.code.binary(Op::Multiply, m_dtype, a, b));
  }
  llvm::Value *zero() { return m_emission.code.constant(m_dtype, 0); }

  /// The sum over the inner axis in a register, in order.
  llvm::Value *inRegister(llvm::Value *row, llvm::Value *column) {
    return emitLoop(m_emission, m_inner, {zero()}, [&](llvm::Value *k, const Values &carried) -> Values {
      return {plusProduct(carried[0], left(row, k), right(k, column))};
    })[0];
  }

  /// Adds the right's rows, each times one element of the left, to a row of the result: the inner loop runs along memory.
  void rowByRow(llvm::Value *row) {
    emitLoop(m_emission, m_columns, {}, [&](llvm::Value *column, const Values &) {
      m_emission.memory.store(m_node, at(row, column, m_columns), zero());
      return Values{};
    });
    emitLoop(m_emission, m_inner, {}, [&](llvm::Value *k, const Values &) {
      llvm::Value *factor = left(row, k);
      emitLoop(m_emission, m_columns, {}, [&](llvm::Value *column, const Values &) {
        llvm::Value *offset = at(row, column, m_columns);
        llvm::Value *sum = m_emission.memory.load(m_node, offset);
        m_emission.memory.store(m_node, offset, plusProduct(sum, factor, right(k, column)));
        return Values{};
      });
      return Values{};
    });
  }

  llvm::Value *loops() {
    if (isScalarResult()) {
      return inRegister(m_builder.getInt64(0), m_builder.getInt64(0));
    }
    const auto *columns = llvm::dyn_cast<llvm::ConstantInt>(m_columns);
    const bool isColumn = columns != nullptr && columns->isOne();
    emitLoop(m_emission, m_rows, {}, [&](llvm::Value *row, const Values &) {
      if (!isColumn && !m_right.isTransposed) {
        rowByRow(row);
        return Values{};
      }
      emitLoop(m_emission, m_columns, {}, [&](llvm::Value *column, const Values &) {
        llvm::Value *sum = inRegister(row, column);
        m_emission.memory.store(m_node, at(row, column, m_columns), sum);
        return Values{};
      });
      return Values{};
    });
    return nullptr;
  }

  // --- BLAS ---

  llvm::Value *number(std::uint32_t value) { return m_builder.getInt32(value); }
  llvm::Value *size(llvm::Value *value) { return m_builder.CreateTrunc(value, m_builder.getInt32Ty()); }
  llvm::Value *real(double value) { return llvm::ConstantFP::get(registerType(m_builder.getContext(), m_dtype), value); }

  llvm::Value *callBlas(const char *routine, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments) {
    const std::string name = std::string("cblas_") + (m_dtype == DType::F32 ? "s" : "d") + routine;
    llvm::SmallVector<llvm::Type *, 14> types;
    for (llvm::Value *argument : arguments) {
      types.push_back(argument->getType());
    }
    llvm::FunctionCallee callee = m_emission.module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    auto *function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setWillReturn();
    function->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
    for (llvm::Argument &argument : function->args()) {
      if (argument.getType()->isPointerTy()) {
        argument.addAttr(llvm::Attribute::NoCapture);
      }
    }
    return m_builder.CreateCall(callee, arguments);
  }

  llvm::Value *blas() {
    llvm::Value *leftMemory = m_emission.memory.pointer(m_left.base);
    llvm::Value *rightMemory = m_emission.memory.pointer(m_right.base);
    if (isScalarResult()) {
      return callBlas("dot", registerType(m_builder.getContext(), m_dtype),
                      {size(m_inner), leftMemory, number(1), rightMemory, number(1)});
    }
    callBlas("gemm", m_builder.getVoidTy(),
             {number(kRowMajor), number(m_left.isTransposed ? kTranspose : kNoTranspose),
              number(m_right.isTransposed ? kTranspose : kNoTranspose), size(m_rows), size(m_columns), size(m_inner), real(1),
              leftMemory, size(m_left.isTransposed ? m_rows : m_inner), rightMemory,
              size(m_right.isTransposed ? m_inner : m_columns), real(0), m_emission.memory.pointer(m_node), size(m_columns)});
    return nullptr;
  }

  Emission &m_emission;
  llvm::IRBuilder<> &m_builder;
  NodeIndex m_node;
  DType m_dtype;
  DotOperand m_left;
  DotOperand m_right;
  const Dims &m_leftDims;
  const Dims &m_rightDims;
  llvm::Value *m_rows = nullptr;
  llvm::Value *m_inner = nullptr;
  llvm::Value *m_columns = nullptr;
};

} // namespace

void emitDot(Emission &emission, const Step &step) { Dot(emission, step.nodes[0]).run(); }

} // namespace jitscope::lower
