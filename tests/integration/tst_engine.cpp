// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/engine_fixture.h"
#include "support/result_checks.h"

#include <thread>

using namespace jitscope;
using event::MissReason;
using event::Outcome;
using graph::DType;
using graph::Shape;
using script::Argument;
using test::EngineFixture;

namespace {

QString spelled(Outcome outcome) { return QString::fromUtf8(event::nameOf(outcome).data()); }
QString spelled(MissReason reason) { return QString::fromUtf8(event::nameOf(reason).data()); }

std::vector<Outcome> outcomesOf(const test::RecordingSink &sink) {
  std::vector<Outcome> outcomes;
  for (const event::CallEvent &call : sink.calls()) {
    outcomes.push_back(call.outcome);
  }
  return outcomes;
}

} // namespace

class EngineTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void missThenHitThenNewShape();
  void resultsAreRight();
  void theTotalIsWhatTheClockSaw();
  void anEqualGraphOfAnotherFunctionIsARetrace();
  void aRankTemplateServesEverySize();
  void aRankTemplateRefusesSizesThatDoNotFit();
  void otherOptionsMissAndSayWhich();
  void unknownOptionsLeaveTheOldOnes();
  void evictedCodeIsTracedAndCompiledAgain();
  void clearedCodeSaysSo();
  void containsCompilesNothing();
  void compilingAheadMakesTheCallAHit();
  void withTheCacheOffEveryCallCompiles();
  void manyThreadsCompileOneColdKeyOnce();
  void aFailedTraceLeavesNothingBehind();
  void waitersOfAFailedCompileTryThemselves();
  void evictionWhileOthersRunIsSafe();
  void resultsAreFreedWithTheirLastHolder();
  void tensorsBeyondTheBoundAreRefused();
  void capturedTensorsAreBoundAtTheCall();
  void memoryIsRecordedWhenItChanges();
  void aWarmLegWarmsUpFirst();
  void aCpuThatThisMachineIsNotIsRefused();
  void deterministicObjects();
};

void EngineTest::missThenHitThenNewShape() {
  EngineFixture fixture;
  QVERIFY2(fixture.engine, fixture.error.c_str());
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument small = fixture.tensor<float>(DType::F32, {64, 64});
  const Argument large = fixture.tensor<float>(DType::F32, {256, 256});
  for (const Argument *input : {&small, &small, &large, &large, &small}) {
    JS_VERIFY_RESULT(fixture.engine->call(function, std::array{*input, *input}));
  }
  QCOMPARE(outcomesOf(fixture.sink), (std::vector{Outcome::Miss, Outcome::Hit, Outcome::Miss, Outcome::Hit, Outcome::Hit}));
  const auto compiles = fixture.sink.all<event::CompileEvent>();
  QCOMPARE(compiles.size(), std::size_t{2});
  QCOMPARE(spelled(compiles[0].reason), QStringLiteral("new-function"));
  QCOMPARE(spelled(compiles[1].reason), QStringLiteral("new-shape"));
  QVERIFY(QString::fromStdString(compiles[1].difference).startsWith("arg 0 dim 0: 64 -> 256"));
  QCOMPARE(compiles[1].nearestTemplateId, compiles[0].templateId);
  QVERIFY(compiles[0].codeBytes > 0);
  const auto templates = fixture.sink.all<event::TemplateEvent>();
  QCOMPARE(QString::fromStdString(templates.at(0).signature), QStringLiteral("f32[64,64], f32[64,64]"));
}

void EngineTest::resultsAreRight() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const graph::Tensor input = fixture.tensor<double>(DType::F64, {1001});
  const auto result = fixture.engine->call(function, std::array<Argument, 2>{input, input});
  JS_VERIFY_RESULT(result);
  const auto values = result->results.at(0).elements<double>();
  QCOMPARE(values.size(), std::size_t{1001});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<double>(i + 1);
    QCOMPARE(values[i], number * number + 1);
  }
  QCOMPARE(reinterpret_cast<std::uintptr_t>(values.data()) % graph::kBufferAlignment, std::uintptr_t{0});
}

void EngineTest::theTotalIsWhatTheClockSaw() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  std::uint64_t previousEndNs = 0;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t beforeNs = fixture.clock->nowNs();
    const auto result = fixture.engine->call(function, std::array{input, input});
    const std::uint64_t afterNs = fixture.clock->nowNs();
    JS_VERIFY_RESULT(result);
    const event::CallEvent &call = result->event;
    QVERIFY(call.startNs >= beforeNs && call.startNs >= previousEndNs);
    QVERIFY(call.startNs + call.totalNs() <= afterNs);
    QCOMPARE(call.compileNs > 0, i == 0);
    previousEndNs = call.startNs + call.totalNs();
  }
  const event::CompileEvent compile = fixture.sink.all<event::CompileEvent>().at(0);
  const std::uint64_t phasesNs = compile.traceNs + compile.lowerNs + compile.optimizeNs + compile.codegenNs + compile.linkNs;
  QVERIFY(phasesNs <= compile.totalNs);
  QCOMPARE(compile.totalNs, fixture.sink.calls().at(0).compileNs);
}

void EngineTest::anEqualGraphOfAnotherFunctionIsARetrace() {
  EngineFixture fixture;
  std::atomic<int> traces{0};
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  for (int i = 0; i < 3; ++i) {
    const base::FunctionId function = fixture.define("same", test::multiplyAddOne, &traces);
    JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  }
  QCOMPARE(outcomesOf(fixture.sink), (std::vector{Outcome::Miss, Outcome::Retrace, Outcome::Retrace}));
  QCOMPARE(traces.load(), 3);
  QCOMPARE(fixture.sink.all<event::CompileEvent>().size(), std::size_t{1});
  const auto retrievals = fixture.sink.all<event::RetrievalEvent>();
  QCOMPARE(retrievals.size(), std::size_t{2});
  QCOMPARE(spelled(retrievals[0].outcome), QStringLiteral("retrace"));
  QCOMPARE(spelled(retrievals[0].reason), QStringLiteral("new-function"));
  // Code that is shared counts once.
  QCOMPARE(fixture.engine->counters().cacheEntries, std::uint64_t{3});
  QCOMPARE(fixture.engine->counters().cacheCodeBytes, fixture.sink.all<event::CompileEvent>()[0].codeBytes);
}

void EngineTest::aRankTemplateServesEverySize() {
  EngineFixture fixture({"template=rank"});
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  for (const std::int64_t size : {5, 7, 1000, 1, 0}) {
    const graph::Tensor left = fixture.tensor<float>(DType::F32, {size, 3});
    const graph::Tensor right = fixture.tensor<float>(DType::F32, {3});
    const Argument row = graph::Tensor{DType::F32, Shape{1, 3}, false, right.buffer};
    const auto result = fixture.engine->call(function, std::array<Argument, 2>{left, row});
    JS_VERIFY_RESULT(result);
    QVERIFY(result->results[0].shape == (Shape{size, 3}));
    const auto values = result->results[0].elements<float>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      QCOMPARE(values[i], static_cast<float>(i + 1) * static_cast<float>(i % 3 + 1) + 1);
    }
  }
  QCOMPARE(outcomesOf(fixture.sink), (std::vector{Outcome::Miss, Outcome::Hit, Outcome::Hit, Outcome::Hit, Outcome::Hit}));
  QCOMPARE(QString::fromStdString(fixture.sink.all<event::TemplateEvent>().at(0).signature), QStringLiteral("f32[?,?], f32[?,?]"));
}

void EngineTest::aRankTemplateRefusesSizesThatDoNotFit() {
  EngineFixture fixture({"template=rank"});
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument five = fixture.tensor<float>(DType::F32, {5});
  const Argument six = fixture.tensor<float>(DType::F32, {6});
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{five, five}));
  JS_COMPARE_ERROR(fixture.engine->call(function, std::array{five, six}), base::ErrorCode::ScriptShape);
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{six, six}));
}

void EngineTest::otherOptionsMissAndSayWhich() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  JS_VERIFY_RESULT(fixture.engine->setOption("opt", std::int64_t{1}));
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  JS_VERIFY_RESULT(fixture.engine->setOption("opt", std::int64_t{3}));
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  QCOMPARE(outcomesOf(fixture.sink), (std::vector{Outcome::Miss, Outcome::Miss, Outcome::Hit}));
  const auto compiles = fixture.sink.all<event::CompileEvent>();
  QCOMPARE(spelled(compiles.at(1).reason), QStringLiteral("options"));
  QCOMPARE(QString::fromStdString(compiles.at(1).difference), QStringLiteral("opt: 3 -> 1"));
}

void EngineTest::unknownOptionsLeaveTheOldOnes() {
  EngineFixture fixture;
  JS_COMPARE_ERROR(fixture.engine->setOption("optt", std::int64_t{1}), base::ErrorCode::RuntimeOption);
  JS_COMPARE_ERROR(fixture.engine->setOption("opt", std::int64_t{4}), base::ErrorCode::RuntimeOption);
  JS_COMPARE_ERROR(fixture.engine->setOption("pipeline", std::string("sideways")), base::ErrorCode::RuntimeOption);
  JS_COMPARE_ERROR(fixture.engine->setOption("cpu", std::string("z80")), base::ErrorCode::CompileTarget);
  JS_COMPARE_ERROR(fixture.engine->setOption("tensor_mib", std::int64_t{1}), base::ErrorCode::RuntimeOption);
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  QCOMPARE(QString::fromStdString(fixture.sink.all<event::CompileEvent>().at(0).pipeline), QStringLiteral("deferred"));
}

void EngineTest::evictedCodeIsTracedAndCompiledAgain() {
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
  QCOMPARE(evictions[0].reason, std::string("entries"));
  QVERIFY(evictions[0].codeBytes > 0);
  QCOMPARE(fixture.engine->counters().evictions, std::uint64_t{2});
}

void EngineTest::clearedCodeSaysSo() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  fixture.engine->clearCache();
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  QCOMPARE(spelled(fixture.sink.all<event::CompileEvent>().at(1).reason), QStringLiteral("cleared"));
  QCOMPARE(fixture.sink.all<event::EvictionEvent>().at(0).reason, std::string("clear"));
}

void EngineTest::containsCompilesNothing() {
  EngineFixture fixture;
  std::atomic<int> traces{0};
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne, &traces);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  QVERIFY(!fixture.engine->contains(function, std::array{input, input}));
  QCOMPARE(traces.load(), 0);
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  QVERIFY(fixture.engine->contains(function, std::array{input, input}));
}

void EngineTest::compilingAheadMakesTheCallAHit() {
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

void EngineTest::withTheCacheOffEveryCallCompiles() {
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

void EngineTest::manyThreadsCompileOneColdKeyOnce() {
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

void EngineTest::aFailedTraceLeavesNothingBehind() {
  EngineFixture fixture;
  bool fails = true;
  const base::FunctionId function =
      fixture.define("f", [&](const graph::Template &tmpl) -> base::Result<std::shared_ptr<const graph::Graph>> {
        return fails ? base::fail(base::ErrorCode::ScriptShape, "on purpose") : test::multiplyAddOne(tmpl);
      });
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  JS_COMPARE_ERROR(fixture.engine->call(function, std::array{input, input}), base::ErrorCode::ScriptShape);
  QVERIFY(!fixture.engine->contains(function, std::array{input, input}));
  QVERIFY(fixture.sink.calls().empty());
  fails = false;
  JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
  QCOMPARE(spelled(fixture.sink.all<event::CompileEvent>().at(0).reason), QStringLiteral("new-function"));
}

void EngineTest::waitersOfAFailedCompileTryThemselves() {
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

void EngineTest::evictionWhileOthersRunIsSafe() {
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

void EngineTest::resultsAreFreedWithTheirLastHolder() {
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

void EngineTest::tensorsBeyondTheBoundAreRefused() {
  EngineFixture fixture({"tensor_mib=1"});
  JS_VERIFY_RESULT(fixture.engine->tensors().allocate(DType::F32, {1000, 100}));
  JS_COMPARE_ERROR(fixture.engine->tensors().allocate(DType::F32, {1000, 1000}), base::ErrorCode::RuntimeMemory);
  // The refused one took nothing.
  JS_VERIFY_RESULT(fixture.engine->tensors().allocate(DType::F32, {1000, 200}));
}

void EngineTest::capturedTensorsAreBoundAtTheCall() {
  EngineFixture fixture;
  const Argument input = fixture.tensor<float>(DType::F32, {4});
  for (const float weight : {2.F, 10.F}) {
    const graph::Tensor captured = fixture.tensor<float>(DType::F32, {4}, weight);
    const base::FunctionId function = fixture.define("scaled", [&](const graph::Template &tmpl) {
      graph::GraphBuilder builder("scaled", 1, base::FunctionId(1), test::tensorTypes(tmpl));
      return builder.finish({*builder.binary(graph::Op::Multiply, 0, builder.capture(captured))});
    });
    const auto result = fixture.engine->call(function, std::array{input});
    JS_VERIFY_RESULT(result);
    QCOMPARE(result->results[0].elements<float>()[1], 2.F * (weight + 1));
  }
  // The data of a capture is no part of the code: the second function shares the first one's.
  QCOMPARE(outcomesOf(fixture.sink), (std::vector{Outcome::Miss, Outcome::Retrace}));
}

void EngineTest::memoryIsRecordedWhenItChanges() {
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

void EngineTest::aWarmLegWarmsUpFirst() {
  EngineFixture fixture;
  const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
  const Argument input = fixture.tensor<float>(DType::F32, {8});
  script::BenchRequest request;
  request.warmupSeconds = 0.02;
  request.timeSeconds = 0.02;
  request.parallel = 2;
  request.legs = {event::Leg::Warm};
  request.cases = {{"case", function, {{"", {input, input}}}}};
  const auto results = fixture.engine->bench(request);
  JS_VERIFY_RESULT(results);
  QCOMPARE(results->size(), std::size_t{1});
  std::size_t samples = 0;
  bool threads[2] = {false, false};
  for (const event::CallEvent &call : fixture.sink.calls()) {
    QCOMPARE(call.caseId.value, 1U);
    QVERIFY(call.thread < 2);
    threads[call.thread] = true;
    if (call.phase == event::CallPhase::Sample) {
      ++samples;
      QCOMPARE(spelled(call.outcome), QStringLiteral("hit"));
    } else {
      QVERIFY(call.phase == event::CallPhase::Warmup);
    }
  }
  QVERIFY(threads[0] && threads[1]);
  QCOMPARE(results->at(0).samples.size(), samples);
  QVERIFY(fixture.engine->counters().misses == 1);
  JS_COMPARE_ERROR(([&] {
                     request.legs = {event::Leg::Cold};
                     return fixture.engine->bench(request);
                   }()),
                   base::ErrorCode::RuntimeProcess);
}

void EngineTest::aCpuThatThisMachineIsNotIsRefused() {
  EngineFixture fixture;
  // Xeon Phi's exponential instructions are in no CPU that is still made.
  const auto set = fixture.engine->setOption("cpu", std::string("knl"));
  JS_COMPARE_ERROR(set, base::ErrorCode::CompileTarget);
  QVERIFY(set.error().message.find("cannot run on this machine") != std::string::npos);
  JS_VERIFY_RESULT(fixture.engine->setOption("cpu", std::string("x86-64")));
}

void EngineTest::deterministicObjects() {
  std::vector<std::uint64_t> sizes;
  for (int i = 0; i < 2; ++i) {
    EngineFixture fixture;
    const base::FunctionId function = fixture.define("f", test::multiplyAddOne);
    const Argument input = fixture.tensor<float>(DType::F32, {33});
    JS_VERIFY_RESULT(fixture.engine->call(function, std::array{input, input}));
    sizes.push_back(fixture.sink.all<event::CompileEvent>().at(0).codeBytes);
  }
  QCOMPARE(sizes[0], sizes[1]);
}

QTEST_GUILESS_MAIN(EngineTest)
#include "tst_engine.moc"
