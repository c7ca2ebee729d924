// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/stop_watcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string_view>
#include <tuple>

#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

// A sanitizer makes everything several times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kSlowness = 10;
#else
constexpr int kSlowness = 1;
#endif
// All within the second that is promised, with what a busy machine makes every step wait.
constexpr std::chrono::milliseconds kGrace{250 * kSlowness};
constexpr std::chrono::milliseconds kHurryAfter{500 * kSlowness};
constexpr std::chrono::milliseconds kEndAfter{900 * kSlowness};
/// Handlers of signals cannot wake anybody up, hence the looking.
constexpr std::chrono::milliseconds kPoll{20};
/// Signals that come so soon after the first are the same wish: a terminal and a parent process may both pass it on.
constexpr std::int64_t kSameWishNs = 100'000'000;

/// The signal that came first; 0: none, and below that the run is being stopped for another reason. What handlers share with the
/// watcher.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): signal handlers reach nothing else
std::atomic<int> receivedSignal{0};
std::atomic<std::int64_t> receivedAtNs{0};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

/// For handlers of signals, too.
std::int64_t monotonicNs() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

extern "C" void receive(int signal) {
  const int errorBefore = errno;
  const std::int64_t nowNs = monotonicNs();
  int none = 0;
  if (receivedSignal.compare_exchange_strong(none, signal)) {
    receivedAtNs = nowNs;
  } else if (none < 0 || nowNs - receivedAtNs > kSameWishNs) {
    // Whoever signals twice means it: let the signal do what it does by itself.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  errno = errorBefore;
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

/// To standard error, past all that other threads may hold locked, and only if somebody reads there.
void tell(std::string_view text) {
  pollfd errors{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&errors, 1, 0) == 1 && (errors.revents & POLLOUT) != 0) {
    std::ignore = ::write(STDERR_FILENO, text.data(), text.size());
  }
}

} // namespace

StopWatcher::StopWatcher(Options options)
    : m_options(options),
      // Bounded, since an absurd limit would overflow the clock's count.
      m_deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(std::min(options.timeoutSeconds, 1e9)))) {
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
  m_thread = std::jthread([this](const std::stop_token &token) { watch(token); });
}

StopWatcher::~StopWatcher() {
  m_thread.request_stop();
  m_thread.join();
  for (const auto &[signal, before] : m_before) {
    ::sigaction(signal, &before, nullptr);
  }
}

void StopWatcher::watch(const std::stop_token &token) {
  std::mutex mutex;
  std::condition_variable_any ended;
  std::unique_lock lock(mutex);
  while (!token.stop_requested()) {
    ended.wait_for(lock, token, kPoll, [] { return false; });
    look();
  }
}

void StopWatcher::look() {
  const Clock::time_point now = Clock::now();
  if (const int signal = receivedSignal; signal > 0) {
    request(fmt::format("interrupted by {}", nameOf(signal)));
  }
  if (m_options.timeoutSeconds > 0 && now >= m_deadline) {
    const std::lock_guard lock(m_mutex);
    if (m_reason.empty()) {
      m_isTimeout = true;
      m_reason = fmt::format("the time limit of {} s (--timeout) was overrun", m_options.timeoutSeconds);
      m_stoppedAt = m_deadline;
      m_stop.store(true, std::memory_order_relaxed);
    }
  }
  std::optional<base::Error> limit;
  {
    const std::lock_guard lock(m_guardMutex);
    if (m_guard && m_guard->onTick) {
      m_guard->onTick();
    }
    if (m_guard && m_guard->overrun && !m_isTakenOver) {
      limit = m_guard->overrun();
    }
  }
  if (limit) {
    takeOver(std::move(limit));
    return;
  }
  if (!m_stop) {
    return;
  }
  Clock::time_point stoppedAt;
  {
    const std::lock_guard lock(m_mutex);
    stoppedAt = m_stoppedAt;
  }
  if (!std::exchange(m_hasSeenStop, true)) {
    const std::lock_guard lock(m_guardMutex);
    if (m_guard && m_guard->onStop) {
      m_guard->onStop();
    }
  }
  m_hurry = m_hurry || now >= stoppedAt + kHurryAfter;
  if (m_options.endsProcess && now >= stoppedAt + kGrace) {
    takeOver({});
  }
  if (m_options.endsProcess && now >= stoppedAt + kEndAfter) {
    endProcess();
  }
}

void StopWatcher::request(std::string reason) {
  {
    const std::lock_guard lock(m_mutex);
    if (m_reason.empty()) {
      m_reason = std::move(reason);
      m_stoppedAt = Clock::now();
    }
    m_stop.store(true, std::memory_order_relaxed);
  }
  int none = 0;
  receivedSignal.compare_exchange_strong(none, -1);
}

std::string StopWatcher::reason() const {
  const std::lock_guard lock(m_mutex);
  if (!m_isTimeout) {
    return m_reason;
  }
  return fmt::format("{} by {:.2f} s", m_reason, std::chrono::duration<double>(Clock::now() - m_deadline).count());
}

void StopWatcher::guard(Guard guard) {
  const std::lock_guard lock(m_guardMutex);
  m_guard = std::move(guard);
}

void StopWatcher::comeBack() {
  std::unique_lock lock(m_guardMutex);
  if (m_isTakenOver) {
    m_never.wait(lock, [] { return false; });
  }
  m_guard.reset();
}

void StopWatcher::takeOver(std::optional<base::Error> limit) {
  {
    const std::lock_guard lock(m_guardMutex);
    if (!m_guard || m_isTakenOver) {
      return;
    }
    m_isTakenOver = true;
  }
  if (limit) {
    // The time that this may take counts from now; a signal that comes meanwhile changes nothing.
    const std::lock_guard lock(m_mutex);
    if (m_reason.empty()) {
      m_reason = limit->message;
      m_stoppedAt = Clock::now();
      m_stop.store(true, std::memory_order_relaxed);
    }
  }
  // A thread of its own, so that this one can still end the process. What it refers to stays: the run's thread never comes back.
  std::thread([this, limit = std::move(limit)]() mutable {
    const ExitStatus status = m_guard->takeOver(std::move(limit));
    ::_exit(static_cast<int>(status));
  }).detach();
}

void StopWatcher::endProcess() const {
  tell(m_isTold ? fmt::format("jitscope: ended while {}\n", m_doing.load())
                : fmt::format("jitscope: interrupted while {}\n  {}\n", m_doing.load(), reason()));
  ::_exit(static_cast<int>(ExitStatus::Failed));
}

} // namespace jitscope::app
