// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class MemoryBuffer;
class Module;
} // namespace llvm

/// LLVM modules from elsewhere as files. Malformed input may crash LLVM's readers, so use it only in processes that may crash.
namespace jitscope::pipeline {

/// A file's bytes, from which it is read as often as it is compiled.
struct ModuleFile {
  std::string path;
  std::shared_ptr<const llvm::MemoryBuffer> bytes;
  bool dropsDebugInfo = false; ///< it is broken
};

/// CompileInput names the file: it is missing, no file, unreadable or empty.
base::Result<ModuleFile> openModuleFile(const std::string &path);

/// The module in a file: bitcode, of older LLVM too, or assembly; without its debug information where that is broken. What LLVM
/// says besides goes to `messages`. CompileInput names the file, in assembly the line and column, and what is wrong.
base::Result<std::unique_ptr<llvm::Module>> readModule(const ModuleFile &file, llvm::LLVMContext &context,
                                                       std::vector<std::string> &messages);

/// Reads a module for the first time and verifies it with LLVM; a module that passes can be read again without checks. `notes`
/// describe oddities. CompileInput as `readModule`, and for a module that LLVM refuses.
base::Result<std::unique_ptr<llvm::Module>> readAndVerify(ModuleFile &file, llvm::LLVMContext &context,
                                                          std::vector<std::string> &notes);

} // namespace jitscope::pipeline
