// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/lowering.h"
#include "lower/plan/signature.h"

namespace llvm {
class FastMathFlags;
} // namespace llvm

namespace jitscope::lower {

/// An empty module for the target.
std::unique_ptr<llvm::Module> makeModule(const std::string &name, const LowerOptions &options, const llvm::TargetMachine &machine,
                                         llvm::LLVMContext &context);

/// Gives a function that is about to get a body the attributes of its target.
void prepareDefinition(llvm::Function &function, const llvm::TargetMachine &machine);

/// Names for people who read the IR: "in0", "out0", "scratch", "sizes".
void nameArguments(llvm::Function &function, const graph::Graph &graph, const Signature &signature);

/// None for strict IEEE arithmetic. With fast math everything but the assumption that NaN and infinity do not occur.
llvm::FastMathFlags fastMathFlags(const LowerOptions &options);

/// LLVM's verifier, where the options ask for it.
base::Result<void> checkModule(const llvm::Module &module, const LowerOptions &options);

} // namespace jitscope::lower
