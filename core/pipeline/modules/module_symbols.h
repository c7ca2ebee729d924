// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace jitscope::pipeline {

enum class SymbolKind : std::uint8_t {
  Function,
  Variable,
  Alias,  ///< another name for a definition, or a function that is chosen when the program is loaded
  Special ///< what LLVM reads itself: intrinsics and lists such as llvm.used
};

/// The CPU that a function says it is for; each part may be missing.
struct OwnCpu {
  std::optional<std::string> cpu;
  std::optional<std::string> features;
  std::optional<std::string> tune;
};

/// A function, variable or alias of a module.
struct ModuleSymbol {
  std::string name; ///< may be empty for what is seen in the module alone
  SymbolKind kind = SymbolKind::Function;
  bool isDefined = false;     ///< here, for others to use: no declaration and no copy to inline from
  bool isVisible = false;     ///< from outside the module
  bool isStrong = false;      ///< no other module may define it as well
  bool isReplaceable = false; ///< another definition, which may differ, may go before this one
  bool isConstant = false;    ///< of variables
  bool isOptNone = false;
  bool isNoInline = false;
  OwnCpu cpu;                     ///< of functions
  std::vector<std::size_t> needs; ///< symbols of the module that it refers to, in ascending order
};

/// What a module says about itself, for putting several in order without keeping them.
struct ModuleSymbols {
  std::string triple;
  std::string dataLayout;
  unsigned pointerBits = 64;
  std::vector<ModuleSymbol> symbols; ///< in the order of `llvm::Module::global_values`, which reading it again keeps
  std::vector<std::size_t> kept;     ///< the lists that say what stays though no code refers to it: llvm.used, llvm.global_ctors…
};

ModuleSymbols symbolsOf(const llvm::Module &module);

} // namespace jitscope::pipeline
