// SPDX-License-Identifier: GPL-3.0-or-later
#include "stop_watcher.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>

#include <fmt/format.h>

namespace jitscope::app {

namespace {

sigset_t watchedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaddset(&signals, signal);
  }
  return signals;
}

std::string nameOf(int signal) {
  switch (signal) {
  case SIGINT:
    return "Ctrl-C (SIGINT)";
  case SIGTERM:
    return "SIGTERM";
  default:
    return "SIGHUP";
  }
}

} // namespace

StopWatcher::StopWatcher(Options options) {
  const sigset_t signals = watchedSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  m_thread = std::jthread([this, options](const std::stop_token &token) { watch(token, options); });
}

StopWatcher::~StopWatcher() {
  m_thread.request_stop();
  m_thread.join();
  const sigset_t signals = watchedSignals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

void StopWatcher::watch(const std::stop_token &token, Options options) {
  using Clock = std::chrono::steady_clock;
  const sigset_t signals = watchedSignals();
  const bool hasLimit = options.timeoutSeconds > 0;
  // Bounded, since an absurd limit would overflow the clock's count.
  const auto limit = std::chrono::duration<double>(std::min(options.timeoutSeconds, 1e9));
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  while (!token.stop_requested()) {
    constexpr timespec kPoll{0, 20'000'000};
    const int signal = sigtimedwait(&signals, nullptr, &kPoll);
    if (signal > 0 && m_stop.load(std::memory_order_relaxed)) {
      // Whoever signals twice means it: let the signal do what it does by itself.
      pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
      std::signal(signal, SIG_DFL);
      std::raise(signal);
    } else if (signal > 0) {
      request(fmt::format("interrupted by {}", nameOf(signal)));
    }
    if (hasLimit && Clock::now() >= deadline) {
      request(fmt::format("the time limit of {} s (--timeout) is over", options.timeoutSeconds));
    }
  }
}

void StopWatcher::request(std::string reason) {
  const std::lock_guard lock(m_mutex);
  if (m_reason.empty()) {
    m_reason = std::move(reason);
  }
  m_stop.store(true, std::memory_order_relaxed);
}

std::string StopWatcher::reason() const {
  const std::lock_guard lock(m_mutex);
  return m_reason;
}

} // namespace jitscope::app
