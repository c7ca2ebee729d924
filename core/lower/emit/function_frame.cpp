// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/emit/function_frame.h"

#include <fmt/format.h>
#include <llvm/IR/FMF.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::lower {

std::unique_ptr<llvm::Module> makeModule(const std::string &name, const LowerOptions &options, const llvm::TargetMachine &machine,
                                         llvm::LLVMContext &context) {
  auto module = std::make_unique<llvm::Module>(name, context);
  module->setSourceFileName(options.scriptPath);
  module->setTargetTriple(machine.getTargetTriple().str());
  module->setDataLayout(machine.createDataLayout());
  module->setPICLevel(llvm::PICLevel::BigPIC);
  return module;
}

void prepareDefinition(llvm::Function &function, const llvm::TargetMachine &machine) {
  if (!machine.getTargetCPU().empty()) {
    function.addFnAttr("target-cpu", machine.getTargetCPU());
  }
  if (!machine.getTargetFeatureString().empty()) {
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
}

void nameArguments(llvm::Function &function, const graph::Graph &graph, const Signature &signature) {
  for (std::size_t i = 0; i < graph.inputCount(); ++i) {
    function.getArg(signature.inputArgument(i))->setName(fmt::format("in{}", i));
  }
  for (std::size_t i = 0; i < graph.results().size(); ++i) {
    if (!graph.resultType(i).shape.isScalar()) {
      function.getArg(signature.resultArgument(i))->setName(fmt::format("out{}", i));
    }
  }
  if (signature.scratchArgument()) {
    function.getArg(*signature.scratchArgument())->setName("scratch");
  }
  if (signature.sizesArgument()) {
    function.getArg(*signature.sizesArgument())->setName("sizes");
  }
}

llvm::FastMathFlags fastMathFlags(const LowerOptions &options) {
  llvm::FastMathFlags flags;
  if (options.compile.fastMath) {
    flags.setFast();
    // A script may well compute with NaN and infinity; to the optimizer they would be undefined.
    flags.setNoNaNs(false);
    flags.setNoInfs(false);
  }
  return flags;
}

base::Result<void> checkModule(const llvm::Module &module, const LowerOptions &options) {
  if (!options.verify) {
    return {};
  }
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (llvm::verifyModule(module, &stream)) {
    return base::fail(base::ErrorCode::CompileLower,
                      fmt::format("the code made for {} is not well formed: {}", module.getModuleIdentifier(), message));
  }
  return {};
}

} // namespace jitscope::lower
