// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace jitscope::app {

/// Turns SIGINT, SIGTERM, SIGHUP and a time limit into a flag that a run looks at. The signals are blocked and waited for by a
/// thread of its own, so that no code runs in a signal handler. A second signal ends the process at once. Made before any other
/// thread, since threads inherit what is blocked; one at a time.
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
  std::jthread m_thread;
};

} // namespace jitscope::app
