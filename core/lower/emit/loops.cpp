// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/emit/loops.h"

#include <algorithm>

#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>

namespace jitscope::lower {

namespace {

using NestBody = llvm::function_ref<Values(const ElementIndex &index, const Values &carried)>;

Values emitRanges(Emission &emission, const Dims &dims, std::span<const AxisRange> ranges, const Values &initial,
                  ElementIndex &index, NestBody body, Unrolling unrolling) {
  if (index.size() == ranges.size()) {
    return body(index, initial);
  }
  const AxisRange range = ranges[index.size()];
  llvm::Value *extent = emission.sizes.product(std::span(dims).subspan(range.first, range.last - range.first + 1));
  const auto inside = [&](llvm::Value *position, const Values &carried) {
    index.push_back({range, position});
    Values next = emitRanges(emission, dims, ranges, carried, index, body, unrolling);
    index.pop_back();
    return next;
  };
  return emitLoop(emission, extent, initial, inside, index.size() + 1 == ranges.size() ? unrolling : Unrolling::Free);
}

/// What llvm.org/docs/LangRef.html, "llvm.loop", asks for: a node whose first operand is itself.
void forbidUnrolling(llvm::BranchInst &latch) {
  llvm::LLVMContext &context = latch.getContext();
  llvm::MDNode *off = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode *loop = llvm::MDNode::getDistinct(context, {nullptr, off});
  loop->replaceOperandWith(0, loop);
  latch.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

} // namespace

Values emitLoop(Emission &emission, llvm::Value *extent, const Values &initial,
                llvm::function_ref<Values(llvm::Value *position, const Values &carried)> body, Unrolling unrolling) {
  llvm::IRBuilder<> &builder = emission.builder;
  const auto *known = llvm::dyn_cast<llvm::ConstantInt>(extent);
  if (known != nullptr && known->isZero()) {
    return initial;
  }
  if (known != nullptr && known->isOne()) {
    return body(builder.getInt64(0), initial);
  }
  // Tested at the end, with the guard outside: the form that the loop vectorizer takes without further ado.
  llvm::LLVMContext &context = builder.getContext();
  llvm::BasicBlock *before = builder.GetInsertBlock();
  llvm::Function *function = before->getParent();
  auto *loop = llvm::BasicBlock::Create(context, "loop", function);
  auto *after = llvm::BasicBlock::Create(context, "after", function);
  const llvm::DebugLoc place = builder.getCurrentDebugLocation();
  if (known != nullptr) {
    builder.CreateBr(loop);
  } else {
    builder.CreateCondBr(builder.CreateICmpNE(extent, builder.getInt64(0)), loop, after);
  }
  builder.SetInsertPoint(loop);
  llvm::PHINode *position = builder.CreatePHI(builder.getInt64Ty(), 2, "i");
  position->addIncoming(builder.getInt64(0), before);
  Values carried;
  for (llvm::Value *value : initial) {
    llvm::PHINode *phi = builder.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, before);
    carried.push_back(phi);
  }
  Values last = body(position, carried);
  builder.SetCurrentDebugLocation(place);
  llvm::BasicBlock *latch = builder.GetInsertBlock();
  llvm::Value *next = builder.CreateAdd(position, builder.getInt64(1), "", true, true);
  position->addIncoming(next, latch);
  for (std::size_t i = 0; i < carried.size(); ++i) {
    llvm::cast<llvm::PHINode>(carried[i])->addIncoming(last[i], latch);
  }
  llvm::BranchInst *again = builder.CreateCondBr(builder.CreateICmpEQ(next, extent), after, loop);
  if (unrolling == Unrolling::Off) {
    forbidUnrolling(*again);
  }
  // Blocks in the order of execution read better.
  after->moveAfter(latch);
  builder.SetInsertPoint(after);
  if (known != nullptr) {
    return last;
  }
  Values merged;
  for (std::size_t i = 0; i < last.size(); ++i) {
    llvm::PHINode *phi = builder.CreatePHI(last[i]->getType(), 2);
    phi->addIncoming(initial[i], before);
    phi->addIncoming(last[i], latch);
    merged.push_back(phi);
  }
  return merged;
}

Values emitNest(Emission &emission, const Dims &dims, std::span<const AxisRange> ranges, const Values &initial, NestBody body,
                Unrolling unrolling) {
  const bool isEmpty = std::ranges::any_of(ranges, [&](const AxisRange &range) {
    return std::any_of(dims.begin() + range.first, dims.begin() + range.last + 1, [](const Dim &dim) { return dim.known == 0; });
  });
  if (isEmpty) {
    return initial;
  }
  ElementIndex index;
  return emitRanges(emission, dims, ranges, initial, index, body, unrolling);
}

} // namespace jitscope::lower
