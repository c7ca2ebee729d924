// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/unit.h"

#include <algorithm>

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

Unit::Unit() = default;
Unit::Unit(base::FunctionId theId, std::string theName, std::vector<UnitFunction> theFunctions,
           std::unique_ptr<llvm::Module> theModule)
    : id(theId), name(std::move(theName)), functions(std::move(theFunctions)), module(std::move(theModule)) {}
Unit::Unit(Unit &&) noexcept = default;
Unit &Unit::operator=(Unit &&) noexcept = default;
Unit::~Unit() = default;

std::vector<std::vector<std::size_t>> calleesOf(const std::vector<Unit> &units) {
  llvm::StringMap<std::size_t> home;
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (const llvm::GlobalValue &value : units[i].module->global_values()) {
      if (!value.isDeclarationForLinker() && !value.hasLocalLinkage() && !value.hasAppendingLinkage()) {
        home.try_emplace(value.getName(), i);
      }
    }
  }
  std::vector<std::vector<std::size_t>> callees(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (const llvm::GlobalValue &value : units[i].module->global_values()) {
      const auto found = value.isDeclarationForLinker() ? home.find(value.getName()) : home.end();
      if (found != home.end() && found->second != i) {
        callees[i].push_back(found->second);
      }
    }
    std::ranges::sort(callees[i]);
    const auto repeated = std::ranges::unique(callees[i]);
    callees[i].erase(repeated.begin(), repeated.end());
  }
  return callees;
}

} // namespace jitscope::pipeline
