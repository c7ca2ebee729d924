// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "record/recorder.h"
#include "session/session_info.h"

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
  bool summarizes = true;  ///< the statistics of the cases are stored in the session, too
};

/// Every option with its value, as a session keeps them.
std::string optionsAsJson(const runtime::EngineOptions &options);

/// Creates the session file and starts recording into it; when that fails later, `stop` is asked for. The errors say what to do.
base::Result<std::unique_ptr<record::Recorder>> startRecording(const std::filesystem::path &path, const session::SessionInfo &info,
                                                               const RecordingOptions &options, StopWatcher &stop);

} // namespace jitscope::app
