// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <llvm/IR/DebugLoc.h>

namespace llvm {
class DISubprogram;
class Function;
class Module;
} // namespace llvm

namespace jitscope::lower {

/// Line tables that map code to script lines, for remarks, profilers and readers of the IR.
class DebugInfo {
public:
  /// Gives `function` a line table of its own. `name` and `line` are the script's.
  DebugInfo(llvm::Module &module, llvm::Function &function, const std::string &scriptPath, const std::string &name, int line);

  /// The place of a script line in that function; 0 if there is none.
  [[nodiscard]] llvm::DebugLoc at(int line) const;

private:
  llvm::DISubprogram *m_subprogram;
};

} // namespace jitscope::lower
