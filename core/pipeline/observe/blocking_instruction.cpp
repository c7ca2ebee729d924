// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/blocking_instruction.h"

#include "event/event.h"

#include <array>
#include <string_view>
#include <vector>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

namespace jitscope::pipeline {

namespace {

using Matches = bool (*)(const llvm::Instruction &);

/// A call that has no vector counterpart.
bool isScalarCall(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || llvm::isa<llvm::DbgInfoIntrinsic>(call)) {
    return false;
  }
  if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) {
    return !llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()) && !intrinsic->isAssumeLikeIntrinsic();
  }
  return llvm::VFDatabase::getMappings(*call).empty();
}
bool isVector(const llvm::Instruction &instruction) { return instruction.getType()->isVectorTy(); }
bool isStore(const llvm::Instruction &instruction) { return llvm::isa<llvm::StoreInst>(instruction); }
bool isLoad(const llvm::Instruction &instruction) { return llvm::isa<llvm::LoadInst>(instruction); }
bool isMemory(const llvm::Instruction &instruction) { return isLoad(instruction) || isStore(instruction); }
/// A function of mathematics that would must be called for each element.
bool isScalarMath(const llvm::Instruction &instruction) {
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (intrinsic == nullptr || !llvm::VFDatabase::getMappings(*intrinsic).empty()) {
    return false;
  }
  switch (intrinsic->getIntrinsicID()) {
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::exp:
  case llvm::Intrinsic::exp2:
  case llvm::Intrinsic::log:
  case llvm::Intrinsic::log2:
  case llvm::Intrinsic::log10:
  case llvm::Intrinsic::pow:
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::tan:
  case llvm::Intrinsic::tanh:
    return true;
  default:
    return false;
  }
}
/// A step of a sum or product that runs from round to round.
bool isReduction(const llvm::Instruction &instruction) {
  return instruction.getType()->isFloatingPointTy() && !llvm::isa<llvm::PHINode>(instruction) &&
         llvm::any_of(instruction.operands(), [](const llvm::Use &operand) { return llvm::isa<llvm::PHINode>(operand.get()); });
}

/// What each remark can be about, by its name.
struct Kind {
  std::string_view remark;
  Matches matches;
};
constexpr std::array<Kind, 10> kKinds{{{"VectorizationNotBeneficial", isScalarMath},
                                       {"CantVectorizeLibcall", isScalarCall},
                                       {"CantVectorizeIntrinsic", isScalarCall},
                                       {"CantVectorizeInstructionReturnType", isVector},
                                       {"CantVectorizeStore", isStore},
                                       {"CantVectorizeNontemporalStore", isStore},
                                       {"CantVectorizeNontemporalLoad", isLoad},
                                       {"CantVectorizeStoreToLoopInvariantAddress", isStore},
                                       {"UnsafeDep", isMemory},
                                       {"CantReorderFPOps", isReduction}}};

bool isAt(const llvm::Instruction &instruction, const event::Remark &remark) {
  const llvm::DebugLoc &location = instruction.getDebugLoc();
  return location && static_cast<int>(location.getLine()) == remark.line && static_cast<int>(location.getCol()) == remark.column;
}

std::string typeText(const llvm::Type &type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string describe(const llvm::Instruction &instruction) {
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function *callee = call->getCalledFunction();
    return callee == nullptr ? "call through a pointer" : "call " + callee->getName().str();
  }
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  const llvm::Type &type = *(store == nullptr ? instruction.getType() : store->getValueOperand()->getType());
  return std::string(instruction.getOpcodeName()) + (type.isVoidTy() ? std::string() : " " + typeText(type));
}

} // namespace

std::string blockingInstruction(const llvm::BasicBlock &block, const event::Remark &remark) {
  const auto *kind = llvm::find_if(kKinds, [&](const Kind &candidate) { return candidate.remark == remark.name; });
  if (kind == kKinds.end()) {
    return {};
  }
  std::vector<std::string> here;
  std::vector<std::string> elsewhere;
  for (const llvm::Instruction &instruction : block) {
    if (kind->matches(instruction)) {
      (remark.line > 0 && isAt(instruction, remark) ? here : elsewhere).push_back(describe(instruction));
    }
  }
  // Calls and vectors stop the vectorizer at the first one; of others the location must decide.
  const bool isFirst = kind->matches == isScalarCall || kind->matches == isScalarMath || kind->matches == isVector;
  std::vector<std::string> &found = here.empty() && isFirst ? elsewhere : here;
  const bool areAlike = llvm::all_of(found, [&](const std::string &text) { return text == found.front(); });
  return !found.empty() && (isFirst || areAlike) ? found.front() : std::string();
}

} // namespace jitscope::pipeline
