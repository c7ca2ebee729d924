// SPDX-License-Identifier: GPL-3.0-or-later
// The wrapper with one signature for all functions, which the runtime calls.
#include "lower/entry.h"

#include "base/try.h"
#include "lower/emit/debug_info.h"
#include "lower/emit/function_frame.h"
#include "lower/emit/scalar_code.h"
#include "lower/symbols.h"

#include <cstdint>

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace jitscope::lower {

using graph::Graph;

namespace {

enum Argument : std::uint8_t { Inputs, Outputs, Scratch, SizeArray };

class Entry {
public:
  Entry(llvm::Module &module, const Graph &root, const LowerOptions &options, const llvm::TargetMachine &machine)
      : m_root(root), m_signature(root), m_module(module), m_builder(module.getContext()), m_code(m_builder, module) {
    llvm::Type *pointer = m_builder.getPtrTy();
    m_function = llvm::Function::Create(llvm::FunctionType::get(m_builder.getVoidTy(), {pointer, pointer, pointer, pointer}, false),
                                        llvm::Function::ExternalLinkage, entrySymbolOf(root), module);
    m_function->setDoesNotThrow();
    m_function->addFnAttr(llvm::Attribute::MustProgress);
    prepareDefinition(*m_function, machine);
    constexpr const char *kNames[] = {"inputs", "outputs", "scratch", "sizes"};
    for (unsigned i = 0; i < m_function->arg_size(); ++i) {
      m_function->getArg(i)->setName(kNames[i]);
      m_function->addParamAttr(i, llvm::Attribute::NoAlias);
      m_function->addParamAttr(i, llvm::Attribute::NoCapture);
    }
    m_function->addParamAttr(Scratch, llvm::Attribute::getWithAlignment(module.getContext(), llvm::Align(graph::kBufferAlignment)));
    const DebugInfo debug(module, *m_function, options.scriptPath, root.name() + " (entry)", root.line());
    m_builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", m_function));
    m_builder.SetCurrentDebugLocation(debug.at(root.line()));
  }

  std::string run() {
    llvm::Function *callee = m_signature.declare(m_module, symbolOf(m_root));
    std::vector<llvm::Value *> arguments;
    for (std::size_t i = 0; i < m_root.inputCount(); ++i) {
      const graph::TensorType type = m_root.inputType(i);
      llvm::Value *memory = pointerAt(Inputs, i);
      arguments.push_back(type.shape.isScalar() ? loadScalar(memory, type.dtype) : memory);
    }
    for (std::size_t i = 0; i < m_root.results().size(); ++i) {
      if (!m_root.resultType(i).shape.isScalar()) {
        arguments.push_back(pointerAt(Outputs, i));
      }
    }
    if (m_signature.scratchArgument()) {
      arguments.push_back(m_function->getArg(Scratch));
    }
    if (m_signature.sizesArgument()) {
      arguments.push_back(m_function->getArg(SizeArray));
    }
    llvm::CallInst *returned = m_builder.CreateCall(callee, arguments);
    // The root stays a function of its own in the code, for remarks, texts and debuggers to speak of.
    returned->setIsNoInline();
    for (std::size_t i = 0; i < m_root.results().size(); ++i) {
      if (const graph::TensorType type = m_root.resultType(i); type.shape.isScalar()) {
        llvm::Value *value =
            m_signature.returnedCount() == 1 ? returned : m_builder.CreateExtractValue(returned, m_signature.returnPlace(i));
        m_builder.CreateStore(m_code.toMemory(value, type.dtype), pointerAt(Outputs, i));
      }
    }
    m_builder.CreateRetVoid();
    return m_function->getName().str();
  }

private:
  llvm::Value *pointerAt(Argument array, std::size_t index) {
    llvm::Type *pointer = m_builder.getPtrTy();
    llvm::LoadInst *load =
        m_builder.CreateLoad(pointer, m_builder.CreateConstInBoundsGEP1_64(pointer, m_function->getArg(array), index));
    llvm::LLVMContext &context = m_module.getContext();
    llvm::MDBuilder metadata(context);
    llvm::Metadata *alignment = metadata.createConstant(m_builder.getInt64(graph::kBufferAlignment));
    load->setMetadata(llvm::LLVMContext::MD_align, llvm::MDNode::get(context, alignment));
    load->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context, {}));
    load->setMetadata(llvm::LLVMContext::MD_noundef, llvm::MDNode::get(context, {}));
    // The arrays of pointers are not written while the call runs.
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
    return load;
  }

  llvm::Value *loadScalar(llvm::Value *memory, graph::DType dtype) {
    return m_code.fromMemory(m_builder.CreateLoad(memoryType(m_module.getContext(), dtype), memory), dtype);
  }

  const Graph &m_root;
  Signature m_signature;
  llvm::Module &m_module;
  llvm::IRBuilder<> m_builder;
  ScalarCode m_code;
  llvm::Function *m_function = nullptr;
};

} // namespace

base::Result<std::string> addEntry(llvm::Module &module, const Graph &root, const LowerOptions &options,
                                   const llvm::TargetMachine &machine) {
  std::string symbol = Entry(module, root, options, machine).run();
  JITSCOPE_TRY_VOID(checkModule(module, options));
  return symbol;
}

base::Result<LoweredFunction> lowerEntry(const Graph &root, const LowerOptions &options, const llvm::TargetMachine &machine,
                                         llvm::LLVMContext &context) {
  LoweredFunction lowered{makeModule(entrySymbolOf(root), options, machine, context), entrySymbolOf(root)};
  JITSCOPE_TRY_VOID(addEntry(*lowered.module, root, options, machine));
  return lowered;
}

} // namespace jitscope::lower
