// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "batch/batch_inputs.h"

#include "analysis/compare/comparison.h"
#include "analysis/findings/finding_gate.h"
#include "report/batch/batch_result.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::app {

struct BatchOptions {
  std::filesystem::path folder;                   ///< for sessions and logs; must be there
  std::size_t jobs = 1;                           ///< scripts that run at a time
  double timeoutSeconds = 600;                    ///< for each script; 0: none
  std::vector<std::string> runArguments;          ///< "--set", "opt=2"…
  std::vector<analysis::FindingGate> failOn = {}; ///< findings that make a script fail
  const Baseline *baseline = nullptr;             ///< none: no comparison
  analysis::CompareOptions compare = {};
  std::size_t confirmations = 2; ///< times that a script which got slower is measured again
};

/// Runs scripts, each in a process of its own, so that one which crashes or hangs takes nothing with it, and looks at what they
/// recorded.
class BatchRunner {
public:
  /// Told of each script when it is over, and of each that is measured again. Any thread, one at a time.
  using Progress = std::function<void(const std::string &line)>;
  BatchRunner(BatchOptions options, const std::atomic<bool> &stopRequested, Progress progress)
      : m_options(std::move(options)), m_stopRequested(stopRequested), m_progress(std::move(progress)) {}

  /// The results in the order of the scripts.
  std::vector<report::ScriptResult> run(const std::vector<BatchScript> &scripts);

private:
  report::ScriptResult runScript(const BatchScript &script) const;
  /// Runs the script once. Gives "" for a process that ended by itself, else what became of it, and sets the state.
  void runOnce(const BatchScript &script, const std::filesystem::path &session, report::ScriptResult &result) const;
  void readSession(report::ScriptResult &result) const;
  void compareWithBaseline(const BatchScript &script, report::ScriptResult &result) const;
  void confirm(const BatchScript &script, const std::filesystem::path &base, report::ScriptResult &result) const;
  void tell(const std::string &line) const;

  BatchOptions m_options;
  const std::atomic<bool> &m_stopRequested;
  Progress m_progress;
};

} // namespace jitscope::app
