// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/module_linking.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/Internalize.h>

namespace jitscope::pipeline {

namespace {

/// Collects what the linker has to say, since the default handler ends the process.
class CollectingHandler final : public llvm::DiagnosticHandler {
public:
  explicit CollectingHandler(std::string &text) : m_text(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(m_text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    return true;
  }

private:
  std::string &m_text;
};

} // namespace

base::Result<void> linkInto(llvm::Module &destination, std::unique_ptr<llvm::Module> source) {
  llvm::LLVMContext &context = destination.getContext();
  const std::string sourceName = source->getModuleIdentifier();
  std::string problem;
  std::unique_ptr<llvm::DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<CollectingHandler>(problem));
  const bool hasFailed = llvm::Linker::linkModules(destination, std::move(source));
  context.setDiagnosticHandler(std::move(previous));
  if (hasFailed) {
    return base::fail(base::ErrorCode::CompileOptimize, fmt::format("{} could not be linked in: {}", sourceName, problem));
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
