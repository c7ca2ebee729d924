// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_files.h"

#include "pipeline/observe/context_diagnostics.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace jitscope::pipeline {

using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

bool isBitcode(const llvm::MemoryBuffer &bytes) {
  const auto *begin = reinterpret_cast<const unsigned char *>(bytes.getBufferStart());
  return llvm::isBitcode(begin, begin + bytes.getBufferSize());
}

Result<std::unique_ptr<llvm::Module>> parse(const ModuleFile &file, llvm::LLVMContext &context) {
  const llvm::MemoryBufferRef bytes = file.bytes->getMemBufferRef();
  if (isBitcode(*file.bytes)) {
    llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(bytes, context);
    if (!module) {
      return fail(ErrorCode::CompileInput,
                  fmt::format("{}: damaged bitcode, or of a newer LLVM: {}", file.path, llvm::toString(module.takeError())));
    }
    return std::move(*module);
  }
  const bool claimsBitcode = std::filesystem::path(file.path).extension() == ".bc";
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssembly(bytes, problem, context);
  if (module) {
    return module;
  }
  if (claimsBitcode) {
    return fail(ErrorCode::CompileInput, fmt::format("{}: this is not bitcode (it does not begin with \"BC\")", file.path));
  }
  std::string line = problem.getLineContents().rtrim().str();
  if (line.size() > 120) {
    line = line.substr(0, 120) + "…";
  }
  return fail(ErrorCode::CompileInput, fmt::format("{}:{}:{}: {}\n  {}", file.path, problem.getLineNo(), problem.getColumnNo() + 1,
                                                   problem.getMessage().str(), line));
}

} // namespace

Result<ModuleFile> openModuleFile(const std::string &path) {
  std::error_code error;
  if (const auto status = std::filesystem::status(path, error);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return fail(ErrorCode::CompileInput, fmt::format("{}: this is not a regular file", path));
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> bytes = llvm::MemoryBuffer::getFile(path);
  if (!bytes) {
    return fail(ErrorCode::CompileInput, fmt::format("{}: {}", path, bytes.getError().message()));
  }
  if ((*bytes)->getBufferSize() == 0) {
    return fail(ErrorCode::CompileInput, fmt::format("{}: the file is empty", path));
  }
  return ModuleFile{path, std::shared_ptr<const llvm::MemoryBuffer>(std::move(*bytes))};
}

Result<std::unique_ptr<llvm::Module>> readModule(const ModuleFile &file, llvm::LLVMContext &context,
                                                 std::vector<std::string> &messages) {
  const ContextDiagnostics diagnostics(context, messages);
  Result<std::unique_ptr<llvm::Module>> module = parse(file, context);
  if (module && file.dropsDebugInfo) {
    llvm::StripDebugInfo(**module);
  }
  return module;
}

Result<std::unique_ptr<llvm::Module>> readAndVerify(ModuleFile &file, llvm::LLVMContext &context, std::vector<std::string> &notes) {
  std::vector<std::string> messages;
  Result<std::unique_ptr<llvm::Module>> module = readModule(file, context, messages);
  if (module) {
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(**module, &stream, &file.dropsDebugInfo)) {
      module = fail(ErrorCode::CompileInput,
                    fmt::format("{}: LLVM refuses the module: {}", file.path, problem.substr(0, problem.find('\n'))));
    } else if (file.dropsDebugInfo) {
      llvm::StripDebugInfo(**module);
      messages.emplace_back("its debug information is broken and was dropped");
    }
  }
  for (const std::string &message : messages) {
    notes.push_back(fmt::format("{}: {}", file.path, message));
  }
  return module;
}

} // namespace jitscope::pipeline
