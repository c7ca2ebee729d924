// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "pipeline/observe/observation.h"

#include <functional>
#include <string>
#include <vector>

#include <llvm/IR/DiagnosticHandler.h>

namespace llvm {
class DiagnosticInfoIROptimization;
} // namespace llvm

namespace jitscope::pipeline {

/// Collects LLVM's diagnostics about the modules of a context: remarks of the selected passes, and errors, for which LLVM's own
/// handler would end the process.
class RemarkCollector final : public llvm::DiagnosticHandler {
public:
  /// Gives a remark its function, unit, stage and pass, and keeps it.
  using Keep = std::function<void(event::Remark, const llvm::DiagnosticInfoIROptimization &)>;
  RemarkCollector(const Observation &observation, Keep keep, std::string &errors)
      : m_observation(observation), m_keep(std::move(keep)), m_errors(errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override;
  [[nodiscard]] bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
  [[nodiscard]] bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
  [[nodiscard]] bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override { return wants(pass); }
  [[nodiscard]] bool isAnyRemarkEnabled() const override { return m_observation.allRemarks || !m_observation.remarkPasses.empty(); }

private:
  [[nodiscard]] bool wants(llvm::StringRef pass) const;

  const Observation &m_observation;
  Keep m_keep;
  std::string &m_errors; ///< one line each
};

} // namespace jitscope::pipeline
