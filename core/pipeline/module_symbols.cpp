// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/module_symbols.h"

#include <set>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

/// Functions of the module whose code refers to `function`.
std::uint32_t callersOf(const llvm::Function &function) {
  std::set<const llvm::Function *> callers;
  for (const llvm::User *user : function.users()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction != nullptr && instruction->getFunction() != &function) {
      callers.insert(instruction->getFunction());
    }
  }
  return static_cast<std::uint32_t>(callers.size());
}

DefinedFunction describe(const llvm::Function &function) {
  DefinedFunction defined;
  defined.symbol = function.getName().str();
  defined.isVisible = !function.hasLocalLinkage();
  defined.isStrong = function.hasExternalLinkage();
  defined.isOptNone = function.hasOptNone();
  defined.isNoInline = function.hasFnAttribute(llvm::Attribute::NoInline);
  defined.hasOwnCpu = function.hasFnAttribute("target-cpu") || function.hasFnAttribute("target-features");
  defined.callers = callersOf(function);
  return defined;
}

} // namespace

ModuleSymbols symbolsOf(const llvm::Module &module) {
  ModuleSymbols symbols;
  symbols.triple = module.getTargetTriple();
  symbols.dataLayout = module.getDataLayoutStr();
  symbols.pointerBits = module.getDataLayout().getPointerSizeInBits();
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration() && !function.hasAvailableExternallyLinkage()) {
      symbols.functions.push_back(describe(function));
      symbols.instructions += function.getInstructionCount();
    }
  }
  for (const llvm::GlobalValue &value : module.global_values()) {
    const std::string name = value.getName().str();
    const bool isIntrinsic = name.starts_with("llvm.");
    if (isIntrinsic || value.hasLocalLinkage()) {
      continue;
    }
    if (value.isDeclarationForLinker()) {
      if (!value.use_empty()) {
        symbols.undefined.push_back(name);
      }
      continue;
    }
    symbols.visibleDefinitions.push_back(name);
    if (value.hasExternalLinkage()) {
      symbols.strongDefinitions.push_back(name);
    } else {
      symbols.copies += value.hasCommonLinkage() || value.hasAppendingLinkage() ? 0 : 1;
    }
  }
  return symbols;
}

} // namespace jitscope::pipeline
