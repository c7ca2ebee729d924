// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_pruning.h"

#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

void makeVisible(llvm::GlobalValue &value) {
  const bool wasLocal = value.hasLocalLinkage();
  value.setLinkage(llvm::GlobalValue::ExternalLinkage);
  if (wasLocal) {
    // As local symbols it is found without the loader's tables.
    value.setVisibility(llvm::GlobalValue::HiddenVisibility);
    value.setDSOLocal(true);
  }
}

/// Deleted definitions may refer to each other in a ring, so all lose their contents first.
void empty(llvm::GlobalValue &value) {
  if (auto *function = llvm::dyn_cast<llvm::Function>(&value)) {
    function->setComdat(nullptr);
    function->deleteBody();
  } else if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
    variable->setComdat(nullptr);
    variable->setInitializer(nullptr);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
}

/// Whether it went: what is still referred to stays as a declaration.
bool eraseIfUnused(llvm::GlobalValue &value) {
  value.removeDeadConstantUsers();
  if (!value.use_empty()) {
    return false;
  }
  value.eraseFromParent();
  return true;
}

} // namespace

void applyPlan(llvm::Module &module, const ModulePlan &plan) {
  std::vector<llvm::GlobalValue *> symbols;
  for (llvm::GlobalValue &value : module.global_values()) {
    symbols.push_back(&value);
  }
  for (const auto &[place, name] : plan.names) {
    symbols[place]->setName(name);
  }
  for (const std::size_t place : plan.sharedState) {
    makeVisible(*symbols[place]);
  }
  for (const std::size_t place : plan.neededElsewhere) {
    if (symbols[place]->hasLinkOnceLinkage()) {
      symbols[place]->setLinkage(symbols[place]->hasLinkOnceODRLinkage() ? llvm::GlobalValue::WeakODRLinkage
                                                                         : llvm::GlobalValue::WeakAnyLinkage);
    }
  }
  if (plan.root < symbols.size()) {
    makeVisible(*symbols[plan.root]);
  }
  std::vector<llvm::GlobalValue *> unreached;
  for (std::size_t place = 0; place < symbols.size(); ++place) {
    if (!plan.isReached[place]) {
      unreached.push_back(symbols[place]);
      empty(*symbols[place]);
    }
  }
  // An alias of an alias keeps that one for a round.
  while (std::erase_if(unreached, [](llvm::GlobalValue *value) { return eraseIfUnused(*value); }) > 0) {
  }
}

} // namespace jitscope::pipeline
