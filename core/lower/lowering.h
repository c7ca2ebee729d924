// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "lower/compile_options.h"

#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace jitscope::graph {
class Graph;
} // namespace jitscope::graph

namespace jitscope::lower {

/// What lowering needs to know besides the graph.
struct LowerOptions {
  CompileOptions compile = {};
  std::string scriptPath = "script.lua"; ///< the file that debug locations name
  std::int64_t smallDot = 4096;          ///< a dot of at most so many multiplications is a loop, a larger one a BLAS call
  bool verify = true;                    ///< check the module with LLVM's verifier, at a small part of a compile's cost
};

/// A module and the function in it that was asked for. The module holds declarations of what that function calls, and nothing else.
struct LoweredFunction {
  std::unique_ptr<llvm::Module> module;
  std::string symbol;
};

/// The body of one function as a module of its own, with external linkage.
///
/// Scalars (rank 0) are passed and returned by value, several results as a struct; arrays are passed as pointers, results behind
/// the operands. Functions that touch arrays then take a pointer to scratch memory, and those with sizes known at the call only one
/// to the sizes.
base::Result<LoweredFunction> lowerFunction(const graph::Graph &graph, const LowerOptions &options,
                                            const llvm::TargetMachine &machine, llvm::LLVMContext &context);

} // namespace jitscope::lower
