// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/engine_fixture.h"
#include "support/result_checks.h"

#include <thread>

using namespace jitscope;
using event::Outcome;
using graph::DType;
using script::Argument;
using test::EngineFixture;

/// Several threads in one engine.
class EngineThreadsTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void manyThreadsCompileOneColdKeyOnce();
  void waitersOfAFailedCompileTryThemselves();
  void evictionWhileOthersRunIsSafe();
};

void EngineThreadsTest::manyThreadsCompileOneColdKeyOnce() {
  constexpr int kThreads = 8;
  EngineFixture fixture;
  std::atomic<int> traces{0};
  std::atomic<int> arrived{0};
  // The trace holds until every thread has started its call, and a little longer, so that they all find the key in flight.
  const base::FunctionId function = fixture.define(
      "f",
      [&](const graph::Template &tmpl) {
        while (arrived.load() < kThreads) {
          std::this_thread::yield();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        return test::multiplyAddOne(tmpl);
      },
      &traces);
  const Argument input = fixture.tensor<float>(DType::F32, {64});
  std::atomic<int> right{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        ++arrived;
        const auto result = fixture.engine->call(function, std::array{input, input});
        right += result && result->results[0].elements<float>()[63] == 64.F * 64.F + 1 ? 1 : 0;
      });
    }
  }
  QCOMPARE(right.load(), kThreads);
  QCOMPARE(traces.load(), 1);
  QCOMPARE(fixture.sink.all<event::CompileEvent>().size(), std::size_t{1});
  QCOMPARE(fixture.engine->counters().misses, std::uint64_t{1});
  QCOMPARE(fixture.engine->counters().waits, std::uint64_t{kThreads - 1});
  for (const event::CallEvent &call : fixture.sink.calls()) {
    QCOMPARE(call.waitNs > 0, call.outcome == Outcome::Wait);
  }
}

void EngineThreadsTest::waitersOfAFailedCompileTryThemselves() {
  constexpr int kThreads = 4;
  EngineFixture fixture;
  std::atomic<int> traces{0};
  std::atomic<int> arrived{0};
  const base::FunctionId function =
      fixture.define("f", [&](const graph::Template &tmpl) -> base::Result<std::shared_ptr<const graph::Graph>> {
        while (arrived.load() < kThreads) {
          std::this_thread::yield();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return ++traces == 1 ? base::fail(base::ErrorCode::CompileLower, "the first one fails") : test::multiplyAddOne(tmpl);
      });
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  std::atomic<int> failed{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        ++arrived;
        failed += fixture.engine->call(function, std::array{input, input}) ? 0 : 1;
      });
    }
  }
  QCOMPARE(failed.load(), 1);
  QCOMPARE(traces.load(), 2);
  QCOMPARE(fixture.sink.all<event::CompileEvent>().size(), std::size_t{1});
}

void EngineThreadsTest::evictionWhileOthersRunIsSafe() {
  EngineFixture fixture({"capacity_entries=2"});
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  std::vector<Argument> inputs;
  for (std::int64_t size = 1; size <= 4; ++size) {
    inputs.emplace_back(fixture.tensor<float>(DType::F32, {size * 100}));
  }
  std::atomic<int> wrong{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 3; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < 12; ++i) {
          const Argument &input = inputs[static_cast<std::size_t>(i * (thread + 1) + thread) % inputs.size()];
          const auto result = fixture.engine->call(function, std::array{input, input});
          wrong += result && result->results[0].elements<float>()[99] == 10001.F ? 0 : 1;
        }
      });
    }
  }
  QCOMPARE(wrong.load(), 0);
  QVERIFY(fixture.engine->counters().evictions > 0);
  QVERIFY(fixture.engine->counters().cacheEntries <= 2);
}

QTEST_GUILESS_MAIN(EngineThreadsTest)
#include "tst_engine_threads.moc"
