// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "runtime/bench/bench_order.h"
#include "runtime/bench/call_overhead.h"
#include "support/engine_fixture.h"
#include "support/result_checks.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

using namespace jitscope;
using event::Leg;
using event::Outcome;
using graph::DType;
using script::Argument;

namespace {

/// A clock that ticks seldom, as those of some machines do.
class CoarseClock final : public base::Clock {
public:
  CoarseClock(std::unique_ptr<base::Clock> fine, std::uint64_t stepNs) : m_fine(std::move(fine)), m_stepNs(stepNs) {}
  [[nodiscard]] std::uint64_t nowNs() const noexcept override { return m_fine->nowNs() / m_stepNs * m_stepNs; }

private:
  std::unique_ptr<base::Clock> m_fine;
  std::uint64_t m_stepNs;
};

/// Remembers in which order legs began.
class OrderObserver final : public runtime::RunObserver {
public:
  void printed(std::string_view /*text*/) override {}
  void sectionBegan(std::string_view /*name*/) override {}
  void legBegan(std::string_view caseName, std::string_view inputName, Leg leg, std::uint64_t /*plannedNs*/) override {
    legs.push_back(fmt::format("{} {} {}", caseName, inputName, nameOf(leg)));
  }
  void legEnded() override {}
  void studyStep(std::string_view /*function*/, std::string_view /*pipeline*/, std::uint32_t /*repetition*/,
                 std::uint32_t /*repetitions*/) override {}
  void studyEnded() override {}
  std::vector<std::string> legs;
};

constexpr std::uint64_t kStepNs = 20'000;

/// An engine with a clock and a seed of one's own.
struct Bench {
  explicit Bench(std::uint64_t stepNs = 1, std::optional<std::uint64_t> seed = {}, const std::vector<std::string> &settings = {})
      : clock(base::makeClock(base::ClockEpoch::now()), stepNs) {
    runtime::EngineSetup setup{clock, sink, observer, stop};
    setup.seed = seed;
    for (const std::string &setting : settings) {
      std::ignore = runtime::setOptionFromText(setup.options, setting);
    }
    engine = std::move(*runtime::Engine::create(std::move(setup)));
    function = engine->defineFunction("f", 1, false, std::make_unique<test::BuiltGraphs>(test::multiplyAddOne, nullptr));
  }

  Argument tensor(std::int64_t size) const { return *engine->tensors().allocate(DType::F32, {size}); }

  /// One case on tensors of so many elements, warm.
  script::BenchRequest request(std::int64_t size = 1) const {
    script::BenchRequest result;
    result.warmupSeconds = 0.01;
    result.timeSeconds = 0.05;
    result.legs = {Leg::Warm};
    const Argument input = tensor(size);
    result.cases = {{"c", function, {{"", {input, input}}}}};
    return result;
  }

  CoarseClock clock;
  test::RecordingSink sink;
  OrderObserver observer;
  std::atomic<bool> stop{false};
  std::unique_ptr<runtime::Engine> engine;
  base::FunctionId function;
};

} // namespace

/// How legs are measured.
class BenchRunnerTest : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void callsThatAreTooShortForTheClockAreMeasuredInRows();
  void callsThatAreLongEnoughAreMeasuredOneByOne();
  void aMissIsNeverPartOfARow();
  void withoutACacheEveryCallIsASampleOfItsOwn();
  void aLegEndsWithItsMostSamples();
  void threadsShareTheMostSamples();
  void aBrokenCaseIsNotMeasured();
  void aSeedDrawsTheOrderOfMeasuring();
  void anOrderIsAPermutation();
  void resultsAreFreedBetweenSamples();
  void templatesOfAFunctionAreTold();
  void theOverheadIsThatOfTheClock();
};

void BenchRunnerTest::callsThatAreTooShortForTheClockAreMeasuredInRows() {
  Bench bench(kStepNs);
  const auto results = bench.engine->bench(bench.request());
  JS_VERIFY_RESULT(results);
  const event::BenchLegEvent leg = bench.sink.all<event::BenchLegEvent>().at(0);
  QVERIFY(leg.callsPerSample >= 10);
  QCOMPARE(leg.clockStepNs, static_cast<double>(kStepNs));
  std::size_t rows = 0;
  std::uint64_t shortestNs = ~std::uint64_t{0};
  for (const event::CallEvent &call : bench.sink.calls()) {
    if (call.phase == event::CallPhase::Sample) {
      ++rows;
      QVERIFY(call.outcome == Outcome::Hit);
      shortestNs = std::min(shortestNs, call.totalNs());
    }
  }
  QCOMPARE(results->at(0).samples.size(), rows);
  // What lies between no step of the clock and one, which a single call cannot be told to take.
  QVERIFY(shortestNs > 0 && shortestNs < kStepNs);
}

void BenchRunnerTest::callsThatAreLongEnoughAreMeasuredOneByOne() {
  Bench bench;
  script::BenchRequest request = bench.request(1'000'000);
  request.timeSeconds = 0.01;
  JS_VERIFY_RESULT(bench.engine->bench(request));
  QCOMPARE(bench.sink.all<event::BenchLegEvent>().at(0).callsPerSample, std::uint64_t{1});
}

void BenchRunnerTest::aMissIsNeverPartOfARow() {
  // Without a warm-up the first sample is the miss; what follows is measured in rows.
  Bench bench(kStepNs);
  script::BenchRequest request = bench.request();
  request.warmupSeconds = 0;
  // Time enough for the miss and more, however slow the machine.
  request.timeSeconds = 60;
  request.maxSamples = 25;
  const auto results = bench.engine->bench(request);
  JS_VERIFY_RESULT(results);
  const std::vector<script::Sample> &samples = results->at(0).samples;
  QVERIFY(samples.size() > 1);
  QVERIFY(samples[0].outcome == Outcome::Miss);
  QVERIFY(samples[0].totalNs >= 1'000'000 / 2);
  QVERIFY(
      std::all_of(samples.begin() + 1, samples.end(), [](const script::Sample &sample) { return sample.outcome == Outcome::Hit; }));
  QVERIFY(bench.sink.all<event::BenchLegEvent>().at(0).callsPerSample > 1);
}

void BenchRunnerTest::withoutACacheEveryCallIsASampleOfItsOwn() {
  Bench bench(kStepNs, {}, {"capacity_entries=0"});
  script::BenchRequest request = bench.request();
  request.warmupSeconds = 0;
  const auto results = bench.engine->bench(request);
  JS_VERIFY_RESULT(results);
  QCOMPARE(bench.sink.all<event::BenchLegEvent>().at(0).callsPerSample, std::uint64_t{1});
  for (const script::Sample &sample : results->at(0).samples) {
    QVERIFY(sample.outcome == Outcome::Bypass);
  }
}

void BenchRunnerTest::aLegEndsWithItsMostSamples() {
  Bench bench;
  script::BenchRequest request = bench.request();
  request.timeSeconds = 60;
  request.maxSamples = 25;
  const auto results = bench.engine->bench(request);
  JS_VERIFY_RESULT(results);
  QCOMPARE(results->at(0).samples.size(), std::size_t{25});
  const event::BenchLegEvent leg = bench.sink.all<event::BenchLegEvent>().at(0);
  QVERIFY(leg.isCapped);
  QCOMPARE(leg.maxSamples, std::uint64_t{25});
  // It was asked for, so it is no reason to warn.
  QVERIFY(bench.sink.all<event::LogEvent>().empty());
}

void BenchRunnerTest::threadsShareTheMostSamples() {
  Bench bench;
  script::BenchRequest request = bench.request();
  request.timeSeconds = 60;
  request.parallel = 4;
  request.maxSamples = 40;
  const auto results = bench.engine->bench(request);
  JS_VERIFY_RESULT(results);
  QCOMPARE(results->at(0).samples.size(), std::size_t{40});
  request.maxSamples = 1; // one for each thread is the least
  const auto fewest = bench.engine->bench(request);
  JS_VERIFY_RESULT(fewest);
  QCOMPARE(fewest->at(0).samples.size(), std::size_t{4});
}

void BenchRunnerTest::aBrokenCaseIsNotMeasured() {
  Bench bench;
  script::BenchRequest request = bench.request();
  request.timeSeconds = 0.001;
  request.cases.push_back(request.cases[0]);
  request.cases[0].name = "broken";
  request.cases[0].inputs[0].isBroken = true;
  const auto results = bench.engine->bench(request);
  JS_VERIFY_RESULT(results);
  QCOMPARE(results->size(), std::size_t{2});
  QVERIFY(results->at(0).isBroken && results->at(0).samples.empty());
  QVERIFY(!results->at(1).isBroken && !results->at(1).samples.empty());
  QCOMPARE(bench.observer.legs, std::vector<std::string>{"c  warm"});
  QCOMPARE(bench.sink.all<event::BenchLegEvent>().size(), std::size_t{1});
}

void BenchRunnerTest::aSeedDrawsTheOrderOfMeasuring() {
  const auto legsWith = [](std::optional<std::uint64_t> seed) {
    Bench bench(1, seed);
    script::BenchRequest request = bench.request();
    request.warmupSeconds = 0;
    request.timeSeconds = 1e-6;
    const script::BenchCase one = request.cases[0];
    request.cases.clear();
    for (const char *name : {"a", "b", "c", "d", "e"}) {
      request.cases.push_back(one);
      request.cases.back().name = name;
    }
    const auto results = bench.engine->bench(request);
    std::vector<std::string> names;
    for (const script::BenchLegResult &result : *results) {
      names.push_back(result.caseName); // in the script's order, whatever was measured first
    }
    const auto recorded = bench.sink.all<event::BenchLegEvent>();
    for (std::size_t i = 0; i < recorded.size(); ++i) {
      if (recorded[i].position != i + 1 || recorded[i].seed != seed) {
        names.emplace_back("a leg recorded wrong");
      }
    }
    return std::pair(bench.observer.legs, names);
  };
  const std::vector<std::string> written{"a", "b", "c", "d", "e"};
  const std::vector<std::string> legs{"a  warm", "b  warm", "c  warm", "d  warm", "e  warm"};
  QCOMPARE(legsWith({}), std::pair(legs, written));
  const auto drawn = legsWith(42);
  QCOMPARE(legsWith(42), drawn);
  QCOMPARE(drawn.second, written);
  QVERIFY(drawn.first != legs);
  QVERIFY(legsWith(43).first != drawn.first);
}

void BenchRunnerTest::anOrderIsAPermutation() {
  std::set<std::vector<std::size_t>> orders;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    std::vector<std::size_t> order = runtime::measuringOrder(4, seed, 1);
    orders.insert(order);
    std::ranges::sort(order);
    QCOMPARE(order, (std::vector<std::size_t>{0, 1, 2, 3}));
  }
  QCOMPARE(orders.size(), std::size_t{24}); // each occurs
  QCOMPARE(runtime::measuringOrder(3, {}, 1), (std::vector<std::size_t>{0, 1, 2}));
  QVERIFY(runtime::measuringOrder(0, 7, 1).empty());
}

void BenchRunnerTest::resultsAreFreedBetweenSamples() {
  // Each result takes 4 MB: were they kept, the bound on tensors would end the leg.
  Bench bench(1, {}, {"tensor_mib=32"});
  script::BenchRequest request = bench.request(1'000'000);
  request.timeSeconds = 60;
  request.maxSamples = 30;
  const auto results = bench.engine->bench(request);
  JS_VERIFY_RESULT(results);
  QCOMPARE(results->at(0).samples.size(), std::size_t{30});
}

void BenchRunnerTest::templatesOfAFunctionAreTold() {
  Bench bench;
  QVERIFY(bench.engine->templatesOf(bench.function).empty());
  for (const std::int64_t size : {3, 1, 3}) {
    const Argument input = bench.tensor(size);
    JS_VERIFY_RESULT(bench.engine->call(bench.function, std::array{input, input}));
  }
  const std::vector<script::FunctionTemplate> templates = bench.engine->templatesOf(bench.function);
  QCOMPARE(templates.size(), std::size_t{2});
  QCOMPARE(templates[0].signature, std::string("f32[3], f32[3]"));
  QCOMPARE(templates[1].signature, std::string("f32[1], f32[1]"));
  const auto compiles = bench.sink.all<event::CompileEvent>();
  QCOMPARE(templates[0].codeBytes, compiles.at(0).codeBytes);
  QCOMPARE(templates[1].codeBytes, compiles.at(1).codeBytes);
  // Code that has left still counts: it was made.
  bench.engine->clearCache();
  QCOMPARE(bench.engine->templatesOf(bench.function).size(), std::size_t{2});
}

void BenchRunnerTest::theOverheadIsThatOfTheClock() {
  /// Each look takes a microsecond: all else is little beside it.
  class DearClock final : public base::Clock {
  public:
    [[nodiscard]] std::uint64_t nowNs() const noexcept override { return m_nowNs += 1000; }

  private:
    mutable std::uint64_t m_nowNs = 0;
  };
  const DearClock clock;
  // Between the first look and the last one there are two steps of the clock; the bare loop takes one in all.
  const double overheadNs = runtime::measureTimingOverheadNs(clock);
  QVERIFY(overheadNs > 1990 && overheadNs <= 2000);
  QCOMPARE(base::measureStepNs(clock), 1000.0);
}

QTEST_GUILESS_MAIN(BenchRunnerTest)
#include "tst_bench_runner.moc"
