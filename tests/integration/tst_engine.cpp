// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/engine_fixture.h"
#include "support/outcome_texts.h"
#include "support/result_checks.h"

using namespace jitscope;
using event::Outcome;
using graph::DType;
using graph::Shape;
using script::Argument;
using test::EngineFixture;
using test::outcomesOf;
using test::spelled;

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
  void aFailedTraceLeavesNothingBehind();
  void capturedTensorsAreBoundAtTheCall();
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
  // The instructions of AMD's Bulldozer family (XOP, FMA4) are in no CPU that came after it, of whatever maker.
  const auto set = fixture.engine->setOption("cpu", std::string("bdver4"));
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
