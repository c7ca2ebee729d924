// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "lower/compile_options.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

/// A function of a call graph and the symbol it is compiled under.
struct NamedFunction {
  std::shared_ptr<const graph::Graph> graph;
  std::string symbol;
};

/// The symbol of a function: its name with other characters than letters and digits replaced, and a hash of its structure and its
/// callees' symbols. Functions with the same symbol have equal modules, except for the script lines.
std::string symbolOf(const graph::Graph &graph);
/// The symbol of the wrapper that the runtime calls.
std::string entrySymbolOf(const graph::Graph &root);

/// `root` and every graph it reaches by Call or Map, each symbol once, callees before callers.
std::vector<NamedFunction> functionsOf(const std::shared_ptr<const graph::Graph> &root);

/// The body of one function as a module of its own, with external linkage.
///
/// Scalars (rank 0) are passed and returned by value, several results as a struct; arrays are passed as pointers, results behind
/// the operands. Functions that touch arrays then take a pointer to scratch memory, and those with sizes known at the call only one
/// to the sizes.
base::Result<LoweredFunction> lowerFunction(const graph::Graph &graph, const LowerOptions &options,
                                            const llvm::TargetMachine &machine, llvm::LLVMContext &context);

/// The wrapper that the runtime calls, as a module of its own:
/// `void entry(const void *const *inputs, void *const *outputs, void *scratch, const std::int64_t *sizes)`.
/// Inputs are the parameters and then the captures, outputs the results; each points to dense row-major memory at a multiple of
/// `graph::kBufferAlignment`, scalars too. `scratch` has at least `scratchBytes` and the same alignment; `sizes`, laid out as
/// `graph::SizeLayout` says, is only read when the graph is not static.
base::Result<LoweredFunction> lowerEntry(const graph::Graph &root, const LowerOptions &options, const llvm::TargetMachine &machine,
                                         llvm::LLVMContext &context);

/// Adds that wrapper to a module, which may hold the root or not. Returns its symbol.
base::Result<std::string> addEntry(llvm::Module &module, const graph::Graph &root, const LowerOptions &options,
                                   const llvm::TargetMachine &machine);

} // namespace jitscope::lower
