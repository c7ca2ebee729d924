// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_linking.h"

#include "pipeline/observe/context_diagnostics.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace jitscope::pipeline {

namespace {

bool isOwnState(const llvm::GlobalVariable &variable) { return variable.hasLocalLinkage() && !variable.isConstant(); }

/// Removes llvm.used, llvm.global_ctors and their like, of which each program has one.
void dropLists(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    if (variable.hasAppendingLinkage() && variable.use_empty()) {
      variable.eraseFromParent();
    }
  }
}

} // namespace

base::Result<void> linkInto(llvm::Module &destination, std::unique_ptr<llvm::Module> source) {
  const std::string sourceName = source->getModuleIdentifier();
  std::vector<std::string> messages;
  const ContextDiagnostics diagnostics(destination.getContext(), messages);
  if (llvm::Linker::linkModules(destination, std::move(source))) {
    return base::fail(base::ErrorCode::CompileOptimize,
                      fmt::format("{} could not be linked in: {}", sourceName, fmt::join(messages, "; ")));
  }
  return {};
}

base::Result<void> lendTo(llvm::Module &destination, const llvm::Module &source) {
  if (llvm::any_of(source.globals(), isOwnState) || !source.alias_empty() || !source.ifunc_empty()) {
    return {};
  }
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(source);
  dropLists(*copy);
  for (llvm::GlobalVariable &variable : copy->globals()) {
    if (!variable.isDeclaration() && !variable.hasLocalLinkage()) {
      variable.setComdat(nullptr);
      variable.setInitializer(nullptr);
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  }
  for (llvm::Function &function : *copy) {
    if (function.isDeclaration() || function.hasLocalLinkage()) {
      continue;
    }
    function.setComdat(nullptr);
    if (function.isInterposable()) {
      function.deleteBody();
    } else {
      function.setLinkage(llvm::GlobalValue::AvailableExternallyLinkage);
    }
  }
  return linkInto(destination, std::move(copy));
}

void internalizeAllBut(llvm::Module &module, std::span<const std::string> kept) {
  llvm::internalizeModule(module, [kept](const llvm::GlobalValue &value) {
    const llvm::GlobalObject *object = value.getAliaseeObject();
    return llvm::isa_and_nonnull<llvm::GlobalVariable>(object) ||
           std::ranges::any_of(kept, [&](const std::string &name) { return value.getName() == name; });
  });
}

std::unique_ptr<llvm::Module> copyToLink(llvm::Module &module, const std::string &suffix) {
  std::vector<std::string> state;
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (isOwnState(variable)) {
      variable.setName((variable.hasName() ? variable.getName() : "unnamed") + "." + suffix);
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
      variable.setVisibility(llvm::GlobalValue::HiddenVisibility);
      state.push_back(variable.getName().str());
    }
  }
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  for (const std::string &name : state) {
    copy->getGlobalVariable(name)->setInitializer(nullptr);
  }
  dropLists(*copy);
  for (llvm::GlobalValue &value : copy->global_values()) {
    // What is replaceable or only available elsewhere keeps its own rules.
    if (!value.isDeclaration() && (value.hasExternalLinkage() || value.hasWeakODRLinkage())) {
      value.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
    }
  }
  return copy;
}

} // namespace jitscope::pipeline
