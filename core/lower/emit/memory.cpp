// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/emit/memory.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/MDBuilder.h>

namespace jitscope::lower {

using graph::DType;
using graph::NodeIndex;

namespace {

/// Above this many buffers, saying of each that it is none of the others would cost more than it gives.
constexpr std::size_t kMaxScopes = 32;

bool shareMemory(const TemporaryBuffer &left, const TemporaryBuffer &right) {
  return left.isStatic() && right.isStatic() && left.offset < right.offset + right.elementBytes &&
         right.offset < left.offset + left.elementBytes;
}

bool isInScratch(const TemporaryBuffer &buffer) { return !buffer.isOnStack; }

llvm::Value *advanced(llvm::IRBuilder<> &builder, llvm::Value *memory, llvm::Value *bytes, const char *name) {
  const auto *known = llvm::dyn_cast<llvm::ConstantInt>(bytes);
  return known != nullptr && known->isZero() ? memory : builder.CreateInBoundsGEP(builder.getInt8Ty(), memory, bytes, name);
}

} // namespace

Memory::Memory(const graph::Graph &graph, const FunctionPlan &plan, const Signature &signature, llvm::Function &function,
               Sizes &sizes, llvm::IRBuilder<> &builder, ScalarCode &code)
    : m_graph(graph), m_plan(plan), m_signature(signature), m_function(function), m_sizes(sizes), m_builder(builder), m_code(code) {
  placeBuffers();
  makeAliasScopes();
}

void Memory::placeBuffers() {
  llvm::IRBuilder<> &pool = m_sizes.pool();
  const std::optional<unsigned> scratchArgument = m_signature.scratchArgument();
  llvm::Value *scratch = scratchArgument ? m_function.getArg(*scratchArgument) : nullptr;
  llvm::Value *end = pool.getInt64(static_cast<std::uint64_t>(m_plan.storage.ownBytes));
  for (const TemporaryBuffer &buffer : m_plan.storage.buffers) {
    if (buffer.isOnStack) {
      llvm::AllocaInst *memory = pool.CreateAlloca(
          llvm::ArrayType::get(pool.getInt8Ty(), static_cast<std::uint64_t>(buffer.elementBytes)), nullptr, "buffer");
      memory->setAlignment(llvm::Align(graph::kBufferAlignment));
      m_buffers.push_back(memory);
    } else if (buffer.isStatic()) {
      m_buffers.push_back(advanced(pool, scratch, pool.getInt64(static_cast<std::uint64_t>(buffer.offset)), "buffer"));
    } else {
      m_buffers.push_back(advanced(pool, scratch, end, "buffer"));
      end = pool.CreateNUWAdd(end, m_sizes.alignedBytes(buffer.elementBytes, buffer.sizeSlots));
    }
  }
  if (scratch != nullptr) {
    m_calleeScratch = advanced(pool, scratch, end, "callee.scratch");
    if (!llvm::isa<llvm::Constant>(end)) {
      // Inlined, a chain of calls would make this an ever longer sum of sizes, which loop strength reduction takes apart in every
      // way.
      m_calleeScratch = pool.CreateLaunderInvariantGroup(m_calleeScratch);
    }
  }
}

/// All of the scratch memory is one object to the optimizer. Scopes tell it which buffers are apart.
void Memory::makeAliasScopes() {
  const std::vector<TemporaryBuffer> &buffers = m_plan.storage.buffers;
  m_scopes.assign(buffers.size(), nullptr);
  m_otherScopes.assign(buffers.size(), nullptr);
  const auto count = static_cast<std::size_t>(std::count_if(buffers.begin(), buffers.end(), isInScratch));
  if (count < 2 || count > kMaxScopes) {
    return;
  }
  llvm::LLVMContext &context = m_function.getContext();
  llvm::MDBuilder metadata(context);
  llvm::MDNode *domain = metadata.createAnonymousAliasScopeDomain("scratch");
  std::vector<llvm::Metadata *> scopes(buffers.size(), nullptr);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (isInScratch(buffers[i])) {
      scopes[i] = metadata.createAnonymousAliasScope(domain, "buffer");
      m_scopes[i] = llvm::MDNode::get(context, scopes[i]);
    }
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::vector<llvm::Metadata *> others;
    for (std::size_t j = 0; j < buffers.size() && scopes[i] != nullptr; ++j) {
      if (j != i && scopes[j] != nullptr && !shareMemory(buffers[i], buffers[j])) {
        others.push_back(scopes[j]);
      }
    }
    if (!others.empty()) {
      m_otherScopes[i] = llvm::MDNode::get(context, others);
    }
  }
}

llvm::Value *Memory::pointer(NodeIndex node) {
  const Location &location = m_plan.storage.locations[node];
  switch (location.kind) {
  case Location::Kind::Input:
    return m_function.getArg(m_signature.inputArgument(location.index));
  case Location::Kind::Output:
    return resultPointer(location.index);
  case Location::Kind::Temporary:
    return m_buffers[location.index];
  case Location::Kind::None:
    break;
  }
  return nullptr;
}

llvm::Value *Memory::bufferPointer(std::uint32_t buffer) { return m_buffers[buffer]; }

llvm::Value *Memory::resultPointer(std::uint32_t result) { return m_function.getArg(m_signature.resultArgument(result)); }

llvm::Value *Memory::calleeScratch() { return m_calleeScratch; }

std::optional<std::uint32_t> Memory::bufferOf(NodeIndex node) const {
  const Location &location = m_plan.storage.locations[node];
  return location.kind == Location::Kind::Temporary ? std::optional(location.index) : std::nullopt;
}

void Memory::annotate(llvm::Instruction &access, std::optional<std::uint32_t> buffer) const {
  if (buffer && m_scopes[*buffer] != nullptr) {
    access.setMetadata(llvm::LLVMContext::MD_alias_scope, m_scopes[*buffer]);
    access.setMetadata(llvm::LLVMContext::MD_noalias, m_otherScopes[*buffer]);
  }
}

llvm::Value *Memory::loadFrom(llvm::Value *base, DType dtype, llvm::Value *offset, std::optional<std::uint32_t> buffer) {
  llvm::Type *type = memoryType(m_builder.getContext(), dtype);
  llvm::LoadInst *load = m_builder.CreateLoad(type, m_builder.CreateInBoundsGEP(type, base, offset));
  annotate(*load, buffer);
  return m_code.fromMemory(load, dtype);
}

void Memory::storeTo(llvm::Value *base, DType dtype, llvm::Value *offset, llvm::Value *value, std::optional<std::uint32_t> buffer) {
  llvm::Type *type = memoryType(m_builder.getContext(), dtype);
  llvm::Value *address = m_builder.CreateInBoundsGEP(type, base, offset);
  annotate(*m_builder.CreateStore(m_code.toMemory(value, dtype), address), buffer);
}

llvm::Value *Memory::local(DType dtype, std::int64_t count) {
  llvm::IRBuilder<> &pool = m_sizes.pool();
  llvm::Type *type = llvm::ArrayType::get(memoryType(pool.getContext(), dtype), static_cast<std::uint64_t>(count));
  llvm::AllocaInst *memory = pool.CreateAlloca(type, nullptr, "block");
  memory->setAlignment(llvm::Align(graph::kBufferAlignment));
  return memory;
}

llvm::Value *Memory::loadLocal(llvm::Value *local, DType dtype, llvm::Value *offset) {
  return loadFrom(local, dtype, offset, std::nullopt);
}

void Memory::storeLocal(llvm::Value *local, DType dtype, llvm::Value *offset, llvm::Value *value) {
  storeTo(local, dtype, offset, value, std::nullopt);
}

llvm::Value *Memory::load(NodeIndex node, llvm::Value *offset) {
  return loadFrom(pointer(node), m_graph.node(node).type.dtype, offset, bufferOf(node));
}

void Memory::store(NodeIndex node, llvm::Value *offset, llvm::Value *value) {
  storeTo(pointer(node), m_graph.node(node).type.dtype, offset, value, bufferOf(node));
}

llvm::Value *Memory::loadBuffer(std::uint32_t buffer, DType dtype, llvm::Value *offset) {
  return loadFrom(m_buffers[buffer], dtype, offset, buffer);
}

void Memory::storeBuffer(std::uint32_t buffer, DType dtype, llvm::Value *offset, llvm::Value *value) {
  storeTo(m_buffers[buffer], dtype, offset, value, buffer);
}

} // namespace jitscope::lower
