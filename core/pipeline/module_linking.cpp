// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/module_linking.h"

#include "pipeline/context_diagnostics.h"

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
  const bool hasOwnState = llvm::any_of(
      source.globals(), [](const llvm::GlobalVariable &variable) { return variable.hasLocalLinkage() && !variable.isConstant(); });
  if (hasOwnState || !source.alias_empty() || !source.ifunc_empty()) {
    return {};
  }
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(source);
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
    return std::ranges::any_of(kept, [&](const std::string &name) { return value.getName() == name; });
  });
}

void makeDiscardable(llvm::Module &module) {
  for (llvm::GlobalValue &value : module.global_values()) {
    // What is replaceable, appended or only available elsewhere keeps its own rules.
    if (!value.isDeclaration() && (value.hasExternalLinkage() || value.hasWeakODRLinkage())) {
      value.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
    }
  }
}

} // namespace jitscope::pipeline
