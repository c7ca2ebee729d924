// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/sizes.h"

#include <algorithm>

#include <llvm/IR/MDBuilder.h>

namespace jitscope::lower {

Sizes::Sizes(const graph::Graph &graph, llvm::BasicBlock &pool, llvm::Value *array)
    : m_builder(pool.getTerminator()), m_array(array) {
  if (array != nullptr) {
    m_layout = graph::sizeLayoutOf(graph);
  }
}

llvm::Value *Sizes::slot(std::uint32_t index) {
  llvm::Value *&value = m_slots[index];
  if (value == nullptr) {
    llvm::Type *type = m_builder.getInt64Ty();
    llvm::LoadInst *load = m_builder.CreateLoad(type, m_builder.CreateConstInBoundsGEP1_64(type, m_array, index), "size");
    // Sizes are never negative; knowing it spares sign extensions and comparisons.
    llvm::MDBuilder metadata(m_builder.getContext());
    load->setMetadata(llvm::LLVMContext::MD_range, metadata.createRange(llvm::APInt(64, 0), llvm::APInt::getSignedMaxValue(64)));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(m_builder.getContext(), {}));
    value = load;
  }
  return value;
}

llvm::Value *Sizes::extent(const Dim &dim) {
  return dim.isKnown() ? m_builder.getInt64(static_cast<std::uint64_t>(dim.known)) : slot(m_layout.nodeOffset[dim.node] + dim.axis);
}

llvm::Value *Sizes::multiply(llvm::Value *left, llvm::Value *right) {
  const auto isOne = [](llvm::Value *value) {
    const auto *known = llvm::dyn_cast<llvm::ConstantInt>(value);
    return known != nullptr && known->isOne();
  };
  if (isOne(left) || isOne(right)) {
    return isOne(left) ? right : left;
  }
  llvm::Value *&value = m_products[{left, right}];
  if (value == nullptr) {
    value = m_builder.CreateMul(left, right, "", true, true);
  }
  return value;
}

llvm::Value *Sizes::product(std::span<const Dim> dims) {
  // An empty array may have other sizes whose product does not fit; 0 first keeps it from wrapping.
  if (std::ranges::any_of(dims, [](const Dim &dim) { return dim.known == 0; })) {
    return m_builder.getInt64(0);
  }
  std::int64_t known = 1;
  llvm::Value *value = nullptr;
  for (const Dim &dim : dims) {
    if (dim.isKnown()) {
      known *= dim.known;
    } else {
      value = value == nullptr ? extent(dim) : multiply(value, extent(dim));
    }
  }
  llvm::Value *factor = m_builder.getInt64(static_cast<std::uint64_t>(known));
  return value == nullptr ? factor : multiply(value, factor);
}

llvm::Value *Sizes::step(const Dim &dim) {
  if (dim.isKnown()) {
    return m_builder.getInt64(dim.isOne() ? 0 : 1);
  }
  llvm::Value *&value = m_steps[m_layout.nodeOffset[dim.node] + dim.axis];
  if (value == nullptr) {
    value = m_builder.CreateZExt(m_builder.CreateICmpNE(extent(dim), m_builder.getInt64(1)), m_builder.getInt64Ty(), "step");
  }
  return value;
}

llvm::Value *Sizes::alignedBytes(std::int64_t elementBytes, std::span<const std::uint32_t> slots) {
  llvm::Value *bytes = m_builder.getInt64(static_cast<std::uint64_t>(elementBytes));
  for (const std::uint32_t index : slots) {
    bytes = multiply(bytes, slot(index));
  }
  bytes = m_builder.CreateNUWAdd(bytes, m_builder.getInt64(graph::kBufferAlignment - 1));
  return m_builder.CreateAnd(bytes, m_builder.getInt64(~static_cast<std::uint64_t>(graph::kBufferAlignment - 1)));
}

llvm::Value *Sizes::calleeSizes(graph::NodeIndex call) {
  return m_builder.CreateConstInBoundsGEP1_64(m_builder.getInt64Ty(), m_array, m_layout.calleeOffset[call]);
}

} // namespace jitscope::lower
