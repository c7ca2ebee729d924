// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"

#include "base/error.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <csignal>

namespace jitscope::app {

/// Turns SIGINT, SIGTERM, SIGHUP and a time limit into a flag that a run looks at, and ends the process where the run does not come
/// back: a pass of LLVM, generated code and Lua's own library look at nothing.
///
/// In time from the stop: at once the flag; after `grace` another thread ends the run in the place of the one that does not come
/// back; at `hurryAfter` whatever can be left out is; at `endAfter` the process ends, whatever it is doing.
///
/// Signals that were ignored when the command began, as nohup has it, stay so. One at a time: how signals are handled belongs to
/// the process. Handlers and not blocked signals: libraries start threads before `main` (OpenBLAS does), and one that does not
/// block a signal would get it.
class StopWatcher {
public:
  using Clock = std::chrono::steady_clock;
  struct Options {
    double timeoutSeconds = 0; ///< 0: no limit
    bool endsProcess = true;   ///< false: the flag is all there is; for commands that only wait for others
  };
  explicit StopWatcher(Options options);
  ~StopWatcher();
  StopWatcher(const StopWatcher &) = delete;
  StopWatcher &operator=(const StopWatcher &) = delete;

  /// Set once the run should stop.
  [[nodiscard]] const std::atomic<bool> &stopRequested() const { return m_stop; }
  /// Set once so little time is left after a stop that what can be left out should be.
  [[nodiscard]] const std::atomic<bool> &hurry() const { return m_hurry; }
  /// Asks for a stop for another reason, e.g. a full disk. The first reason stays. Any thread.
  void request(std::string reason);
  /// Why the run was asked to stop, and by how much it is beyond its limit by now; "" while it was not asked.
  [[nodiscard]] std::string reason() const;

  /// What belongs to a run while its own thread is away in it. All are called on other threads.
  struct Guard {
    /// The stop was asked for just now.
    std::function<void()> onStop = {};
    /// Every few milliseconds.
    std::function<void()> onTick = {};
    /// A limit that the run is beyond and cannot be ended by itself; empty: none.
    std::function<std::optional<base::Error>()> overrun = {};
    /// Ends the run in the place of its thread, e.g. finishes its session, and gives the status that the process then ends with.
    /// `limit`: what `overrun` gave; empty after a stop.
    std::function<ExitStatus(std::optional<base::Error> limit)> takeOver;
  };
  /// From here on the run may be taken over.
  void guard(Guard guard);
  /// The run's thread is back: it is not taken over from here on. Does not return when it has been; the process is about to end.
  void comeBack();

  /// What is done outside the run, for the message of a process that is ended meanwhile, e.g. "the session was written". A
  /// constant.
  void nowDoing(const char *what) { m_doing.store(what, std::memory_order_relaxed); }
  /// The user has been told why the run was stopped; nothing later repeats it.
  void wasTold() { m_isTold.store(true, std::memory_order_relaxed); }

private:
  void watch(const std::stop_token &token);
  void look();
  void takeOver(std::optional<base::Error> limit);
  [[noreturn]] void endProcess() const;

  Options m_options;
  Clock::time_point m_deadline; ///< of the time limit
  std::atomic<bool> m_stop{false};
  std::atomic<bool> m_hurry{false};
  std::atomic<bool> m_isTold{false};
  std::atomic<const char *> m_doing{"the run was prepared"};

  mutable std::mutex m_mutex; ///< guards the next three
  std::string m_reason;
  bool m_isTimeout = false;
  Clock::time_point m_stoppedAt;

  std::mutex m_guardMutex; ///< guards the next three
  std::condition_variable m_never;
  std::optional<Guard> m_guard;
  bool m_isTakenOver = false;

  bool m_hasSeenStop = false;                             ///< the watcher's own
  std::vector<std::pair<int, struct sigaction>> m_before; ///< how signals were handled
  std::jthread m_thread;
};

} // namespace jitscope::app
