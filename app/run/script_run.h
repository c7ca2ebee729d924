// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"
#include "output/progress_display.h"

#include "base/clock.h"
#include "base/error.h"
#include "runtime/bench/cold_leg.h"
#include "runtime/engine_options.h"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::app {

class StopWatcher;

/// One run of a script, recorded.
struct RunRequest {
  std::filesystem::path scriptPath;
  std::filesystem::path sessionPath;
  bool overwrites = false;
  runtime::EngineOptions options = {};
  std::vector<std::string> optionArguments = {}; ///< the same options as command line arguments, for the processes of cold legs
  std::string commandLine = {};                  ///< for the session
  double timeoutSeconds = 0;                     ///< 0: none
  ProgressMode progress = ProgressMode::Auto;
  std::FILE *scriptOutput = stdout;                   ///< what the script prints
  std::optional<runtime::ColdTarget> coldTarget = {}; ///< in the process of a cold leg
  std::optional<std::uint64_t> seed = {};             ///< set: benches measure their legs in an order drawn by it
  std::string expectedSha256 = {};                    ///< of the script; empty: any
  std::optional<base::ClockEpoch> epoch = {};         ///< the time that the session counts from; empty: now
};

struct RunOutcome {
  ExitStatus status = ExitStatus::Done;
  std::optional<base::Error> error = {}; ///< why it is not `Done`, except for failed expectations
  bool hasSession = false;               ///< whether there is a session file to look at
};

/// Shows what came of a run; gives the status that the process ends with. Called once, on the thread that ends the run.
using RunConclusion = std::function<ExitStatus(const RunOutcome &outcome, StopWatcher &stop)>;

/// Runs the script to its end, its failure or a stop, finishes the session in each case and concludes. Where a stop or a limit
/// finds the run inside something that cannot be left, such as a pass of LLVM, all of that happens on another thread, and the
/// process ends without coming back from here.
ExitStatus runScript(const RunRequest &request, const RunConclusion &conclude);

} // namespace jitscope::app
