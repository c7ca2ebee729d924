// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/signature.h"
#include "lower/emit/scalar_code.h"
#include "lower/plan/storage.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace jitscope::lower {

using graph::Graph;

Signature::Signature(const Graph &graph) : m_graph(graph), m_isPure(isPureScalar(graph)) {
  auto next = static_cast<unsigned>(graph.inputCount());
  for (std::size_t i = 0; i < graph.results().size(); ++i) {
    const graph::TensorType type = graph.resultType(i);
    if (type.shape.isScalar()) {
      m_resultPlaces.push_back(static_cast<unsigned>(m_returned.size()));
      m_returned.push_back(type.dtype);
    } else {
      m_resultPlaces.push_back(next++);
    }
  }
  if (!m_isPure) {
    m_scratch = next++;
  }
  if (!graph.isStatic()) {
    m_sizes = next;
  }
}

llvm::FunctionType *Signature::functionType(llvm::LLVMContext &context) const {
  llvm::Type *pointer = llvm::PointerType::getUnqual(context);
  std::vector<llvm::Type *> arguments;
  for (std::size_t i = 0; i < m_graph.inputCount(); ++i) {
    const graph::TensorType type = m_graph.inputType(i);
    arguments.push_back(type.shape.isScalar() ? registerType(context, type.dtype) : pointer);
  }
  const std::size_t pointers = m_graph.results().size() - m_returned.size() + (m_scratch ? 1 : 0) + (m_sizes ? 1 : 0);
  arguments.insert(arguments.end(), pointers, pointer);

  std::vector<llvm::Type *> returned;
  for (const graph::DType dtype : m_returned) {
    returned.push_back(registerType(context, dtype));
  }
  llvm::Type *type = returned.empty()       ? llvm::Type::getVoidTy(context)
                     : returned.size() == 1 ? returned[0]
                                            : static_cast<llvm::Type *>(llvm::StructType::get(context, returned));
  return llvm::FunctionType::get(type, arguments, false);
}

void Signature::addArrayAttributes(llvm::Function &function, unsigned argument, const graph::TensorType &type) const {
  function.addParamAttr(argument, llvm::Attribute::NoAlias);
  function.addParamAttr(argument, llvm::Attribute::NoCapture);
  function.addParamAttr(argument, llvm::Attribute::NoUndef);
  function.addParamAttr(argument, llvm::Attribute::getWithAlignment(function.getContext(), llvm::Align(graph::kBufferAlignment)));
  if (type.shape.isStatic() && type.shape.elementCount() > 0) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(type.shape.elementCount()) * graph::byteSize(type.dtype);
    function.addDereferenceableParamAttr(argument, bytes);
  }
}

llvm::Function *Signature::declare(llvm::Module &module, const std::string &symbol) const {
  if (llvm::Function *known = module.getFunction(symbol)) {
    return known;
  }
  llvm::LLVMContext &context = module.getContext();
  auto *function = llvm::Function::Create(functionType(context), llvm::Function::ExternalLinkage, symbol, module);
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::MustProgress);
  function->addFnAttr(llvm::Attribute::NoFree);
  // BLAS keeps state of its own.
  function->setMemoryEffects(m_isPure ? llvm::MemoryEffects::none() : llvm::MemoryEffects::inaccessibleOrArgMemOnly());
  for (std::size_t i = 0; i < m_graph.inputCount(); ++i) {
    const unsigned argument = inputArgument(i);
    const graph::TensorType type = m_graph.inputType(i);
    if (!type.shape.isScalar()) {
      addArrayAttributes(*function, argument, type);
      function->addParamAttr(argument, llvm::Attribute::ReadOnly);
    } else {
      function->addParamAttr(argument, llvm::Attribute::NoUndef);
      if (type.dtype == graph::DType::Pred) {
        function->addParamAttr(argument, llvm::Attribute::ZExt);
      }
    }
  }
  for (std::size_t i = 0; i < m_graph.results().size(); ++i) {
    if (!m_graph.resultType(i).shape.isScalar()) {
      addArrayAttributes(*function, resultArgument(i), m_graph.resultType(i));
    }
  }
  if (m_scratch) {
    addArrayAttributes(*function, *m_scratch, {graph::DType::U8, graph::Shape{0}, false});
  }
  if (m_sizes) {
    function->addParamAttr(*m_sizes, llvm::Attribute::NoAlias);
    function->addParamAttr(*m_sizes, llvm::Attribute::NoCapture);
    function->addParamAttr(*m_sizes, llvm::Attribute::ReadOnly);
    function->addParamAttr(*m_sizes, llvm::Attribute::NoUndef);
  }
  if (m_returned.size() == 1 && m_returned[0] == graph::DType::Pred) {
    function->addRetAttr(llvm::Attribute::ZExt);
  }
  return function;
}

} // namespace jitscope::lower
