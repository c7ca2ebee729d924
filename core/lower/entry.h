// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "lower/lowering.h"

#include <string>

namespace jitscope::lower {

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
