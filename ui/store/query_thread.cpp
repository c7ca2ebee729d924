// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/query_thread.h"

#include <utility>

namespace jitscope::ui {

QueryThread::QueryThread() : m_thread([this] { work(); }) {}

QueryThread::~QueryThread() {
  cancelAll();
  {
    const std::lock_guard lock(m_mutex);
    m_stopping = true;
  }
  m_wake.notify_one();
  m_thread.join();
}

void QueryThread::post(Job job) {
  {
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back(std::move(job));
  }
  m_wake.notify_one();
}

void QueryThread::cancelAll() {
  const std::lock_guard lock(m_mutex);
  for (const Job &job : m_jobs) {
    job.cancelled->store(true);
  }
  if (m_running) {
    m_running->store(true);
  }
}

void QueryThread::work() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(m_mutex);
      m_running.reset();
      m_wake.wait(lock, [this] { return m_stopping || !m_jobs.empty(); });
      if (m_stopping) {
        return;
      }
      job = std::move(m_jobs.front());
      m_jobs.pop_front();
      m_running = job.cancelled;
    }
    if (!job.cancelled->load()) {
      job.run(job.cancelled);
    }
  }
}

} // namespace jitscope::ui
