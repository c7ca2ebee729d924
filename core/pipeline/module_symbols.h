// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace jitscope::pipeline {

/// A function that a module defines.
struct DefinedFunction {
  std::string symbol;
  bool isVisible = false; ///< from outside the module
  bool isStrong = false;  ///< a second definition elsewhere would be an error
  bool isOptNone = false;
  bool isNoInline = false;
  bool hasOwnCpu = false;    ///< an attribute names the CPU or features that it is for
  std::uint32_t callers = 0; ///< functions of the same module that refer to it
};

/// What a module says about itself, for putting several in order without keeping them.
struct ModuleSymbols {
  std::string triple;
  std::string dataLayout;
  unsigned pointerBits = 64;
  std::vector<DefinedFunction> functions;      ///< in the module's order
  std::vector<std::string> strongDefinitions;  ///< functions and variables; no other module may define them
  std::vector<std::string> visibleDefinitions; ///< those and the replaceable ones
  std::vector<std::string> undefined;          ///< what it uses and does not define, intrinsics aside
  std::uint64_t copies = 0;                    ///< linkonce and weak definitions
  std::uint64_t instructions = 0;
};

ModuleSymbols symbolsOf(const llvm::Module &module);

} // namespace jitscope::pipeline
