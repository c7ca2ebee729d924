// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <memory>
#include <string_view>

namespace llvm {
class Module;
} // namespace llvm

namespace jitscope::pipeline {

/// Moves everything in `source` into `destination`; both live in one context. CompileOptimize names a symbol that both define.
base::Result<void> linkInto(llvm::Module &destination, std::unique_ptr<llvm::Module> source);

/// Makes every definition but `kept` invisible from outside, so that the optimizer may inline, change and drop it.
void internalizeAllBut(llvm::Module &module, std::string_view kept);

} // namespace jitscope::pipeline
