// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/engine_fixture.h"
#include "support/outcome_texts.h"
#include "support/result_checks.h"

using namespace jitscope;
using event::Outcome;
using graph::DType;
using script::Argument;
using test::EngineFixture;
using test::outcomesOf;
using test::spelled;

/// What the cache and the tensors hold, and what becomes of it.
class EngineCacheTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void evictedCodeIsTracedAndCompiledAgain();
  void clearedCodeSaysSo();
  void containsCompilesNothing();
  void compilingAheadMakesTheCallAHit();
  void withTheCacheOffEveryCallCompiles();
  void resultsAreFreedWithTheirLastHolder();
  void tensorsBeyondTheBoundAreRefused();
  void memoryIsRecordedWhenItChanges();
  void whatACompileAddsToTheCacheIsRecordedAtOnce();
};

void EngineCacheTest::evictedCodeIsTracedAndCompiledAgain() {
  EngineFixture fixture({"capacity_entries=1"});
  std::atomic<int> traces{0};
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne, &traces);
  const Argument small = fixture.tensor<float>(DType::F32, {8});
  const Argument large = fixture.tensor<float>(DType::F32, {16});
  for (const Argument *input : {&small, &large, &small}) {
    JS_VERIFY_RESULT(fixture.engine->call(function, std::array{*input, *input}));
  }
  QCOMPARE(outcomesOf(fixture.sink), (std::vector{Outcome::Miss, Outcome::Miss, Outcome::Miss}));
  QCOMPARE(spelled(fixture.sink.all<event::CompileEvent>().at(2).reason), QStringLiteral("evicted"));
  QCOMPARE(traces.load(), 3);
  const auto evictions = fixture.sink.all<event::EvictionEvent>();
  QCOMPARE(evictions.size(), std::size_t{2});
  QCOMPARE(evictions[0].reason, event::EvictionReason::Entries);
  QVERIFY(evictions[0].codeBytes > 0);
  QCOMPARE(fixture.engine->counters().evictions, std::uint64_t{2});
}

void EngineCacheTest::clearedCodeSaysSo() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  fixture.engine->clearCache();
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  QCOMPARE(spelled(fixture.sink.all<event::CompileEvent>().at(1).reason), QStringLiteral("cleared"));
  QCOMPARE(fixture.sink.all<event::EvictionEvent>().at(0).reason, event::EvictionReason::Clear);
}

void EngineCacheTest::containsCompilesNothing() {
  EngineFixture fixture;
  std::atomic<int> traces{0};
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne, &traces);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  QVERIFY(!fixture.engine->contains(function, std::array{input, input}));
  QCOMPARE(traces.load(), 0);
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  QVERIFY(fixture.engine->contains(function, std::array{input, input}));
}

void EngineCacheTest::compilingAheadMakesTheCallAHit() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  const auto ahead = fixture.engine->compile(function, std::array{input, input});
  JS_VERIFY_RESULT(ahead);
  QCOMPARE(spelled(ahead->outcome), QStringLiteral("miss"));
  QVERIFY(fixture.sink.calls().empty());
  QVERIFY(!fixture.sink.all<event::CompileEvent>().at(0).callId.isValid());
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  QCOMPARE(outcomesOf(fixture.sink), std::vector{Outcome::Hit});
}

void EngineCacheTest::withTheCacheOffEveryCallCompiles() {
  EngineFixture fixture({"capacity_entries=0"});
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  for (int i = 0; i < 3; ++i) {
    JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  }
  QCOMPARE(outcomesOf(fixture.sink), (std::vector{Outcome::Bypass, Outcome::Bypass, Outcome::Bypass}));
  QCOMPARE(fixture.sink.all<event::CompileEvent>().size(), std::size_t{3});
  QCOMPARE(fixture.engine->counters().cacheEntries, std::uint64_t{0});
}

void EngineCacheTest::resultsAreFreedWithTheirLastHolder() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {1000});
  const std::uint64_t before = fixture.engine->counters().tensorLiveBytes;
  QCOMPARE(before, std::uint64_t{4000});
  {
    const auto result = fixture.engine->call(function, std::array{input, input});
    QCOMPARE(fixture.engine->counters().tensorLiveBytes, before + 4000);
  }
  QCOMPARE(fixture.engine->counters().tensorLiveBytes, before);
  QCOMPARE(fixture.engine->counters().tensorPeakBytes, before + 4000);
}

void EngineCacheTest::tensorsBeyondTheBoundAreRefused() {
  EngineFixture fixture({"tensor_mib=1"});
  JS_VERIFY_RESULT(fixture.engine->tensors().allocate(DType::F32, {1000, 100}));
  JS_COMPARE_ERROR(fixture.engine->tensors().allocate(DType::F32, {1000, 1000}), base::ErrorCode::RuntimeMemory);
  // The refused one took nothing.
  JS_VERIFY_RESULT(fixture.engine->tensors().allocate(DType::F32, {1000, 200}));
}

void EngineCacheTest::memoryIsRecordedWhenItChanges() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {1000});
  fixture.engine->beginSection("one");
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  fixture.engine->beginSection("two");
  const auto memory = fixture.sink.all<event::MemoryEvent>();
  QVERIFY(memory.size() >= 2);
  QCOMPARE(memory.back().tensorLiveBytes, std::uint64_t{4000});
  QCOMPARE(memory.back().tensorPeakBytes, std::uint64_t{8000});
  QCOMPARE(memory.back().cacheEntries, std::uint64_t{1});
  QCOMPARE(memory.back().cacheCodeBytes, fixture.sink.all<event::CompileEvent>().at(0).codeBytes);
  const std::size_t count = memory.size();
  fixture.engine->beginSection("nothing happened");
  QCOMPARE(fixture.sink.all<event::MemoryEvent>().size(), count);
}

void EngineCacheTest::whatACompileAddsToTheCacheIsRecordedAtOnce() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  for (const std::int64_t elements : {8, 16, 24}) {
    const Argument input = fixture.tensor<float>(DType::F32, {elements});
    JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
    const auto memory = fixture.sink.all<event::MemoryEvent>();
    QVERIFY(!memory.empty());
    QCOMPARE(memory.back().cacheEntries, static_cast<std::uint64_t>(elements / 8));
  }
}

QTEST_GUILESS_MAIN(EngineCacheTest)
#include "tst_engine_cache.moc"
