// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <cstdint>

#include <llvm/IR/IRBuilder.h>

namespace jitscope::lower {

/// Code for integer arithmetic that never traps: it wraps, division by zero gives 0, powers are taken by squaring.
class IntegerCode {
public:
  IntegerCode(llvm::IRBuilder<> &builder, llvm::Module &module) : m_builder(builder), m_module(module) {}

  /// Operands and result in registers.
  llvm::Value *binary(graph::Op op, bool isSigned, llvm::Value *left, llvm::Value *right);

private:
  llvm::Value *division(graph::Op op, bool isSigned, llvm::Value *left, llvm::Value *right);
  llvm::Value *power(bool isSigned, llvm::Value *base, llvm::Value *exponent);
  llvm::Value *constantPower(bool isSigned, llvm::Value *base, std::int64_t exponent);
  llvm::Function *powerFunction(bool isSigned, llvm::Type *type);

  llvm::IRBuilder<> &m_builder;
  llvm::Module &m_module;
};

} // namespace jitscope::lower
