// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/context_diagnostics.h"

#include <utility>

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

namespace jitscope::pipeline {

namespace {

class MessageCollector final : public llvm::DiagnosticHandler {
public:
  explicit MessageCollector(std::vector<std::string> &messages) : m_messages(messages) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    m_messages.push_back(textOf(info));
    return true;
  }

private:
  std::vector<std::string> &m_messages;
};

} // namespace

std::string textOf(const llvm::DiagnosticInfo &info) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  return text;
}

ContextDiagnostics::ContextDiagnostics(llvm::LLVMContext &context, std::unique_ptr<llvm::DiagnosticHandler> handler)
    : m_context(context), m_previous(context.getDiagnosticHandler()) {
  m_context.setDiagnosticHandler(std::move(handler));
}

ContextDiagnostics::ContextDiagnostics(llvm::LLVMContext &context, std::vector<std::string> &messages)
    : ContextDiagnostics(context, std::make_unique<MessageCollector>(messages)) {}

ContextDiagnostics::~ContextDiagnostics() { m_context.setDiagnosticHandler(std::move(m_previous)); }

} // namespace jitscope::pipeline
