// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/remark_collector.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace jitscope::pipeline {

namespace {

std::string argumentsAsJson(const llvm::DiagnosticInfoOptimizationBase &info) {
  llvm::json::Array arguments;
  for (const auto &argument : info.getArgs()) {
    // Names of symbols are bytes, JSON is UTF-8.
    arguments.push_back(
        llvm::json::Object{{"key", llvm::json::fixUTF8(argument.Key)}, {"value", llvm::json::fixUTF8(argument.Val)}});
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << llvm::json::Value(std::move(arguments));
  return text;
}

event::Remark remarkOf(const llvm::DiagnosticInfoOptimizationBase &info) {
  event::Remark remark;
  remark.kind = info.isPassed()   ? event::RemarkKind::Passed
                : info.isMissed() ? event::RemarkKind::Missed
                                  : event::RemarkKind::Analysis;
  remark.pass = info.getPassName();
  remark.name = info.getRemarkName().str();
  remark.function = info.getFunction().getName().str();
  if (info.isLocationAvailable()) {
    const llvm::DiagnosticLocation location = info.getLocation();
    remark.file = location.getRelativePath().str();
    remark.line = static_cast<int>(location.getLine());
    remark.column = static_cast<int>(location.getColumn());
  }
  remark.message = llvm::json::fixUTF8(info.getMsg());
  remark.args = argumentsAsJson(info);
  return remark;
}

} // namespace

bool RemarkCollector::wants(llvm::StringRef pass) const {
  return m_observation.allRemarks || m_observation.remarkPasses.contains(pass.str());
}

bool RemarkCollector::handleDiagnostics(const llvm::DiagnosticInfo &info) {
  if (info.getSeverity() == llvm::DS_Error) {
    llvm::raw_string_ostream stream(m_errors);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    stream << '\n';
    return true;
  }
  if (llvm::isa<llvm::DiagnosticInfoOptimizationBase>(info)) {
    const auto &remark = llvm::cast<llvm::DiagnosticInfoOptimizationBase>(info);
    // Passes ask before they make a remark, but not every one does.
    if (wants(remark.getPassName())) {
      m_keep(remarkOf(remark));
    }
  }
  return true;
}

} // namespace jitscope::pipeline
