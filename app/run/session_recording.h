// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "record/recorder.h"
#include "session/file/session_info.h"

#include <filesystem>
#include <memory>
#include <string>

namespace jitscope::runtime {
struct EngineOptions;
} // namespace jitscope::runtime

namespace jitscope::app {

class StopWatcher;

struct RecordingOptions {
  bool overwrites = false; ///< replace a session that is there; other files are never replaced
  bool isDurable = true;   ///< a finished session outlives a power failure
  bool summarizes = true;  ///< statistics of the cases and indexes are stored in the session, too, for those who read it
  std::string stoppedWhile = "the session was written"; ///< what a run that is stopped after its end says it was at
};

/// The error of a run that was stopped while `doing` went on, e.g. "the session was written".
base::Error interruptedWhile(const std::string &doing, const StopWatcher &stop);

/// Every option with its value, as a session keeps them.
std::string optionsAsJson(const runtime::EngineOptions &options);

/// Creates the session file and starts recording into it; when that fails later, `stop` is asked for. A session that is finished as
/// such after `stop` was asked for ends as interrupted. The errors say what to do.
base::Result<std::unique_ptr<record::Recorder>> startRecording(const std::filesystem::path &path, const session::SessionInfo &info,
                                                               const RecordingOptions &options, StopWatcher &stop);

} // namespace jitscope::app
