// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace jitscope::ui {

/// True once an answer is no longer wanted. Shared by whoever asks and whoever works.
using CancelFlag = std::shared_ptr<std::atomic<bool>>;

/// A thread that runs one job after the other. Belongs to the window's thread.
class QueryThread {
public:
  struct Job {
    CancelFlag cancelled;
    std::function<void(const CancelFlag &)> run;
  };

  QueryThread();
  /// Cancels what runs and forgets what waits.
  ~QueryThread();
  QueryThread(const QueryThread &) = delete;
  QueryThread &operator=(const QueryThread &) = delete;

  /// Queues a job; one whose flag is set before its turn does not run.
  void post(Job job);
  /// Sets the flag of every job, running or waiting.
  void cancelAll();

private:
  void work();

  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::deque<Job> m_jobs;
  CancelFlag m_running;
  bool m_stopping = false;
  std::thread m_thread;
};

} // namespace jitscope::ui
