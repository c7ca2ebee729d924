// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/sink.h"
#include "record/session_end.h"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace jitscope::record {

class BatchWriter;
struct Batch;

/// A bounded queue and one thread that carries it to a `BatchWriter`. The caller of `call` and `record` pays for a lock and a copy;
/// when the writer is behind, the caller waits. Nothing is dropped unless writing failed.
///
/// Calls go to one of a few lanes, chosen by their thread number, so threads seldom contend for a lock. A lane is a pair of
/// buffers: one being filled, one being written. The writer takes the lanes first and the other events after them: what a call
/// refers to was recorded before it, so it is taken in the same poll or an earlier one.
class Recorder final : public event::Sink {
public:
  struct Options {
    /// The maximum time between two polls of the writer, unless a write takes longer. Events older than this plus one write survive
    /// a SIGKILL. The promise is 100 ms; the rest is reserve for a busy machine.
    std::chrono::milliseconds flushInterval{25};
    /// Calls that one lane holds. Small enough to stay in the cache of the CPU and to be written in a few milliseconds.
    std::size_t callsPerLane = 8192;
    /// Estimated bytes of events other than calls that may wait. Twice this plus the lanes (4.5 MiB) is the queue's memory.
    std::size_t eventBytes = std::size_t{8} * 1024 * 1024;
    /// Told once, on the writer thread, when writing failed. Must not call back into the recorder's `finish`.
    std::function<void(const base::Error &)> onFailure;
  };

  /// Starts the writer thread. Fails only when the system has no thread to give.
  static base::Result<std::unique_ptr<Recorder>> start(std::unique_ptr<BatchWriter> writer, Options options);
  /// The same with the default options.
  static base::Result<std::unique_ptr<Recorder>> start(std::unique_ptr<BatchWriter> writer);

  /// Without a call of `finish`, ends the session as failed, because the run did not complete.
  ~Recorder() override;
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// Takes one call. Any thread; calls with the same thread number keep their order.
  void call(const event::CallEvent &event) noexcept override;
  /// Takes any other event. Any thread.
  void record(event::Event event) noexcept override;

  /// Returns once everything that was recorded before has been written, so that a reader of the session sees it. Gives the failure
  /// when writing failed at any time. Any thread but the writer's.
  [[nodiscard]] base::Result<void> flush();
  /// Writes what is queued, ends the session and stops the thread. Events that arrive later are counted as discarded. Gives the
  /// failure when writing failed at any time; the session is then ended as failed, as far as that is still possible. A second
  /// call changes nothing and gives the same answer.
  [[nodiscard]] base::Result<void> finish(SessionEnd end);

  /// The first failure to write, if there was one. Any thread.
  [[nodiscard]] std::optional<base::Error> failure() const;
  /// Calls and events that could not be stored: those of the failed write and all after it. Any thread.
  [[nodiscard]] std::uint64_t discarded() const noexcept { return m_discarded.load(std::memory_order_relaxed); }
  /// How often a caller had to wait for room. Any thread.
  [[nodiscard]] std::uint64_t waits() const noexcept { return m_waits.load(std::memory_order_relaxed); }

private:
  static constexpr std::size_t kLanes = 4;

  /// Each on its own cache lines, so that threads in different lanes do not disturb each other.
  struct alignas(64) Lane {
    std::mutex mutex;
    std::condition_variable room;
    std::vector<event::CallEvent> calls;
    std::size_t waiting = 0;
    bool closed = false;
  };
  struct alignas(64) EventLane {
    std::mutex mutex;
    std::condition_variable room;
    std::vector<event::Event> events;
    std::size_t bytes = 0;
    std::size_t waiting = 0;
    bool closed = false;
  };

  Recorder(std::unique_ptr<BatchWriter> writer, Options options);

  void requestDrain() noexcept;
  void run();
  void drain(bool closing);
  void takeCalls(bool closing);
  void takeEvents(bool closing);
  Batch orderedBatch();
  void fail(const base::Error &error, std::size_t lost);
  void endSession();

  std::unique_ptr<BatchWriter> m_writer;
  Options m_options;

  std::array<Lane, kLanes> m_lanes;
  EventLane m_eventLane;

  // Between callers and the writer thread.
  std::mutex m_wakeMutex;
  std::condition_variable m_wake;
  bool m_drainRequested = false;
  bool m_closing = false;
  SessionEnd m_end;
  std::uint64_t m_flushesRequested = 0;
  std::uint64_t m_flushesDone = 0; ///< requests up to this one have been written
  std::condition_variable m_flushed;

  // The writer thread's own: the buffers it took.
  std::array<std::vector<event::CallEvent>, kLanes> m_takenCalls;
  std::vector<event::CallEvent> m_mergedCalls;
  std::vector<event::Event> m_takenEvents;

  mutable std::mutex m_failureMutex;
  std::optional<base::Error> m_failure;
  std::atomic<bool> m_failed = false;
  std::atomic<std::uint64_t> m_discarded = 0;
  std::atomic<std::uint64_t> m_waits = 0;

  std::mutex m_finishMutex;
  bool m_finished = false;
  std::thread m_thread;
};

} // namespace jitscope::record
