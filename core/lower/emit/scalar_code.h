// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <llvm/IR/IRBuilder.h>

namespace llvm {
class Module;
} // namespace llvm

namespace jitscope::lower {

/// The type that values of `dtype` have in registers (a pred is an i1) and in memory (where it is a byte).
llvm::Type *registerType(llvm::LLVMContext &context, graph::DType dtype);
llvm::Type *memoryType(llvm::LLVMContext &context, graph::DType dtype);

/// Code for the operations on single elements, with the meanings that `graph::Op` gives them. IEEE arithmetic in the order written,
/// unless the builder carries fast-math flags.
class ScalarCode {
public:
  ScalarCode(llvm::IRBuilder<> &builder, llvm::Module &module) : m_builder(builder), m_module(module) {}

  /// A constant whose memory would hold `bits`.
  llvm::Value *constant(graph::DType dtype, std::uint64_t bits);
  /// Operands and result in registers; `dtype` is that of the operands.
  llvm::Value *unary(graph::Op op, graph::DType dtype, llvm::Value *operand);
  llvm::Value *binary(graph::Op op, graph::DType dtype, llvm::Value *left, llvm::Value *right);
  /// To integers: truncates and saturates, NaN gives 0. To pred: whether it differs from 0.
  llvm::Value *convert(llvm::Value *value, graph::DType from, graph::DType to);

  /// The largest or smallest value of a dtype, infinities included: what a maximum or minimum starts from.
  llvm::Value *lowest(graph::DType dtype);
  llvm::Value *highest(graph::DType dtype);

  /// A register's value as memory holds it, and back.
  llvm::Value *toMemory(llvm::Value *value, graph::DType dtype);
  llvm::Value *fromMemory(llvm::Value *value, graph::DType dtype);

private:
  llvm::Value *floatUnary(graph::Op op, llvm::Value *operand);
  llvm::Value *floatBinary(graph::Op op, llvm::Value *left, llvm::Value *right);
  llvm::Value *floatFloorDivide(llvm::Value *left, llvm::Value *right);
  llvm::Value *floatModulo(llvm::Value *left, llvm::Value *right);
  llvm::Value *predBinary(graph::Op op, llvm::Value *left, llvm::Value *right);
  llvm::Value *compare(graph::Op op, graph::DType dtype, llvm::Value *left, llvm::Value *right);
  llvm::Value *intrinsic(unsigned id, llvm::Value *operand);
  llvm::Value *intrinsic(unsigned id, llvm::Value *left, llvm::Value *right);

  llvm::IRBuilder<> &m_builder;
  llvm::Module &m_module;
};

} // namespace jitscope::lower
