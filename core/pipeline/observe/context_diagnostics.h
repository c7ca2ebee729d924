// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class DiagnosticInfo;
class LLVMContext;
struct DiagnosticHandler;
} // namespace llvm

namespace jitscope::pipeline {

/// What LLVM says, as text.
std::string textOf(const llvm::DiagnosticInfo &info);

/// Replaces the diagnostic handler of a context, and restores it at the end. LLVM's own handler prints diagnostics and ends the
/// process for errors. The context must outlive it; several of one context end in the reverse order of their making.
class ContextDiagnostics {
public:
  ContextDiagnostics(llvm::LLVMContext &context, std::unique_ptr<llvm::DiagnosticHandler> handler);
  /// Appends everything to `messages`, which must outlive it.
  ContextDiagnostics(llvm::LLVMContext &context, std::vector<std::string> &messages);
  ~ContextDiagnostics();
  ContextDiagnostics(const ContextDiagnostics &) = delete;
  ContextDiagnostics &operator=(const ContextDiagnostics &) = delete;

private:
  llvm::LLVMContext &m_context;
  std::unique_ptr<llvm::DiagnosticHandler> m_previous;
};

} // namespace jitscope::pipeline
