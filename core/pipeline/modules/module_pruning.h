// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace jitscope::pipeline {

/// What happens to a module's symbols before a study compiles it. Indices are those of `ModuleSymbols::symbols`.
struct ModulePlan {
  std::vector<bool> isReached;              ///< the rest is deleted
  std::map<std::size_t, std::string> names; ///< new names of what would meet another of its name in a linked module
  std::vector<std::size_t> sharedState;     ///< variables of the module alone that code left out may change: become visible
  std::vector<std::size_t> neededElsewhere; ///< stays though nothing in the module refers to it
  std::size_t root = ~std::size_t{0};       ///< becomes visible, where it is in this module
};

/// Applies the plan to its module, which was read again.
void applyPlan(llvm::Module &module, const ModulePlan &plan);

} // namespace jitscope::pipeline
