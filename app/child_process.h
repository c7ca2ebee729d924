// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::base {
class TemporaryFolder;
} // namespace jitscope::base

namespace jitscope::app {

/// How a child ended.
struct ChildEnd {
  int waitStatus = 0;   ///< as waitpid gives it
  std::string messages; ///< the last of what it said on standard error

  [[nodiscard]] bool isGood() const { return waitStatus == 0; }
  /// E.g. "ended with status 2" or "was ended by signal 11 (Segmentation fault)".
  [[nodiscard]] std::string description() const;
};

struct ChildRequest {
  std::vector<std::string> arguments;     ///< after the command's name
  const base::TemporaryFolder &folder;    ///< stays locked as long as the child lives
  const std::atomic<bool> &stopRequested; ///< passed on as SIGTERM
  double patienceSeconds = 0;             ///< a child that has not ended so long after that is killed; 0: it is waited for
  std::function<void(std::string_view)> onLine = {}; ///< hears each line of its standard output; empty: nobody reads it
};

/// Runs this very command again with other arguments and waits for it. RuntimeProcess when it could not be started.
base::Result<ChildEnd> runSelf(const ChildRequest &request);

} // namespace jitscope::app
