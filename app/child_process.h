// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::app {

/// How a child ended.
struct ChildEnd {
  int waitStatus = 0;     ///< as waitpid gives it
  bool wasKilled = false; ///< it was still there at the end of its time
  std::string messages;   ///< the last of what went to its log

  [[nodiscard]] bool isGood() const { return waitStatus == 0; }
  /// E.g. "ended with status 2" or "was ended by signal 11 (Segmentation fault)".
  [[nodiscard]] std::string description() const;
};

struct ChildRequest {
  std::filesystem::path program = {};     ///< what is run; empty: this very command
  std::vector<std::string> arguments;     ///< after the program's name
  std::filesystem::path log;              ///< where its standard error goes, behind what is there
  const std::atomic<bool> &stopRequested; ///< passed on as SIGTERM
  bool logsOutput = false;                ///< standard output goes to the log, too; otherwise nowhere
  int outputDescriptor = -1;              ///< standard output goes there instead
  int inheritedDescriptor = -1;           ///< stays open in the child, e.g. the lock of a folder
  double patienceSeconds = 0;             ///< a child that has not ended so long after a stop is killed; 0: it is waited for
  double limitSeconds = 0;                ///< a child that runs longer is killed; 0: no limit
  std::function<void(std::string_view)> onLine = {}; ///< hears each line of its standard output, which then goes nowhere else
};

/// Runs this very command again with other arguments, or another program, and waits for it. RuntimeProcess when it could not be
/// started.
base::Result<ChildEnd> runChild(const ChildRequest &request);

} // namespace jitscope::app
