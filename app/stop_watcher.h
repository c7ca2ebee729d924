// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <csignal>

namespace jitscope::app {

/// Turns SIGINT, SIGTERM, SIGHUP and a time limit into a flag that a run looks at. A second signal ends the process at once.
/// Signals that were ignored when the command began, as nohup has it, stay so. One at a time: how signals are handled belongs to
/// the process. Handlers and not blocked signals: libraries start threads before `main` (OpenBLAS does), and one that does not
/// block a signal would get it.
class StopWatcher {
public:
  struct Options {
    double timeoutSeconds = 0; ///< 0: no limit
  };
  explicit StopWatcher(Options options);
  ~StopWatcher();
  StopWatcher(const StopWatcher &) = delete;
  StopWatcher &operator=(const StopWatcher &) = delete;

  /// Set once the run should stop.
  [[nodiscard]] const std::atomic<bool> &stopRequested() const { return m_stop; }
  /// Asks for a stop for another reason, e.g. a full disk. The first reason stays. Any thread.
  void request(std::string reason);
  /// Why the run was asked to stop; "" while it was not.
  [[nodiscard]] std::string reason() const;

private:
  void watch(const std::stop_token &token, Options options);

  std::atomic<bool> m_stop{false};
  mutable std::mutex m_mutex;
  std::string m_reason;
  std::vector<std::pair<int, struct sigaction>> m_before; ///< how signals were handled
  std::jthread m_thread;
};

} // namespace jitscope::app
