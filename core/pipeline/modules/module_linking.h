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

/// Gives `destination` copies of the functions that `source` defines, for inlining only: they are available_externally, so the
/// optimizer drops them afterwards. Functions that another definition may replace are not copied. Nothing is copied if the module
/// has state of its own, which must exist only once. Errors as above.
base::Result<void> lendTo(llvm::Module &destination, const llvm::Module &source);

/// Makes every function except those named internal, so the optimizer may inline, change and drop it. Variables keep their
/// visibility, because code elsewhere may read and write them.
void internalizeAllBut(llvm::Module &module, std::span<const std::string> kept);

/// A copy of a finished module for callers to link in. Its visible symbols are linkonce_odr, so unused copies are dropped. The
/// module's own state exists only once: `module` exports it to the copy under a name with `suffix`, which is unique to the module.
/// The copy runs no constructors and keeps nothing that llvm.used names, as `module` does.
std::unique_ptr<llvm::Module> copyToLink(llvm::Module &module, const std::string &suffix);

} // namespace jitscope::pipeline
