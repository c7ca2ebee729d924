// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace jitscope::pipeline {

struct PipelineTools;

/// LLVM's function simplification on every function of `module`: what can be done without knowing any other function.
void runFunctionStage(llvm::Module &module, const PipelineTools &tools);

/// LLVM's whole per-module pipeline at the level and with the vectorizers that the options ask for.
void runModuleStage(llvm::Module &module, const PipelineTools &tools);

} // namespace jitscope::pipeline
