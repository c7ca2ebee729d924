// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/remark_collector.h"

#include "pipeline/observe/context_diagnostics.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace jitscope::pipeline {

namespace {

/// Names of symbols are bytes, and JSON is UTF-8; nearly always the two are the same, which is the quicker to see.
std::string utf8Of(llvm::StringRef text) { return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text); }

std::string argumentsAsJson(const llvm::DiagnosticInfoOptimizationBase &info) {
  llvm::SmallString<512> text; // written in pieces of a few bytes
  llvm::raw_svector_ostream stream(text);
  llvm::json::OStream json(stream);
  json.array([&] {
    for (const auto &argument : info.getArgs()) {
      json.object([&] {
        json.attribute("key", utf8Of(argument.Key));
        json.attribute("value", utf8Of(argument.Val));
      });
    }
  });
  return text.str().str();
}

/// What a loop was asked for by a pragma is told of without a pass, so that it is printed in any case.
llvm::StringRef passOf(const llvm::DiagnosticInfoOptimizationBase &info) {
  const llvm::StringRef pass = info.getPassName();
  const std::string message = pass.empty() ? info.getMsg() : std::string();
  const bool isOfLoopVectorizer = message.starts_with("loop not vectorized") || message.starts_with("the cost-model");
  return pass.empty() && isOfLoopVectorizer ? llvm::StringRef("loop-vectorize") : pass;
}

event::Remark remarkOf(const llvm::DiagnosticInfoOptimizationBase &info) {
  event::Remark remark;
  remark.kind = info.isPassed()   ? event::RemarkKind::Passed
                : info.isMissed() ? event::RemarkKind::Missed
                                  : event::RemarkKind::Analysis;
  remark.pass = passOf(info).str();
  remark.name = info.getRemarkName().str();
  remark.function = info.getFunction().getName().str();
  if (info.isLocationAvailable()) {
    const llvm::DiagnosticLocation location = info.getLocation();
    remark.file = location.getRelativePath().str();
    remark.line = static_cast<int>(location.getLine());
    remark.column = static_cast<int>(location.getColumn());
  }
  remark.message = utf8Of(info.getMsg());
  remark.args = argumentsAsJson(info);
  return remark;
}

} // namespace

llvm::StringRef argumentIn(const llvm::DiagnosticInfoIROptimization &info, llvm::StringRef key) {
  for (const auto &argument : info.getArgs()) {
    if (argument.Key == key) {
      return argument.Val;
    }
  }
  return {};
}

bool RemarkCollector::wants(llvm::StringRef pass) const {
  return m_observation.wantsRemarks(pass.empty() ? std::string("loop-vectorize") : pass.str());
}

bool RemarkCollector::handleDiagnostics(const llvm::DiagnosticInfo &info) {
  if (info.getSeverity() == llvm::DS_Error) {
    m_errors += textOf(info) + '\n';
    return true;
  }
  if (llvm::isa<llvm::DiagnosticInfoIROptimization>(info)) {
    const auto &remark = llvm::cast<llvm::DiagnosticInfoIROptimization>(info);
    // Passes ask before they make a remark, but not every one does.
    if (m_observation.wantsRemarks(passOf(remark).str())) {
      m_keep(remarkOf(remark), remark);
    }
  }
  return true;
}

} // namespace jitscope::pipeline
