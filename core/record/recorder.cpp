// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/recorder.h"

#include "record/batch_writer.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <system_error>
#include <tuple>
#include <utility>
#include <variant>

namespace jitscope::record {

namespace {

std::size_t heapBytes(const std::string &text) { return text.capacity(); }

/// What an event takes in memory, near enough to bound the queue.
struct EventSize {
  std::size_t operator()(const event::FunctionEvent &event) const { return heapBytes(event.name) + heapBytes(event.symbol); }
  std::size_t operator()(const event::TemplateEvent &event) const { return heapBytes(event.signature); }
  std::size_t operator()(const event::SectionEvent &event) const { return heapBytes(event.name); }
  std::size_t operator()(const event::BenchCaseEvent &event) const { return heapBytes(event.name) + heapBytes(event.input); }
  std::size_t operator()(const event::BenchLegEvent & /*event*/) const { return 0; }
  std::size_t operator()(const event::CompileEvent &event) const {
    std::size_t bytes = heapBytes(event.pipeline) + heapBytes(event.difference) + heapBytes(event.target) +
                        event.work.capacity() * sizeof(event::FunctionWork) + event.passes.capacity() * sizeof(event::PassRun) +
                        event.remarks.capacity() * sizeof(event::Remark) + event.snapshots.capacity() * sizeof(event::IrSnapshot);
    for (const event::PassRun &pass : event.passes) {
      bytes += heapBytes(pass.name);
    }
    for (const event::Remark &remark : event.remarks) {
      bytes += heapBytes(remark.function) + heapBytes(remark.file) + heapBytes(remark.message) + heapBytes(remark.args);
    }
    for (const event::IrSnapshot &snapshot : event.snapshots) {
      bytes += heapBytes(snapshot.text);
    }
    return bytes;
  }
  std::size_t operator()(const event::RetrievalEvent &event) const { return heapBytes(event.difference); }
  std::size_t operator()(const event::EvictionEvent & /*event*/) const { return 0; }
  std::size_t operator()(const event::MemoryEvent & /*event*/) const { return 0; }
  std::size_t operator()(const event::ExpectationEvent &event) const {
    return heapBytes(event.name) + heapBytes(event.expected) + heapBytes(event.actual);
  }
  std::size_t operator()(const event::LogEvent &event) const { return heapBytes(event.message); }
  std::size_t operator()(const event::StudyEvent &event) const {
    return heapBytes(event.name) + heapBytes(event.triple) + heapBytes(event.cpu) + heapBytes(event.cpuFeatures) +
           heapBytes(event.options);
  }
  std::size_t operator()(const event::StudyResultEvent &event) const { return heapBytes(event.pipeline) + heapBytes(event.error); }
  std::size_t operator()(const event::StudyRunEvent &event) const { return heapBytes(event.pipeline); }
  std::size_t operator()(const event::StudyNoteEvent &event) const { return heapBytes(event.message); }
};

bool earlierId(const event::CallEvent &left, const event::CallEvent &right) { return left.id < right.id; }

/// A writer is asked not to throw; should it run out of memory all the same, that is a failed write like any other.
template <typename Action> base::Result<void> guarded(Action action) {
  try {
    return action();
  } catch (const std::exception &exception) {
    return base::fail(base::ErrorCode::Internal, std::string("recording failed: ") + exception.what());
  } catch (...) {
    return base::fail(base::ErrorCode::Internal, "recording failed for an unknown reason");
  }
}

} // namespace

base::Result<std::unique_ptr<Recorder>> Recorder::start(std::unique_ptr<BatchWriter> writer) {
  return start(std::move(writer), Options{});
}

base::Result<std::unique_ptr<Recorder>> Recorder::start(std::unique_ptr<BatchWriter> writer, Options options) {
  std::unique_ptr<Recorder> recorder(new Recorder(std::move(writer), std::move(options)));
  try {
    recorder->m_thread = std::thread(&Recorder::run, recorder.get());
  } catch (const std::system_error &error) {
    return base::fail(base::ErrorCode::Internal, std::string("cannot start the thread that records: ") + error.what());
  }
  return recorder;
}

Recorder::Recorder(std::unique_ptr<BatchWriter> writer, Options options)
    : m_writer(std::move(writer)), m_options(std::move(options)) {
  m_options.callsPerLane = std::max<std::size_t>(m_options.callsPerLane, 1);
  m_options.eventBytes = std::max<std::size_t>(m_options.eventBytes, 1);
  for (std::size_t i = 0; i < kLanes; ++i) {
    m_lanes[i].calls.reserve(m_options.callsPerLane);
    m_takenCalls[i].reserve(m_options.callsPerLane);
  }
}

Recorder::~Recorder() {
  if (m_thread.joinable()) {
    // The answer has nobody to go to any more; `onFailure` was told.
    std::ignore = finish({SessionStatus::Failed, "the run ended without finishing its session", 0});
  }
}

void Recorder::call(const event::CallEvent &event) noexcept {
  Lane &lane = m_lanes[event.thread % kLanes];
  std::size_t size = 0;
  {
    std::unique_lock lock(lane.mutex);
    if (lane.calls.size() >= m_options.callsPerLane && !lane.closed) [[unlikely]] {
      m_waits.fetch_add(1, std::memory_order_relaxed);
      ++lane.waiting;
      requestDrain();
      lane.room.wait(lock, [&] { return lane.calls.size() < m_options.callsPerLane || lane.closed; });
      --lane.waiting;
    }
    if (lane.closed) [[unlikely]] {
      m_discarded.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    lane.calls.push_back(event);
    size = lane.calls.size();
  }
  // Half full: the writer begins now, while there is room for what comes meanwhile.
  if (size == (m_options.callsPerLane + 1) / 2) [[unlikely]] {
    requestDrain();
  }
}

void Recorder::record(event::Event event) noexcept {
  const std::size_t bytes = sizeof(event::Event) + std::visit(EventSize{}, event);
  const std::size_t limit = m_options.eventBytes;
  EventLane &lane = m_eventLane;
  bool drainNow = false;
  {
    std::unique_lock lock(lane.mutex);
    // An event larger than the whole limit still goes through, alone.
    const auto hasRoom = [&] { return lane.closed || lane.events.empty() || lane.bytes + bytes <= limit; };
    if (!hasRoom()) {
      m_waits.fetch_add(1, std::memory_order_relaxed);
      ++lane.waiting;
      requestDrain();
      lane.room.wait(lock, hasRoom);
      --lane.waiting;
    }
    if (lane.closed) {
      m_discarded.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    const std::size_t before = lane.bytes;
    lane.events.push_back(std::move(event));
    lane.bytes += bytes;
    drainNow = before < limit / 2 && lane.bytes >= limit / 2;
  }
  if (drainNow) {
    requestDrain();
  }
}

void Recorder::requestDrain() noexcept {
  {
    const std::lock_guard lock(m_wakeMutex);
    m_drainRequested = true;
  }
  m_wake.notify_one();
}

void Recorder::run() {
  using Clock = std::chrono::steady_clock;
  bool closing = false;
  std::uint64_t flushes = 0;
  Clock::time_point next = Clock::now() + m_options.flushInterval;
  while (!closing) {
    {
      std::unique_lock lock(m_wakeMutex);
      m_wake.wait_until(lock, next, [this] { return m_drainRequested || m_closing; });
      m_drainRequested = false;
      closing = m_closing;
      flushes = m_flushesRequested;
    }
    next = Clock::now() + m_options.flushInterval;
    drain(closing);
    {
      const std::lock_guard lock(m_wakeMutex);
      // Nothing is written after the last drain: whoever comes later need not wait.
      m_flushesDone = closing ? std::numeric_limits<std::uint64_t>::max() : flushes;
    }
    m_flushed.notify_all();
  }
  endSession();
}

void Recorder::drain(bool closing) {
  takeCalls(closing);
  takeEvents(closing);
  const Batch batch = orderedBatch();
  const std::size_t count = batch.calls.size() + batch.events.size();
  if (count == 0) {
    return;
  }
  if (m_failed.load(std::memory_order_relaxed)) {
    m_discarded.fetch_add(count, std::memory_order_relaxed);
  } else if (const base::Result<void> written = guarded([&] { return m_writer->write(batch); }); !written) {
    fail(written.error(), count);
  }
  for (std::vector<event::CallEvent> &calls : m_takenCalls) {
    calls.clear();
  }
  m_takenEvents.clear();
}

void Recorder::takeCalls(bool closing) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    Lane &lane = m_lanes[i];
    bool someoneWaits = false;
    {
      const std::lock_guard lock(lane.mutex);
      lane.calls.swap(m_takenCalls[i]);
      lane.closed = lane.closed || closing;
      someoneWaits = lane.waiting > 0;
    }
    if (someoneWaits) {
      lane.room.notify_all();
    }
  }
}

void Recorder::takeEvents(bool closing) {
  bool someoneWaits = false;
  {
    const std::lock_guard lock(m_eventLane.mutex);
    m_eventLane.events.swap(m_takenEvents);
    m_eventLane.bytes = 0;
    m_eventLane.closed = m_eventLane.closed || closing;
    someoneWaits = m_eventLane.waiting > 0;
  }
  if (someoneWaits) {
    m_eventLane.room.notify_all();
  }
}

Batch Recorder::orderedBatch() {
  std::vector<event::CallEvent> *calls = m_takenCalls.data();
  std::size_t used = 0;
  for (std::vector<event::CallEvent> &taken : m_takenCalls) {
    if (!taken.empty()) {
      calls = &taken;
      ++used;
    }
  }
  if (used > 1) {
    m_mergedCalls.clear();
    for (const std::vector<event::CallEvent> &taken : m_takenCalls) {
      m_mergedCalls.insert(m_mergedCalls.end(), taken.begin(), taken.end());
    }
    calls = &m_mergedCalls;
  }
  if (!std::ranges::is_sorted(*calls, earlierId)) {
    std::ranges::sort(*calls, earlierId);
  }
  return {m_takenEvents, *calls};
}

void Recorder::fail(const base::Error &error, std::size_t lost) {
  m_discarded.fetch_add(lost, std::memory_order_relaxed);
  {
    const std::lock_guard lock(m_failureMutex);
    if (m_failure) {
      return;
    }
    m_failure = error;
  }
  m_failed.store(true, std::memory_order_relaxed);
  if (m_options.onFailure) {
    m_options.onFailure(error);
  }
}

void Recorder::endSession() {
  SessionEnd end;
  {
    const std::lock_guard lock(m_wakeMutex);
    end = m_end;
  }
  if (const std::optional<base::Error> failed = failure()) {
    // The session is not what the run was; it must not look whole.
    end.status = SessionStatus::Failed;
    end.error = failed->message;
  }
  if (const base::Result<void> finished = guarded([&] { return m_writer->finish(end); }); !finished) {
    fail(finished.error(), 0);
  }
}

base::Result<void> Recorder::flush() {
  {
    std::unique_lock lock(m_wakeMutex);
    const std::uint64_t request = ++m_flushesRequested;
    m_drainRequested = true;
    m_wake.notify_one();
    m_flushed.wait(lock, [this, request] { return m_flushesDone >= request; });
  }
  if (std::optional<base::Error> failed = failure()) {
    return std::unexpected(*std::move(failed));
  }
  return {};
}

base::Result<void> Recorder::finish(SessionEnd end) {
  const std::lock_guard finishing(m_finishMutex);
  if (!m_finished && m_thread.joinable()) {
    {
      const std::lock_guard lock(m_wakeMutex);
      m_end = std::move(end);
      m_closing = true;
    }
    m_wake.notify_one();
    m_thread.join();
    m_finished = true;
  }
  if (std::optional<base::Error> failed = failure()) {
    return std::unexpected(*std::move(failed));
  }
  return {};
}

std::optional<base::Error> Recorder::failure() const {
  const std::lock_guard lock(m_failureMutex);
  return m_failure;
}

} // namespace jitscope::record
