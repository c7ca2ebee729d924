// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/recipe/unit.h"

#include <string>
#include <vector>

namespace llvm {
class TargetLibraryInfoImpl;
class TargetMachine;
} // namespace llvm

namespace jitscope::pipeline {

/// Calls between functions of the units that LLVM inlines under no pipeline because of attributes: of the callee, the caller or the
/// call. One sentence for each reason, with the calls, in the order of the reasons. `machine` is the one that code is made by.
std::vector<std::string> inlineRefusals(const std::vector<Unit> &units, llvm::TargetMachine &machine,
                                        const llvm::TargetLibraryInfoImpl &library);

} // namespace jitscope::pipeline
