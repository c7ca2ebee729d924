// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/pass_stages.h"
#include "pipeline/pipeline.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/ElimAvailExtern.h>
#include <llvm/Transforms/IPO/ModuleInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>

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
  Analyses(const PipelineTools &tools, llvm::PassInstrumentationCallbacks &callbacks)
      : m_builder(&tools.machine, tuning(tools.options), std::nullopt, &callbacks) {
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

/// Numba's pipeline before its full one: nothing but what must be inlined is, loops are rotated (the vectorizer wants that) and
/// what this leaves is tidied. See `_module_pass_manager(cost="cheap")` in numba/core/codegen.py.
llvm::ModulePassManager cheapPasses() {
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(llvm::JumpThreadingPass());
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  return passes;
}

/// Inlines callees that come optimized, all at once: LLVM's usual inliner goes from the leaves up and optimizes what it gets at
/// every level, once more and growing. What was only borrowed for this is gone afterwards.
llvm::ModulePassManager inliningFirst(llvm::OptimizationLevel level, llvm::ThinOrFullLTOPhase phase, llvm::ModulePassManager rest) {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::ModuleInlinerPass(llvm::getInlineParams(level.getSpeedupLevel(), level.getSizeLevel()),
                                         llvm::InliningAdvisorMode::Default, phase));
  passes.addPass(llvm::EliminateAvailableExternallyPass());
  passes.addPass(std::move(rest));
  return passes;
}

/// Whether the module borrowed functions to inline from.
bool hasBorrowed(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) { return function.hasAvailableExternallyLinkage(); });
}

llvm::ModulePassManager passesOf(PassList list, const llvm::Module &module, llvm::PassBuilder &builder,
                                 llvm::OptimizationLevel level) {
  const bool isOff = level == llvm::OptimizationLevel::O0;
  switch (list) {
  case PassList::Function: {
    llvm::ModulePassManager passes;
    if (!isOff) {
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(
          builder.buildFunctionSimplificationPipeline(level, llvm::ThinOrFullLTOPhase::None)));
    }
    return passes;
  }
  case PassList::Cheap:
    return isOff ? llvm::ModulePassManager() : cheapPasses();
  case PassList::Module:
    return isOff ? builder.buildO0DefaultPipeline(level) : builder.buildPerModuleDefaultPipeline(level);
  case PassList::Program:
    return isOff ? builder.buildO0DefaultPipeline(level)
                 : inliningFirst(level, llvm::ThinOrFullLTOPhase::None, builder.buildPerModuleDefaultPipeline(level));
  case PassList::PreLink:
    if (isOff) {
      return llvm::ModulePassManager();
    }
    // A module's own functions are not simplified yet: they are for LLVM's inliner, which sees to that on its way.
    return hasBorrowed(module)
               ? inliningFirst(level, llvm::ThinOrFullLTOPhase::ThinLTOPreLink, builder.buildThinLTOPreLinkDefaultPipeline(level))
               : builder.buildThinLTOPreLinkDefaultPipeline(level);
  case PassList::PostLink:
    return isOff ? builder.buildO0DefaultPipeline(level)
                 : inliningFirst(level, llvm::ThinOrFullLTOPhase::ThinLTOPostLink,
                                 builder.buildThinLTODefaultPipeline(level, nullptr));
  }
  return llvm::ModulePassManager();
}

} // namespace

event::Stage stageOf(PassList list) {
  switch (list) {
  case PassList::Function:
    return event::Stage::Function;
  case PassList::Cheap:
    return event::Stage::Cheap;
  case PassList::Module:
  case PassList::Program:
    return event::Stage::Module;
  case PassList::PreLink:
    return event::Stage::PreLink;
  case PassList::PostLink:
    return event::Stage::PostLink;
  }
  return event::Stage::None;
}

void runPasses(PassList list, llvm::Module &module, const PipelineTools &tools, llvm::PassInstrumentationCallbacks &callbacks) {
  Analyses analyses(tools, callbacks);
  llvm::ModulePassManager passes = passesOf(list, module, analyses.builder(), levelOf(tools.options.opt));
  passes.run(module, analyses.modules());
}

} // namespace jitscope::pipeline
