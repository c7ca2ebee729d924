// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/code/bitcode.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace jitscope::test {

std::string bitcodeOf(const char *assembly) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::string bytes;
  if (const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(assembly, problem, context)) {
    llvm::raw_string_ostream stream(bytes);
    llvm::WriteBitcodeToFile(*module, stream);
  }
  return bytes;
}

} // namespace jitscope::test
