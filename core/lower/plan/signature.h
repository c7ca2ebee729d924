// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <optional>

namespace llvm {
class Function;
class FunctionType;
class LLVMContext;
class Module;
} // namespace llvm

namespace jitscope::lower {

/// How a function is called: inputs in order (scalars by value, arrays as pointers), a pointer for each array result, scratch
/// memory and sizes where they are needed. Scalar results are returned: one as it is, several as a struct.
class Signature {
public:
  explicit Signature(const graph::Graph &graph);

  /// The argument that is input `index`.
  [[nodiscard]] unsigned inputArgument(std::size_t index) const { return static_cast<unsigned>(index); }
  /// The argument that points to result `index`, of array results.
  [[nodiscard]] unsigned resultArgument(std::size_t index) const { return m_resultPlaces[index]; }
  /// The place of result `index` among the returned scalars.
  [[nodiscard]] unsigned returnPlace(std::size_t index) const { return m_resultPlaces[index]; }
  [[nodiscard]] std::optional<unsigned> scratchArgument() const { return m_scratch; }
  [[nodiscard]] std::optional<unsigned> sizesArgument() const { return m_sizes; }
  [[nodiscard]] std::size_t returnedCount() const { return m_returned.size(); }

  [[nodiscard]] llvm::FunctionType *functionType(llvm::LLVMContext &context) const;

  /// The function of that symbol in `module`, declared with all that callers may rely on.
  llvm::Function *declare(llvm::Module &module, const std::string &symbol) const;

private:
  void addArrayAttributes(llvm::Function &function, unsigned argument, const graph::TensorType &type) const;

  const graph::Graph &m_graph;
  std::vector<graph::DType> m_returned;
  std::vector<unsigned> m_resultPlaces;
  std::optional<unsigned> m_scratch;
  std::optional<unsigned> m_sizes;
  bool m_isPure;
};

} // namespace jitscope::lower
