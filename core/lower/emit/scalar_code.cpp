// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/emit/scalar_code.h"

#include "lower/emit/integer_code.h"

#include <bit>

#include <llvm/IR/Intrinsics.h>

namespace jitscope::lower {

using graph::DType;
using graph::Op;

namespace {

bool isSignedInteger(DType dtype) { return dtype == DType::S32 || dtype == DType::S64; }

} // namespace

llvm::Type *registerType(llvm::LLVMContext &context, DType dtype) {
  return dtype == DType::Pred ? llvm::Type::getInt1Ty(context) : memoryType(context, dtype);
}

llvm::Type *memoryType(llvm::LLVMContext &context, DType dtype) {
  switch (dtype) {
  case DType::Pred:
  case DType::U8:
    return llvm::Type::getInt8Ty(context);
  case DType::S32:
    return llvm::Type::getInt32Ty(context);
  case DType::S64:
    return llvm::Type::getInt64Ty(context);
  case DType::F32:
    return llvm::Type::getFloatTy(context);
  case DType::F64:
    break;
  }
  return llvm::Type::getDoubleTy(context);
}

llvm::Value *ScalarCode::intrinsic(unsigned id, llvm::Value *operand) { return m_builder.CreateUnaryIntrinsic(id, operand); }

llvm::Value *ScalarCode::intrinsic(unsigned id, llvm::Value *left, llvm::Value *right) {
  return m_builder.CreateBinaryIntrinsic(id, left, right);
}

llvm::Value *ScalarCode::constant(DType dtype, std::uint64_t bits) {
  llvm::Type *type = registerType(m_builder.getContext(), dtype);
  switch (dtype) {
  case DType::F32:
    // Through bits, so that NaN payloads and signed zeros stay.
    return llvm::ConstantFP::get(m_builder.getContext(), llvm::APFloat(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  case DType::F64:
    return llvm::ConstantFP::get(m_builder.getContext(), llvm::APFloat(std::bit_cast<double>(bits)));
  case DType::Pred:
    return llvm::ConstantInt::get(type, (bits & 0xff) != 0 ? 1 : 0);
  default:
    return llvm::ConstantInt::get(type, llvm::APInt(64, bits).trunc(type->getIntegerBitWidth()));
  }
}

llvm::Value *ScalarCode::lowest(DType dtype) {
  llvm::Type *type = registerType(m_builder.getContext(), dtype);
  if (graph::isFloat(dtype)) {
    return llvm::ConstantFP::getInfinity(type, true);
  }
  return isSignedInteger(dtype) ? llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getIntegerBitWidth()))
                                : llvm::ConstantInt::get(type, 0);
}

llvm::Value *ScalarCode::highest(DType dtype) {
  llvm::Type *type = registerType(m_builder.getContext(), dtype);
  if (graph::isFloat(dtype)) {
    return llvm::ConstantFP::getInfinity(type);
  }
  return isSignedInteger(dtype) ? llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(type->getIntegerBitWidth()))
                                : llvm::ConstantInt::get(type, llvm::APInt::getMaxValue(type->getIntegerBitWidth()));
}

llvm::Value *ScalarCode::toMemory(llvm::Value *value, DType dtype) {
  return dtype == DType::Pred ? m_builder.CreateZExt(value, m_builder.getInt8Ty()) : value;
}

llvm::Value *ScalarCode::fromMemory(llvm::Value *value, DType dtype) {
  return dtype == DType::Pred ? m_builder.CreateICmpNE(value, m_builder.getInt8(0)) : value;
}

llvm::Value *ScalarCode::unary(Op op, DType dtype, llvm::Value *operand) {
  if (graph::isFloat(dtype)) {
    return floatUnary(op, operand);
  }
  switch (op) {
  case Op::Negate:
    return m_builder.CreateNeg(operand);
  case Op::Abs:
    // Not poison for the smallest number: it wraps to itself.
    return isSignedInteger(dtype) ? intrinsic(llvm::Intrinsic::abs, operand, m_builder.getFalse()) : operand;
  default:
    // Whole numbers are their own floor; everything else is defined for floats only.
    return operand;
  }
}

llvm::Value *ScalarCode::floatUnary(Op op, llvm::Value *operand) {
  const auto one = [&] { return llvm::ConstantFP::get(operand->getType(), 1.0); };
  switch (op) {
  case Op::Negate:
    return m_builder.CreateFNeg(operand);
  case Op::Abs:
    return intrinsic(llvm::Intrinsic::fabs, operand);
  case Op::Exp:
    return intrinsic(llvm::Intrinsic::exp, operand);
  case Op::Log:
    return intrinsic(llvm::Intrinsic::log, operand);
  case Op::Sqrt:
    return intrinsic(llvm::Intrinsic::sqrt, operand);
  case Op::Rsqrt:
    return m_builder.CreateFDiv(one(), intrinsic(llvm::Intrinsic::sqrt, operand));
  case Op::Sin:
    return intrinsic(llvm::Intrinsic::sin, operand);
  case Op::Cos:
    return intrinsic(llvm::Intrinsic::cos, operand);
  case Op::Tanh:
    return intrinsic(llvm::Intrinsic::tanh, operand);
  case Op::Sigmoid: {
    llvm::Value *power = intrinsic(llvm::Intrinsic::exp, m_builder.CreateFNeg(operand));
    return m_builder.CreateFDiv(one(), m_builder.CreateFAdd(one(), power));
  }
  case Op::Floor:
    return intrinsic(llvm::Intrinsic::floor, operand);
  default:
    return operand;
  }
}

llvm::Value *ScalarCode::binary(Op op, DType dtype, llvm::Value *left, llvm::Value *right) {
  if (graph::isComparison(op)) {
    return compare(op, dtype, left, right);
  }
  if (graph::isFloat(dtype)) {
    return floatBinary(op, left, right);
  }
  return dtype == DType::Pred ? predBinary(op, left, right)
                              : IntegerCode(m_builder, m_module).binary(op, isSignedInteger(dtype), left, right);
}

llvm::Value *ScalarCode::compare(Op op, DType dtype, llvm::Value *left, llvm::Value *right) {
  using Predicate = llvm::CmpInst::Predicate;
  struct Row {
    Predicate ofFloat;
    Predicate ofSigned;
    Predicate ofUnsigned;
  };
  const Row row = [op]() -> Row {
    switch (op) {
    case Op::Less:
      return {Predicate::FCMP_OLT, Predicate::ICMP_SLT, Predicate::ICMP_ULT};
    case Op::LessEqual:
      return {Predicate::FCMP_OLE, Predicate::ICMP_SLE, Predicate::ICMP_ULE};
    case Op::Greater:
      return {Predicate::FCMP_OGT, Predicate::ICMP_SGT, Predicate::ICMP_UGT};
    case Op::GreaterEqual:
      return {Predicate::FCMP_OGE, Predicate::ICMP_SGE, Predicate::ICMP_UGE};
    case Op::Equal:
      return {Predicate::FCMP_OEQ, Predicate::ICMP_EQ, Predicate::ICMP_EQ};
    default:
      return {Predicate::FCMP_UNE, Predicate::ICMP_NE, Predicate::ICMP_NE};
    }
  }();
  if (graph::isFloat(dtype)) {
    return m_builder.CreateFCmp(row.ofFloat, left, right);
  }
  return m_builder.CreateICmp(isSignedInteger(dtype) ? row.ofSigned : row.ofUnsigned, left, right);
}

/// Addition is "or", multiplication "and"; they are also the larger and the smaller.
llvm::Value *ScalarCode::predBinary(Op op, llvm::Value *left, llvm::Value *right) {
  switch (op) {
  case Op::Add:
  case Op::Maximum:
    return m_builder.CreateOr(left, right);
  case Op::Multiply:
  case Op::Minimum:
    return m_builder.CreateAnd(left, right);
  default:
    // The builder refuses everything else for pred.
    return m_builder.CreateXor(left, right);
  }
}

llvm::Value *ScalarCode::floatBinary(Op op, llvm::Value *left, llvm::Value *right) {
  switch (op) {
  case Op::Add:
    return m_builder.CreateFAdd(left, right);
  case Op::Subtract:
    return m_builder.CreateFSub(left, right);
  case Op::Multiply:
    return m_builder.CreateFMul(left, right);
  case Op::Divide:
    return m_builder.CreateFDiv(left, right);
  case Op::FloorDivide:
    return floatFloorDivide(left, right);
  case Op::Modulo:
    return floatModulo(left, right);
  case Op::Power:
    return intrinsic(llvm::Intrinsic::pow, left, right);
  case Op::Minimum:
    return intrinsic(llvm::Intrinsic::minimum, left, right);
  default:
    return intrinsic(llvm::Intrinsic::maximum, left, right);
  }
}

// The two below follow NumPy step by step: the remainder is exact, the quotient is corrected from it, zeros carry the right sign.

llvm::Value *ScalarCode::floatModulo(llvm::Value *left, llvm::Value *right) {
  llvm::Value *zero = llvm::ConstantFP::get(left->getType(), 0.0);
  llvm::Value *rest = m_builder.CreateFRem(left, right);
  llvm::Value *signsDiffer = m_builder.CreateXor(m_builder.CreateFCmpOLT(right, zero), m_builder.CreateFCmpOLT(rest, zero));
  llvm::Value *moved = m_builder.CreateSelect(signsDiffer, m_builder.CreateFAdd(rest, right), rest);
  return m_builder.CreateSelect(m_builder.CreateFCmpUNE(rest, zero), moved, intrinsic(llvm::Intrinsic::copysign, zero, right));
}

llvm::Value *ScalarCode::floatFloorDivide(llvm::Value *left, llvm::Value *right) {
  llvm::Type *type = left->getType();
  llvm::Value *zero = llvm::ConstantFP::get(type, 0.0);
  llvm::Value *one = llvm::ConstantFP::get(type, 1.0);
  llvm::Value *plain = m_builder.CreateFDiv(left, right);
  llvm::Value *rest = m_builder.CreateFRem(left, right);
  llvm::Value *quotient = m_builder.CreateFDiv(m_builder.CreateFSub(left, rest), right);
  llvm::Value *signsDiffer = m_builder.CreateXor(m_builder.CreateFCmpOLT(right, zero), m_builder.CreateFCmpOLT(rest, zero));
  llvm::Value *isOneTooLarge = m_builder.CreateAnd(m_builder.CreateFCmpUNE(rest, zero), signsDiffer);
  quotient = m_builder.CreateSelect(isOneTooLarge, m_builder.CreateFSub(quotient, one), quotient);
  llvm::Value *whole = intrinsic(llvm::Intrinsic::floor, quotient);
  llvm::Value *isRoundedDown = m_builder.CreateFCmpOGT(m_builder.CreateFSub(quotient, whole), llvm::ConstantFP::get(type, 0.5));
  whole = m_builder.CreateSelect(isRoundedDown, m_builder.CreateFAdd(whole, one), whole);
  llvm::Value *signedZero = intrinsic(llvm::Intrinsic::copysign, zero, plain);
  whole = m_builder.CreateSelect(m_builder.CreateFCmpUNE(quotient, zero), whole, signedZero);
  return m_builder.CreateSelect(m_builder.CreateFCmpOEQ(right, zero), plain, whole);
}

llvm::Value *ScalarCode::convert(llvm::Value *value, DType from, DType to) {
  if (from == to) {
    return value;
  }
  llvm::Type *type = registerType(m_builder.getContext(), to);
  if (graph::isFloat(from)) {
    if (graph::isFloat(to)) {
      return to == DType::F64 ? m_builder.CreateFPExt(value, type) : m_builder.CreateFPTrunc(value, type);
    }
    if (to == DType::Pred) {
      return m_builder.CreateFCmpUNE(value, llvm::ConstantFP::get(value->getType(), 0.0));
    }
    return m_builder.CreateIntrinsic(to == DType::U8 ? llvm::Intrinsic::fptoui_sat : llvm::Intrinsic::fptosi_sat,
                                     {type, value->getType()}, {value});
  }
  if (graph::isFloat(to)) {
    return isSignedInteger(from) ? m_builder.CreateSIToFP(value, type) : m_builder.CreateUIToFP(value, type);
  }
  if (to == DType::Pred) {
    return m_builder.CreateICmpNE(value, llvm::ConstantInt::get(value->getType(), 0));
  }
  if (from < to) {
    return isSignedInteger(from) ? m_builder.CreateSExt(value, type) : m_builder.CreateZExt(value, type);
  }
  // Narrower: the bounds of the target, in the type of the source.
  llvm::Type *wide = value->getType();
  const unsigned bits = type->getIntegerBitWidth();
  const llvm::APInt low = to == DType::U8 ? llvm::APInt(bits, 0) : llvm::APInt::getSignedMinValue(bits);
  const llvm::APInt high = to == DType::U8 ? llvm::APInt::getMaxValue(bits) : llvm::APInt::getSignedMaxValue(bits);
  const unsigned wideBits = wide->getIntegerBitWidth();
  llvm::Value *atMost = llvm::ConstantInt::get(wide, to == DType::U8 ? high.zext(wideBits) : high.sext(wideBits));
  value = intrinsic(llvm::Intrinsic::smax, value, llvm::ConstantInt::get(wide, low.sext(wideBits)));
  return m_builder.CreateTrunc(intrinsic(llvm::Intrinsic::smin, value, atMost), type);
}

} // namespace jitscope::lower
