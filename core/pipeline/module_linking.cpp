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
