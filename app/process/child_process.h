// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace jitscope::base {
class TemporaryFolder;
} // namespace jitscope::base

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

/// The running children of a run, for ending the process while other threads wait for them. Any thread.
class Children {
public:
  /// Kills every child and removes the folders they worked in.
  void endAll();

private:
  friend class RunningChild;
  struct Child {
    pid_t process = 0;
    std::filesystem::path folder;
  };
  std::mutex m_mutex;
  std::vector<Child> m_children;
};

struct ChildRequest {
  std::filesystem::path program = {};            ///< what is run; empty: this very command
  std::vector<std::string> arguments;            ///< after the program's name
  std::filesystem::path log;                     ///< where its standard error goes, behind what is there
  const std::atomic<bool> &stopRequested;        ///< passed on as SIGTERM
  bool logsOutput = false;                       ///< standard output goes to the log, too; otherwise nowhere
  int outputDescriptor = -1;                     ///< standard output goes there instead
  const base::TemporaryFolder *folder = nullptr; ///< where it works; it holds the folder's lock, too
  Children *siblings = nullptr;                  ///< where it is entered while it lives; null: nowhere
  int deathSignal = SIGKILL;                     ///< what it gets when this process ends before it, however that ends
  double patienceSeconds = 0;                    ///< a child that has not ended so long after a stop is killed; 0: it is waited for
  double limitSeconds = 0;                       ///< a child that runs longer is killed; 0: no limit
  std::function<void(std::string_view)> onLine = {}; ///< called with each line of its standard output, which then goes nowhere else
  std::function<void()> onTick = {};                 ///< called every few milliseconds while it runs
};

/// Runs this very command again with other arguments, or another program, and waits for it. The child ends with the calling thread
/// at the latest. It ignores Ctrl-C and hang-ups, which a terminal sends to all of its processes: they reach it by way of
/// `stopRequested`, as one SIGTERM. RuntimeProcess when it could not be started.
base::Result<ChildEnd> runChild(const ChildRequest &request);

} // namespace jitscope::app
