// SPDX-License-Identifier: GPL-3.0-or-later
// Integer arithmetic that never traps: it wraps, division by zero gives 0, powers are taken by squaring.
#include "lower/emit/integer_code.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

namespace jitscope::lower {

using graph::Op;

llvm::Value *IntegerCode::binary(Op op, bool isSigned, llvm::Value *left, llvm::Value *right) {
  switch (op) {
  case Op::Add:
    return m_builder.CreateAdd(left, right);
  case Op::Subtract:
    return m_builder.CreateSub(left, right);
  case Op::Multiply:
    return m_builder.CreateMul(left, right);
  case Op::Power:
    return power(isSigned, left, right);
  case Op::Minimum:
    return m_builder.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, left, right);
  case Op::Maximum:
    return m_builder.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, left, right);
  default:
    return division(op, isSigned, left, right);
  }
}

/// Floor division or its remainder, which has the sign of the divisor.
llvm::Value *IntegerCode::division(Op op, bool isSigned, llvm::Value *left, llvm::Value *right) {
  llvm::Type *type = left->getType();
  llvm::Value *zero = llvm::ConstantInt::get(type, 0);
  llvm::Value *one = llvm::ConstantInt::get(type, 1);
  llvm::Value *isByZero = m_builder.CreateICmpEQ(right, zero);
  if (!isSigned) {
    llvm::Value *divisor = m_builder.CreateSelect(isByZero, one, right);
    llvm::Value *value = op == Op::FloorDivide ? m_builder.CreateUDiv(left, divisor) : m_builder.CreateURem(left, divisor);
    return m_builder.CreateSelect(isByZero, zero, value);
  }
  // The smallest number by -1 traps on x86: by 1 it gives what wrapping would give, and the same remainder.
  llvm::Value *smallest = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()));
  llvm::Value *overflows = m_builder.CreateAnd(m_builder.CreateICmpEQ(left, smallest),
                                               m_builder.CreateICmpEQ(right, llvm::ConstantInt::getAllOnesValue(type)));
  llvm::Value *divisor = m_builder.CreateSelect(m_builder.CreateOr(isByZero, overflows), one, right);
  llvm::Value *quotient = m_builder.CreateSDiv(left, divisor);
  llvm::Value *rest = m_builder.CreateSRem(left, divisor);
  llvm::Value *signsDiffer = m_builder.CreateICmpSLT(m_builder.CreateXor(rest, divisor), zero);
  llvm::Value *isRoundedUp = m_builder.CreateAnd(m_builder.CreateICmpNE(rest, zero), signsDiffer);
  llvm::Value *value = op == Op::FloorDivide ? m_builder.CreateSelect(isRoundedUp, m_builder.CreateSub(quotient, one), quotient)
                                             : m_builder.CreateSelect(isRoundedUp, m_builder.CreateAdd(rest, divisor), rest);
  return m_builder.CreateSelect(isByZero, zero, value);
}

llvm::Value *IntegerCode::power(bool isSigned, llvm::Value *base, llvm::Value *exponent) {
  if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(exponent)) {
    return constantPower(isSigned, base, isSigned ? known->getSExtValue() : static_cast<std::int64_t>(known->getZExtValue()));
  }
  return m_builder.CreateCall(powerFunction(isSigned, base->getType()), {base, exponent});
}

/// `1 / base^n` truncated: nothing but 1 and -1 leaves more than 0.
static llvm::Value *reciprocalPower(llvm::IRBuilder<> &builder, llvm::Value *base, llvm::Value *isOdd) {
  llvm::Type *type = base->getType();
  llvm::Value *one = llvm::ConstantInt::get(type, 1);
  llvm::Value *minusOne = llvm::ConstantInt::getAllOnesValue(type);
  llvm::Value *ofMinusOne = builder.CreateSelect(isOdd, minusOne, one);
  llvm::Value *orZero = builder.CreateSelect(builder.CreateICmpEQ(base, minusOne), ofMinusOne, llvm::ConstantInt::get(type, 0));
  return builder.CreateSelect(builder.CreateICmpEQ(base, one), one, orZero);
}

llvm::Value *IntegerCode::constantPower(bool isSigned, llvm::Value *base, std::int64_t exponent) {
  if (isSigned && exponent < 0) {
    return reciprocalPower(m_builder, base, m_builder.getInt1((exponent & 1) != 0));
  }
  llvm::Value *result = llvm::ConstantInt::get(base->getType(), 1);
  auto left = static_cast<std::uint64_t>(exponent);
  for (llvm::Value *square = base; left != 0; left >>= 1U) {
    if ((left & 1U) != 0) {
      result = m_builder.CreateMul(result, square);
    }
    if (left > 1) {
      square = m_builder.CreateMul(square, square);
    }
  }
  return result;
}

/// A private function, so that a loop within the element loops stays out of the way where it is not inlined.
llvm::Function *IntegerCode::powerFunction(bool isSigned, llvm::Type *type) {
  const std::string name = (isSigned ? "power.s" : "power.u") + std::to_string(type->getIntegerBitWidth());
  if (llvm::Function *known = m_module.getFunction(name)) {
    return known;
  }
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(type, {type, type}, false), llvm::Function::InternalLinkage, name, m_module);
  function->setMemoryEffects(llvm::MemoryEffects::none());
  function->setDoesNotThrow();
  function->setWillReturn();
  llvm::LLVMContext &context = m_module.getContext();
  auto *entry = llvm::BasicBlock::Create(context, "entry", function);
  auto *loop = llvm::BasicBlock::Create(context, "square", function);
  auto *done = llvm::BasicBlock::Create(context, "done", function);
  llvm::IRBuilder<> builder(entry);
  llvm::Value *base = function->getArg(0);
  llvm::Value *exponent = function->getArg(1);
  llvm::Value *zero = llvm::ConstantInt::get(type, 0);
  llvm::Value *one = llvm::ConstantInt::get(type, 1);
  llvm::Value *early = one;
  llvm::Value *isEarly = builder.CreateICmpEQ(exponent, zero);
  if (isSigned) {
    llvm::Value *isNegative = builder.CreateICmpSLT(exponent, zero);
    early =
        builder.CreateSelect(isNegative, reciprocalPower(builder, base, builder.CreateTrunc(exponent, builder.getInt1Ty())), one);
    isEarly = builder.CreateOr(isEarly, isNegative);
  }
  builder.CreateCondBr(isEarly, done, loop);

  builder.SetInsertPoint(loop);
  llvm::PHINode *result = builder.CreatePHI(type, 2, "result");
  llvm::PHINode *square = builder.CreatePHI(type, 2, "square");
  llvm::PHINode *left = builder.CreatePHI(type, 2, "left");
  llvm::Value *isOdd = builder.CreateTrunc(left, builder.getInt1Ty());
  llvm::Value *next = builder.CreateSelect(isOdd, builder.CreateMul(result, square), result);
  llvm::Value *half = builder.CreateLShr(left, one);
  result->addIncoming(one, entry);
  result->addIncoming(next, loop);
  square->addIncoming(base, entry);
  square->addIncoming(builder.CreateMul(square, square), loop);
  left->addIncoming(exponent, entry);
  left->addIncoming(half, loop);
  builder.CreateCondBr(builder.CreateICmpEQ(half, zero), done, loop);

  builder.SetInsertPoint(done);
  llvm::PHINode *value = builder.CreatePHI(type, 2);
  value->addIncoming(early, entry);
  value->addIncoming(next, loop);
  builder.CreateRet(value);
  return function;
}

} // namespace jitscope::lower
