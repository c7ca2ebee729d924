// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pass_stages.h"
#include "pipeline/pipeline.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>

namespace jitscope::pipeline {

namespace {

llvm::OptimizationLevel levelOf(int opt) {
  switch (opt) {
  case 0:
    return llvm::OptimizationLevel::O0;
  case 1:
    return llvm::OptimizationLevel::O1;
  case 2:
    return llvm::OptimizationLevel::O2;
  default:
    return llvm::OptimizationLevel::O3;
  }
}

/// The analyses that a pass manager needs, made for one stage: results must not outlive the module they speak of.
class Analyses {
public:
  explicit Analyses(const PipelineTools &tools) : m_builder(&tools.machine, tuning(tools.options)) {
    // Registered before the defaults, so that ours is the one that stays.
    m_functions.registerPass([&tools] { return llvm::TargetLibraryAnalysis(tools.libraryInfo); });
    m_builder.registerModuleAnalyses(m_modules);
    m_builder.registerCGSCCAnalyses(m_components);
    m_builder.registerFunctionAnalyses(m_functions);
    m_builder.registerLoopAnalyses(m_loops);
    m_builder.crossRegisterProxies(m_loops, m_functions, m_components, m_modules);
  }

  llvm::PassBuilder &builder() { return m_builder; }
  llvm::ModuleAnalysisManager &modules() { return m_modules; }

private:
  static llvm::PipelineTuningOptions tuning(const lower::CompileOptions &options) {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = options.loopVectorize;
    tuning.LoopInterleaving = options.loopVectorize;
    tuning.SLPVectorization = options.slp;
    return tuning;
  }

  llvm::PassBuilder m_builder;
  llvm::LoopAnalysisManager m_loops;
  llvm::FunctionAnalysisManager m_functions;
  llvm::CGSCCAnalysisManager m_components;
  llvm::ModuleAnalysisManager m_modules;
};

} // namespace

void runFunctionStage(llvm::Module &module, const PipelineTools &tools) {
  const llvm::OptimizationLevel level = levelOf(tools.options.opt);
  if (level == llvm::OptimizationLevel::O0) {
    return;
  }
  Analyses analyses(tools);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(
      analyses.builder().buildFunctionSimplificationPipeline(level, llvm::ThinOrFullLTOPhase::None)));
  passes.run(module, analyses.modules());
}

void runModuleStage(llvm::Module &module, const PipelineTools &tools) {
  const llvm::OptimizationLevel level = levelOf(tools.options.opt);
  Analyses analyses(tools);
  llvm::ModulePassManager passes = level == llvm::OptimizationLevel::O0 ? analyses.builder().buildO0DefaultPipeline(level)
                                                                        : analyses.builder().buildPerModuleDefaultPipeline(level);
  passes.run(module, analyses.modules());
}

} // namespace jitscope::pipeline
