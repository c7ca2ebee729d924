// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/target.h"
#include "support/code/jit_harness.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::testing {

void optimize(llvm::Module &module, llvm::TargetMachine &machine, const lower::CompileOptions &options) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = options.loopVectorize;
  tuning.SLPVectorization = options.slp;
  tuning.LoopInterleaving = options.loopVectorize;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  const auto library = lower::createLibraryInfo({machine.getTargetTriple().str(), "", ""}, options.veclib);
  functions.registerPass([&] { return llvm::TargetLibraryAnalysis(*library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const llvm::OptimizationLevel level = options.opt == 0   ? llvm::OptimizationLevel::O0
                                        : options.opt == 1 ? llvm::OptimizationLevel::O1
                                        : options.opt == 2 ? llvm::OptimizationLevel::O2
                                                           : llvm::OptimizationLevel::O3;
  llvm::ModulePassManager passes =
      options.opt == 0 ? builder.buildO0DefaultPipeline(level) : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
}

std::string textOf(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

} // namespace jitscope::testing
