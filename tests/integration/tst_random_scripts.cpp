// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "event/sink.h"
#include "script/lua_script.h"
#include "support/engine_fixture.h"
#include "support/sanitizers.h"
#include "support/scripts/random_scripts.h"

using namespace jitscope;

namespace {

/// So many scripts share an engine, and so the code of operations that are alike.
constexpr std::uint64_t kScriptsOfAnEngine = 500;
constexpr std::uint64_t kEngines = test::kIsSanitized ? 2 : 20;

/// Keeps what the script prints.
class PrintedText final : public runtime::RunObserver {
public:
  void printed(std::string_view text) override { all += text; }
  void sectionBegan(std::string_view /*name*/) override {}
  void legBegan(std::string_view /*caseName*/, std::string_view /*inputName*/, event::Leg /*leg*/,
                std::uint64_t /*plannedNs*/) override {}
  void legEnded() override {}
  void studyStep(std::string_view /*function*/, std::string_view /*pipeline*/, std::uint32_t /*repetition*/,
                 std::uint32_t /*repetitions*/) override {}
  void studyEnded() override {}

  std::string all;
};

} // namespace

/// 10,000 scripts print what an evaluator says that was written from the rules alone, whether operations are made outside of
/// functions, in their bodies, or with the numbers as arguments.
class TestRandomScripts : public QObject {
  Q_OBJECT

private Q_SLOTS:
  /// The draws reach what they are about: many errors, more values, every dtype.
  void areVaried() {
    std::map<std::string, int> kinds;
    constexpr int kDrawn = 2000;
    for (int seed = 0; seed < kDrawn; ++seed) {
      const testing::RandomScript script = testing::randomScript(static_cast<std::uint64_t>(seed));
      const auto *error = std::get_if<testing::RuleError>(&script.expected);
      ++kinds[error == nullptr                                      ? "value"
              : error->kind == testing::RuleError::Kind::CannotHold ? fmt::format("{} cannot hold", graph::nameOf(error->dtype))
                                                                    : "not for pred"];
      if (error == nullptr) {
        ++kinds[std::string(graph::nameOf(std::get<testing::ReferenceArray>(std::get<testing::RuleValue>(script.expected)).dtype))];
      }
    }
    for (const auto &[kind, count] : kinds) {
      qInfo("%s: %d of %d", kind.c_str(), count, kDrawn);
    }
    QVERIFY(kinds["value"] > kDrawn / 2);
    QVERIFY(kinds["s64 cannot hold"] > 0); // which only `full` can say
    for (const char *kind : {"pred cannot hold", "u8 cannot hold", "s32 cannot hold", "f32 cannot hold", "not for pred", "pred",
                             "u8", "s32", "s64", "f32", "f64"}) {
      QVERIFY2(kinds[kind] > kDrawn / 200, kind);
    }
  }

  void agreeWithTheRules_data() {
    QTest::addColumn<quint64>("engine");
    for (quint64 engine = 0; engine < kEngines; ++engine) {
      QTest::addRow("scripts from %llu", engine * kScriptsOfAnEngine) << engine;
    }
  }
  void agreeWithTheRules() {
    QFETCH(quint64, engine);
    const std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
    event::NullSink sink;
    PrintedText output;
    const std::atomic<bool> stop{false};
    runtime::EngineSetup setup{*clock, sink, output, stop};
    // Most engines optimize little, as compiling takes nearly all the time.
    const std::string level = engine == kEngines - 1 ? "3" : engine == kEngines - 2 ? "2" : "0";
    for (const std::string &setting : {"opt=" + level, std::string("passes=false"), std::string("remarks=off"),
                                       std::string("ir=off"), std::string(engine % 10 == 5 ? "template=rank" : "template=exact")}) {
      QVERIFY(runtime::setOptionFromText(setup.options, setting).has_value());
    }
    auto made = runtime::Engine::create(std::move(setup));
    QVERIFY2(made.has_value(), made ? "" : base::describe(made.error()).c_str());
    for (std::uint64_t i = 0; i < kScriptsOfAnEngine; ++i) {
      const std::uint64_t seed = engine * kScriptsOfAnEngine + i;
      const testing::RandomScript script = testing::randomScript(seed);
      auto source = script::makeScript("random.lua", script.text);
      QVERIFY(source.has_value());
      output.all.clear();
      const base::Result<void> run = script::LuaScript(std::move(*source), **made, stop).run();
      const std::string problem = run ? testing::problemOf(script, output.all) : base::describe(run.error());
      QVERIFY2(problem.empty(), fmt::format("script {}: {}\n{}", seed, problem, script.text).c_str());
    }
  }
};

QTEST_GUILESS_MAIN(TestRandomScripts)
#include "tst_random_scripts.moc"
