// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/batch_writer.h"
#include "record/recorder.h"
#include "support/result_checks.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace jitscope;
using namespace std::chrono_literals;
using record::Recorder;
using record::SessionEnd;
using record::SessionStatus;

namespace {

/// What a writer was given; outlives the recorder that owns the writer.
struct Written {
  std::mutex mutex;
  std::vector<event::CallEvent> calls;
  std::vector<event::Event> events;
  std::vector<std::size_t> batchSizes;
  std::vector<SessionEnd> ends;
  bool idsKnownBeforeUse = true;
  std::set<base::TemplateId> templates;
};

class CollectingWriter : public record::BatchWriter {
public:
  explicit CollectingWriter(Written &written) : m_written(written) {}
  base::Result<void> write(const record::Batch &batch) override {
    const std::lock_guard lock(m_written.mutex);
    for (const event::Event &event : batch.events) {
      if (const auto *announced = std::get_if<event::TemplateEvent>(&event)) {
        m_written.templates.insert(announced->id);
      }
    }
    for (const event::CallEvent &call : batch.calls) {
      m_written.idsKnownBeforeUse =
          m_written.idsKnownBeforeUse && (!call.templateId.isValid() || m_written.templates.contains(call.templateId));
    }
    m_written.calls.insert(m_written.calls.end(), batch.calls.begin(), batch.calls.end());
    m_written.events.insert(m_written.events.end(), batch.events.begin(), batch.events.end());
    m_written.batchSizes.push_back(batch.calls.size() + batch.events.size());
    return {};
  }
  base::Result<void> finish(const SessionEnd &end) override {
    const std::lock_guard lock(m_written.mutex);
    m_written.ends.push_back(end);
    return {};
  }

private:
  Written &m_written;
};

/// Blocks in `write` until told to go on.
class HeldWriter final : public CollectingWriter {
public:
  struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    bool open = false;
    void release() {
      {
        const std::lock_guard lock(mutex);
        open = true;
      }
      changed.notify_all();
    }
  };
  HeldWriter(Written &written, Gate &gate) : CollectingWriter(written), m_gate(gate) {}
  base::Result<void> write(const record::Batch &batch) override {
    {
      std::unique_lock lock(m_gate.mutex);
      m_gate.changed.wait(lock, [this] { return m_gate.open; });
    }
    return CollectingWriter::write(batch);
  }

private:
  Gate &m_gate;
};

class FailingWriter final : public CollectingWriter {
public:
  FailingWriter(Written &written, bool throws) : CollectingWriter(written), m_throws(throws) {}
  base::Result<void> write(const record::Batch & /*batch*/) override {
    if (m_throws) {
      throw std::runtime_error("out of paper");
    }
    return base::fail(base::ErrorCode::StorageWrite, "the disk is full");
  }

private:
  bool m_throws;
};

event::CallEvent callBy(std::uint32_t thread, std::uint64_t number, std::uint32_t templateId = 0) {
  event::CallEvent call;
  call.id = base::CallId((number << 8U) + thread + 1);
  call.thread = thread;
  call.templateId = base::TemplateId(templateId);
  call.startNs = number;
  return call;
}

event::LogEvent logOf(std::size_t size) { return {0, event::LogLevel::Info, std::string(size, 'x')}; }

} // namespace

class TestRecorder : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void flushingWritesWhatWasRecordedBefore() {
    Written written;
    auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written));
    JS_VERIFY_RESULT(recorder);
    for (std::uint64_t round = 1; round <= 20; ++round) {
      for (std::uint64_t i = 0; i < 7; ++i) {
        (*recorder)->call(callBy(0, i));
      }
      (*recorder)->record(event::LogEvent{round, event::LogLevel::Info, "note"});
      JS_VERIFY_RESULT((*recorder)->flush());
      QCOMPARE(written.calls.size(), static_cast<std::size_t>(7 * round));
      QCOMPARE(written.events.size(), static_cast<std::size_t>(round));
    }
    JS_VERIFY_RESULT((*recorder)->finish({SessionStatus::Finished, "", 7}));
    // Nothing is written any more, so there is nothing to wait for.
    JS_VERIFY_RESULT((*recorder)->flush());
  }

  void everythingArrivesOnceAndInOrder() {
    Written written;
    auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written));
    JS_VERIFY_RESULT(recorder);
    constexpr std::uint64_t kCalls = 100'000;
    for (std::uint64_t i = 0; i < kCalls; ++i) {
      (*recorder)->call(callBy(0, i));
      if (i % 1000 == 0) {
        (*recorder)->record(event::LogEvent{i, event::LogLevel::Info, "note"});
      }
    }
    JS_VERIFY_RESULT((*recorder)->finish({SessionStatus::Finished, "", 7}));
    QCOMPARE(written.calls.size(), std::size_t{kCalls});
    for (std::uint64_t i = 0; i < kCalls; ++i) {
      QCOMPARE(written.calls[i].startNs, i);
    }
    QCOMPARE(written.events.size(), std::size_t{100});
    for (std::size_t i = 0; i < written.events.size(); ++i) {
      QCOMPARE(std::get<event::LogEvent>(written.events[i]).atNs, std::uint64_t{i * 1000});
    }
    QCOMPARE(written.ends.size(), std::size_t{1});
    QVERIFY(written.ends[0].status == SessionStatus::Finished);
    QCOMPARE(written.ends[0].endNs, std::uint64_t{7});
    QCOMPARE((*recorder)->discarded(), std::uint64_t{0});
  }

  void severalThreadsLoseNothingAndKeepTheirOrder() {
    Written written;
    Recorder::Options options;
    options.callsPerLane = 64; // so that every thread meets a full lane again and again
    auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written), options);
    JS_VERIFY_RESULT(recorder);
    constexpr std::uint32_t kThreads = 7; // more than lanes
    constexpr std::uint64_t kCalls = 20'000;
    {
      std::vector<std::jthread> threads;
      for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
          for (std::uint64_t i = 0; i < kCalls; ++i) {
            // Each hundredth call uses a template that its thread announces right before.
            std::uint32_t announced = 0;
            if (i % 100 == 0) {
              announced = static_cast<std::uint32_t>(1 + thread * kCalls + i);
              (*recorder)->record(event::TemplateEvent{base::TemplateId(announced), base::FunctionId(1), "f32[]"});
            }
            (*recorder)->call(callBy(thread, i, announced));
          }
        });
      }
    }
    JS_VERIFY_RESULT((*recorder)->finish({}));
    QCOMPARE(written.calls.size(), std::size_t{kThreads * kCalls});
    QVERIFY(written.idsKnownBeforeUse);
    std::map<std::uint32_t, std::uint64_t> next;
    for (const event::CallEvent &call : written.calls) {
      QCOMPARE(call.startNs, next[call.thread]);
      ++next[call.thread];
    }
  }

  void batchesAreAscendingById() {
    Written written;
    Recorder::Options options;
    options.flushInterval = 10s; // one batch, from all lanes
    auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written), options);
    JS_VERIFY_RESULT(recorder);
    for (const std::uint32_t thread : {3U, 2U, 1U, 0U}) {
      (*recorder)->call(callBy(thread, 10 - thread));
      (*recorder)->call(callBy(thread, 20 - thread));
    }
    JS_VERIFY_RESULT((*recorder)->finish({}));
    QCOMPARE(written.batchSizes.size(), std::size_t{1});
    QVERIFY(std::ranges::is_sorted(written.calls, {}, &event::CallEvent::id));
  }

  void aQuietRunIsWrittenWithinTheInterval() {
    Written written;
    auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written));
    JS_VERIFY_RESULT(recorder);
    (*recorder)->call(callBy(0, 1));
    // The interval is 25 ms; the rest is room for a busy machine.
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
          const std::lock_guard lock(written.mutex);
          return written.calls.size() == 1;
        }(),
        2000);
    JS_VERIFY_RESULT((*recorder)->finish({}));
  }

  void aFullQueueMakesTheCallerWait_data() {
    QTest::addColumn<bool>("calls");
    QTest::newRow("calls") << true;
    QTest::newRow("other events") << false;
  }
  void aFullQueueMakesTheCallerWait() {
    QFETCH(bool, calls);
    Written written;
    HeldWriter::Gate gate;
    Recorder::Options options;
    options.callsPerLane = 16;
    options.eventBytes = 16 * (sizeof(event::Event) + 1000);
    auto recorder = Recorder::start(std::make_unique<HeldWriter>(written, gate), options);
    JS_VERIFY_RESULT(recorder);
    std::atomic<int> sent = 0;
    constexpr int kTotal = 100;
    std::jthread producer([&] {
      for (int i = 0; i < kTotal; ++i) {
        if (calls) {
          (*recorder)->call(callBy(0, static_cast<std::uint64_t>(i)));
        } else {
          (*recorder)->record(logOf(1000));
        }
        ++sent;
      }
    });
    QTRY_VERIFY_WITH_TIMEOUT((*recorder)->waits() > 0, test::kPatienceMs);
    std::this_thread::sleep_for(50ms);
    // One buffer at the writer, one in the queue.
    QVERIFY2(sent.load() <= 34, qPrintable(QString::number(sent.load())));
    gate.release();
    producer.join();
    JS_VERIFY_RESULT((*recorder)->finish({}));
    QCOMPARE(written.calls.size() + written.events.size(), std::size_t{kTotal});
    QCOMPARE((*recorder)->discarded(), std::uint64_t{0});
  }

  void anEventLargerThanTheQueueGoesThrough() {
    Written written;
    Recorder::Options options;
    options.eventBytes = 1000;
    auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written), options);
    JS_VERIFY_RESULT(recorder);
    for (int i = 0; i < 5; ++i) {
      (*recorder)->record(logOf(100'000));
    }
    JS_VERIFY_RESULT((*recorder)->finish({}));
    QCOMPARE(written.events.size(), std::size_t{5});
  }

  void aFailedWriteIsToldOnceAndBlocksNobody_data() {
    QTest::addColumn<bool>("throws");
    QTest::addColumn<QString>("message");
    QTest::newRow("an error") << false << "the disk is full";
    QTest::newRow("an exception") << true << "recording failed: out of paper";
  }
  void aFailedWriteIsToldOnceAndBlocksNobody() {
    QFETCH(bool, throws);
    QFETCH(QString, message);
    Written written;
    std::atomic<int> told = 0;
    std::atomic<bool> onOtherThread = false;
    Recorder::Options options;
    options.callsPerLane = 64;
    options.eventBytes = 4096;
    options.onFailure = [&, caller = std::this_thread::get_id()](const base::Error &error) {
      ++told;
      onOtherThread = std::this_thread::get_id() != caller && QString::fromStdString(error.message) == message;
    };
    auto recorder = Recorder::start(std::make_unique<FailingWriter>(written, throws), options);
    JS_VERIFY_RESULT(recorder);
    QVERIFY(!(*recorder)->failure());
    constexpr std::uint64_t kCalls = 10'000;
    for (std::uint64_t i = 0; i < kCalls; ++i) {
      (*recorder)->call(callBy(0, i));
      (*recorder)->record(logOf(100));
    }
    QTRY_VERIFY_WITH_TIMEOUT((*recorder)->failure().has_value(), test::kPatienceMs);
    const base::Result<void> finished = (*recorder)->finish({SessionStatus::Finished, "", 1});
    QVERIFY(!finished);
    QCOMPARE(QString::fromStdString(finished.error().message), message);
    QCOMPARE(told.load(), 1);
    QVERIFY(onOtherThread);
    QCOMPARE((*recorder)->discarded(), 2 * kCalls);
    // What is there must not look whole.
    QCOMPARE(written.ends.size(), std::size_t{1});
    QVERIFY(written.ends[0].status == SessionStatus::Failed);
    QCOMPARE(QString::fromStdString(written.ends[0].error), message);
  }

  void withoutFinishTheSessionEndsAsFailed() {
    Written written;
    {
      auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written));
      JS_VERIFY_RESULT(recorder);
      (*recorder)->call(callBy(0, 1));
    }
    QCOMPARE(written.calls.size(), std::size_t{1});
    QCOMPARE(written.ends.size(), std::size_t{1});
    QVERIFY(written.ends[0].status == SessionStatus::Failed);
    QVERIFY(!written.ends[0].error.empty());
  }

  void finishTwiceIsFinishOnce() {
    Written written;
    auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written));
    JS_VERIFY_RESULT(recorder);
    JS_VERIFY_RESULT((*recorder)->finish({}));
    JS_VERIFY_RESULT((*recorder)->finish({SessionStatus::Failed, "again", 0}));
    QCOMPARE(written.ends.size(), std::size_t{1});
    QVERIFY(written.ends[0].status == SessionStatus::Finished);
  }

  void whatComesAfterFinishIsCountedAndBlocksNobody() {
    Written written;
    auto recorder = Recorder::start(std::make_unique<CollectingWriter>(written));
    JS_VERIFY_RESULT(recorder);
    JS_VERIFY_RESULT((*recorder)->finish({}));
    constexpr std::uint64_t kLate = 20'000; // more than a lane holds
    for (std::uint64_t i = 0; i < kLate; ++i) {
      (*recorder)->call(callBy(0, i));
    }
    (*recorder)->record(logOf(10));
    QCOMPARE((*recorder)->discarded(), kLate + 1);
    QVERIFY(written.calls.empty());
  }
};

QTEST_GUILESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
