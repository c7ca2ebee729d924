// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/loop_code.h"

#include <algorithm>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

namespace jitscope::pipeline {

namespace {

/// The node of a loop's metadata with that name; null where it has none.
const llvm::MDNode *propertyOf(const llvm::MDNode *id, llvm::StringRef name) {
  for (const llvm::MDOperand &operand : id == nullptr ? llvm::ArrayRef<llvm::MDOperand>() : id->operands()) {
    const auto *node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
    const auto *text =
        node != nullptr && node->getNumOperands() > 0 ? llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(0).get()) : nullptr;
    if (text != nullptr && text->getString() == name) {
      return node;
    }
  }
  return nullptr;
}

} // namespace

const llvm::MDNode *loopIdOf(const llvm::BasicBlock &header) {
  for (const llvm::BasicBlock *before : llvm::predecessors(&header)) {
    if (const llvm::MDNode *id = before->getTerminator()->getMetadata(llvm::LLVMContext::MD_loop)) {
      return id;
    }
  }
  return nullptr;
}

bool isVectorizationDisabled(const llvm::MDNode *id) {
  const llvm::MDNode *width = propertyOf(id, "llvm.loop.vectorize.width");
  const auto *number = width != nullptr && width->getNumOperands() > 1
                           ? llvm::mdconst::dyn_extract<llvm::ConstantInt>(width->getOperand(1))
                           : nullptr;
  return number != nullptr && number->isOne();
}

bool isMarkedVectorized(const llvm::MDNode *id) { return propertyOf(id, "llvm.loop.isvectorized") != nullptr; }

const llvm::DILocation *startOf(const llvm::BasicBlock &header) {
  if (const llvm::MDNode *id = loopIdOf(header)) {
    for (const llvm::MDOperand &operand : llvm::drop_begin(id->operands())) {
      if (const auto *location = llvm::dyn_cast_or_null<llvm::DILocation>(operand.get())) {
        return location;
      }
    }
  }
  return header.getTerminator()->getDebugLoc();
}

const llvm::DILocation *startOf(const llvm::Loop &loop) {
  const llvm::DILocation *location = loop.getStartLoc();
  return location != nullptr ? location : startOf(*loop.getHeader());
}

std::set<std::pair<int, int>> locationsIn(const llvm::BasicBlock &header) {
  std::set<const llvm::BasicBlock *> seen{&header};
  std::vector<const llvm::BasicBlock *> next;
  for (const llvm::BasicBlock *before : llvm::predecessors(&header)) {
    if (before->getTerminator()->getMetadata(llvm::LLVMContext::MD_loop) != nullptr) {
      next.push_back(before);
    }
  }
  std::set<std::pair<int, int>> locations;
  const auto take = [&locations](const llvm::BasicBlock &block) {
    for (const llvm::Instruction &instruction : block) {
      if (const llvm::DebugLoc &location = instruction.getDebugLoc()) {
        locations.emplace(static_cast<int>(location.getLine()), static_cast<int>(location.getCol()));
      }
    }
  };
  take(header);
  while (!next.empty()) {
    const llvm::BasicBlock *block = next.back();
    next.pop_back();
    if (seen.insert(block).second) {
      take(*block);
      next.insert(next.end(), llvm::pred_begin(block), llvm::pred_end(block));
    }
  }
  return locations;
}

std::uint32_t lanesIn(const llvm::BasicBlock &block, const std::set<const llvm::Instruction *> &known) {
  std::uint32_t lanes = 0;
  for (const llvm::Instruction &instruction : block) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    const llvm::Type *type = store == nullptr ? instruction.getType() : store->getValueOperand()->getType();
    if (const auto *vector = llvm::dyn_cast<llvm::VectorType>(type); vector != nullptr && !known.contains(&instruction)) {
      lanes = std::max(lanes, vector->getElementCount().getKnownMinValue());
    }
  }
  return lanes;
}

std::uint32_t lanesIn(const llvm::Loop &loop) {
  std::uint32_t lanes = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) {
    lanes = std::max(lanes, lanesIn(*block));
  }
  return lanes;
}

} // namespace jitscope::pipeline
