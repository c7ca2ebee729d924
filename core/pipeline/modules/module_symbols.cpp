// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_symbols.h"

#include <algorithm>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

/// Finds what a symbol's code, initializer, resolver or personality refers to, through constant expressions and aggregates.
class References {
public:
  explicit References(const llvm::DenseMap<const llvm::GlobalValue *, std::size_t> &places) : m_places(places) {}

  std::vector<std::size_t> of(const llvm::GlobalValue &value) {
    m_seen.clear();
    m_found.clear();
    addOperands(value);
    if (const auto *function = llvm::dyn_cast<llvm::Function>(&value)) {
      for (const llvm::BasicBlock &block : *function) {
        for (const llvm::Instruction &instruction : block) {
          addOperands(instruction);
        }
      }
    }
    std::ranges::sort(m_found);
    const auto repeated = std::ranges::unique(m_found);
    m_found.erase(repeated.begin(), repeated.end());
    return m_found;
  }

private:
  void addOperands(const llvm::User &user) {
    std::vector<const llvm::User *> open{&user};
    while (!open.empty()) {
      const llvm::User *next = open.back();
      open.pop_back();
      for (const llvm::Value *operand : next->operand_values()) {
        const auto *constant = llvm::dyn_cast_or_null<llvm::Constant>(operand);
        if (constant == nullptr || !m_seen.insert(constant).second) {
          continue;
        }
        if (const auto *global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
          m_found.push_back(m_places.lookup(global));
        } else {
          open.push_back(constant);
        }
      }
    }
  }

  const llvm::DenseMap<const llvm::GlobalValue *, std::size_t> &m_places;
  llvm::SmallPtrSet<const llvm::Constant *, 32> m_seen;
  std::vector<std::size_t> m_found;
};

std::optional<std::string> attributeOf(const llvm::Function &function, llvm::StringRef name) {
  const llvm::Attribute attribute = function.getFnAttribute(name);
  return attribute.isValid() ? std::optional(attribute.getValueAsString().str()) : std::nullopt;
}

SymbolKind kindOf(const llvm::GlobalValue &value) {
  if (value.getName().starts_with("llvm.")) {
    return SymbolKind::Special;
  }
  if (llvm::isa<llvm::Function>(value)) {
    return SymbolKind::Function;
  }
  return llvm::isa<llvm::GlobalVariable>(value) ? SymbolKind::Variable : SymbolKind::Alias;
}

ModuleSymbol describe(const llvm::GlobalValue &value) {
  ModuleSymbol symbol;
  symbol.name = value.getName().str();
  symbol.kind = kindOf(value);
  symbol.isDefined = !value.isDeclarationForLinker();
  symbol.isVisible = !value.hasLocalLinkage();
  symbol.isStrong = symbol.isDefined && value.hasExternalLinkage();
  symbol.isReplaceable = value.isInterposable();
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
    symbol.isConstant = variable->isConstant();
  }
  if (const auto *function = llvm::dyn_cast<llvm::Function>(&value)) {
    symbol.isOptNone = function->hasOptNone();
    symbol.isNoInline = function->hasFnAttribute(llvm::Attribute::NoInline);
    symbol.cpu = {attributeOf(*function, "target-cpu"), attributeOf(*function, "target-features"),
                  attributeOf(*function, "tune-cpu")};
  }
  return symbol;
}

} // namespace

ModuleSymbols symbolsOf(const llvm::Module &module) {
  ModuleSymbols symbols;
  symbols.triple = module.getTargetTriple();
  symbols.dataLayout = module.getDataLayoutStr();
  symbols.pointerBits = module.getDataLayout().getPointerSizeInBits();
  llvm::DenseMap<const llvm::GlobalValue *, std::size_t> places;
  for (const llvm::GlobalValue &value : module.global_values()) {
    places.try_emplace(&value, symbols.symbols.size());
    symbols.symbols.push_back(describe(value));
  }
  References references(places);
  std::size_t place = 0;
  for (const llvm::GlobalValue &value : module.global_values()) {
    symbols.symbols[place].needs = references.of(value);
    if (value.hasAppendingLinkage() || value.getName() == "llvm.used" || value.getName() == "llvm.compiler.used") {
      symbols.kept.push_back(place);
    }
    ++place;
  }
  return symbols;
}

} // namespace jitscope::pipeline
