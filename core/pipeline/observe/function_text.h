// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace jitscope::pipeline {

/// The function as LLVM assembly; where an instruction has a place in the script, its line ends with "; line 3:10".
std::string textOf(const llvm::Function &function);

} // namespace jitscope::pipeline
