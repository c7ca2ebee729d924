// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/scalar_code.h"
#include "lower/plan/signature.h"
#include "lower/plan/sizes.h"
#include "lower/plan/storage.h"

namespace jitscope::lower {

/// The memory that a function works on, as pointers: its arguments, buffers on the stack and in the scratch memory.
class Memory {
public:
  Memory(const graph::Graph &graph, const FunctionPlan &plan, const Signature &signature, llvm::Function &function, Sizes &sizes,
         llvm::IRBuilder<> &builder, ScalarCode &code);

  /// Where the elements of a node begin; the node is an input or stored.
  llvm::Value *pointer(graph::NodeIndex node);
  llvm::Value *bufferPointer(std::uint32_t buffer);
  llvm::Value *resultPointer(std::uint32_t result);
  /// The scratch memory behind the function's own, for its callees.
  llvm::Value *calleeScratch();

  /// Memory on the stack for `count` elements, to be used within one step.
  llvm::Value *local(graph::DType dtype, std::int64_t count);
  llvm::Value *loadLocal(llvm::Value *local, graph::DType dtype, llvm::Value *offset);
  void storeLocal(llvm::Value *local, graph::DType dtype, llvm::Value *offset, llvm::Value *value);

  /// Reads or writes element `offset`, counted row-major, as a register's value.
  llvm::Value *load(graph::NodeIndex node, llvm::Value *offset);
  void store(graph::NodeIndex node, llvm::Value *offset, llvm::Value *value);
  llvm::Value *loadBuffer(std::uint32_t buffer, graph::DType dtype, llvm::Value *offset);
  void storeBuffer(std::uint32_t buffer, graph::DType dtype, llvm::Value *offset, llvm::Value *value);

private:
  void placeBuffers();
  void makeAliasScopes();
  llvm::Value *loadFrom(llvm::Value *base, graph::DType dtype, llvm::Value *offset, std::optional<std::uint32_t> buffer);
  void storeTo(llvm::Value *base, graph::DType dtype, llvm::Value *offset, llvm::Value *value, std::optional<std::uint32_t> buffer);
  void annotate(llvm::Instruction &access, std::optional<std::uint32_t> buffer) const;
  [[nodiscard]] std::optional<std::uint32_t> bufferOf(graph::NodeIndex node) const;

  const graph::Graph &m_graph;
  const FunctionPlan &m_plan;
  const Signature &m_signature;
  llvm::Function &m_function;
  Sizes &m_sizes;
  llvm::IRBuilder<> &m_builder;
  ScalarCode &m_code;
  std::vector<llvm::Value *> m_buffers;
  std::vector<llvm::MDNode *> m_scopes;      ///< by buffer: the list that holds its own scope
  std::vector<llvm::MDNode *> m_otherScopes; ///< by buffer: the scopes of buffers that share no memory with it
  llvm::Value *m_calleeScratch = nullptr;
};

} // namespace jitscope::lower
