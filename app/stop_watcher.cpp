// SPDX-License-Identifier: GPL-3.0-or-later
#include "stop_watcher.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <csignal>

#include <fmt/format.h>

namespace jitscope::app {

namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

/// The signal that came first; 0: none, and below that the run is being stopped for another reason. What handlers share with the
/// watcher.
std::atomic<int> receivedSignal{
    0}; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): signal handlers reach nothing else
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void receive(int signal) {
  int none = 0;
  if (!receivedSignal.compare_exchange_strong(none, signal)) {
    // Whoever signals twice means it: let the signal do what it does by itself.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
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
  receivedSignal = 0;
  for (const int signal : kSignals) {
    struct sigaction before{};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) {
      continue;
    }
    struct sigaction action{};
    action.sa_handler = receive;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(signal, &action, nullptr);
    m_before.emplace_back(signal, before);
  }
  m_thread = std::jthread([this, options](const std::stop_token &token) { watch(token, options); });
}

StopWatcher::~StopWatcher() {
  m_thread.request_stop();
  m_thread.join();
  for (const auto &[signal, before] : m_before) {
    ::sigaction(signal, &before, nullptr);
  }
}

void StopWatcher::watch(const std::stop_token &token, Options options) {
  using Clock = std::chrono::steady_clock;
  const bool hasLimit = options.timeoutSeconds > 0;
  // Bounded, since an absurd limit would overflow the clock's count.
  const auto limit = std::chrono::duration<double>(std::min(options.timeoutSeconds, 1e9));
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  // Handlers of signals cannot wake anybody up, hence the looking.
  constexpr auto kPoll = std::chrono::milliseconds(20);
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  while (!token.stop_requested()) {
    ended.wait_for(lock, token, kPoll, [] { return false; });
    if (const int signal = receivedSignal; signal > 0) {
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
  int none = 0;
  receivedSignal.compare_exchange_strong(none, -1);
}

std::string StopWatcher::reason() const {
  const std::lock_guard lock(m_mutex);
  return m_reason;
}

} // namespace jitscope::app
