// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <memory>
#include <span>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace jitscope::pipeline {

/// Moves everything in `source` into `destination`; both live in one context. CompileOptimize names a symbol that both define.
base::Result<void> linkInto(llvm::Module &destination, std::unique_ptr<llvm::Module> source);

/// Lends `destination` copies of the functions that `source` defines, to inline from: they are available_externally, so that none
/// of them outlives the optimizer. Functions stay behind that another definition may replace, and all do where the module has state
/// of its own, which must not be doubled. Errors as above.
base::Result<void> lendTo(llvm::Module &destination, const llvm::Module &source);

/// Makes every function but those named invisible from outside, so that the optimizer may inline, change and drop it. Variables
/// stay as visible as they are: code elsewhere may read and write them.
void internalizeAllBut(llvm::Module &module, std::span<const std::string> kept);

/// A copy of a finished module for callers to link in. What is visible in it is linkonce_odr: a copy among others, which goes when
/// nobody needs it. State of the module's own stays one: `module` shows it to the copy under a name with `suffix`, which tells
/// modules apart. The copy runs no constructors and keeps nothing that llvm.used names, as `module` does.
std::unique_ptr<llvm::Module> copyToLink(llvm::Module &module, const std::string &suffix);

} // namespace jitscope::pipeline
