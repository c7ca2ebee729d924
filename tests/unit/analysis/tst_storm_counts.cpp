// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/recompile_storms.h"
#include "analysis/calls/session_overview.h"
#include "analysis/compiles/compile_list.h"
#include "analysis/summary.h"
#include "report/document/storm_text.h"
#include "report/reporter.h"
#include "session/import/session_merge.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <array>

using namespace jitscope;
using analysis::RecompileStorm;
using analysis::Selection;
using event::MissReason;
using event::Outcome;
using session::SessionReader;

namespace {

constexpr std::uint32_t kShapes = 41;
constexpr std::uint64_t kSteadyCalls = 20'000;
constexpr std::uint64_t kCompileNs = 100'000;

event::CompileEvent shortCompile(std::uint32_t id, std::uint64_t callId, std::uint32_t templateId, std::uint64_t startNs,
                                 MissReason reason) {
  event::CompileEvent compile = test::makeCompile(id, callId, templateId, startNs, 0);
  compile.reason = reason;
  compile.lowerNs = compile.optimizeNs = compile.codegenNs = compile.linkNs = 0;
  compile.totalNs = kCompileNs;
  return compile;
}

/// A function that is called with ever new shapes, and between its calls, in the same spans, one that compiles once.
test::Recording interleaved() {
  test::Recording r;
  r.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "steady", 1, false});
  r.events.emplace_back(event::FunctionEvent{base::FunctionId(2), "stormy", 2, false});
  r.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), "f32[8]"});
  std::uint64_t id = 0;
  std::uint64_t at = 0;
  std::uint32_t compiles = 0;
  const auto call = [&](std::uint32_t templateId, MissReason reason, bool isMiss) {
    r.calls.push_back(test::makeCall(++id, templateId, 0, at, isMiss ? Outcome::Miss : Outcome::Hit, isMiss ? kCompileNs : 0, 500));
    if (isMiss) {
      r.events.emplace_back(shortCompile(++compiles, id, templateId, at, reason));
    }
    at += r.calls.back().totalNs();
  };
  for (std::uint32_t shape = 0; shape < kShapes; ++shape) {
    for (std::uint64_t i = 0; i < kSteadyCalls / kShapes; ++i) {
      call(1, MissReason::NewFunction, shape == 0 && i == 0);
    }
    r.events.emplace_back(
        event::TemplateEvent{base::TemplateId(2 + shape), base::FunctionId(2), "f32[" + std::to_string(shape + 1) + "]"});
    call(2 + shape, shape == 0 ? MissReason::NewFunction : MissReason::NewShape, true);
  }
  return r;
}

/// A storm by `reason` of templates with these signatures, each of which compiles in its one call.
analysis::RecompileStorm stormOf(const std::vector<std::string> &signatures, MissReason reason, bool eager) {
  analysis::FunctionSummary function;
  function.id = base::FunctionId(1);
  function.name = "f";
  function.eager = eager;
  std::map<base::TemplateId, analysis::ReasonCounts> reasons;
  for (std::uint32_t id = 1; id <= signatures.size(); ++id) {
    analysis::TemplateSummary entry;
    entry.id = base::TemplateId(id);
    entry.signature = signatures[id - 1];
    entry.calls = 1;
    entry.callNs = 100;
    entry.compileNs = 90;
    function.templates.push_back(entry);
    reasons[entry.id] = {{id == 1 ? MissReason::NewFunction : reason, 1}};
  }
  const std::vector<RecompileStorm> storms = analysis::findStorms({function}, reasons);
  return storms.size() == 1 ? storms.front() : RecompileStorm{};
}

} // namespace

class TestStormCounts : public QObject {
  Q_OBJECT

private:
  std::unique_ptr<SessionReader> read(const test::Recording &recording, std::uint64_t endNs = test::kSampleEndNs) {
    const std::filesystem::path path = m_folder.filePath("s.jitscope").toStdString();
    std::filesystem::remove(path);
    const auto written = test::writeSession(path, recording, {record::SessionStatus::Finished, "", endNs});
    auto reader = written ? SessionReader::open(path) : std::unexpected(written.error());
    return reader ? *std::move(reader) : nullptr;
  }
  static std::int64_t number(SessionReader &reader, const std::string &sql) {
    const auto value = reader.database().queryInteger(sql);
    return value ? value->value_or(-1) : -2;
  }
  /// Contexts whose sums are not those of their calls.
  static std::int64_t wrongContexts(SessionReader &reader) {
    return number(reader, "SELECT count(*) FROM call_context c LEFT JOIN (SELECT context_id, count(*) AS calls, sum(lookup_ns + "
                          "coalesce(wait_ns, 0) + coalesce(compile_ns, 0) + execute_ns) AS total_ns FROM call_record GROUP BY "
                          "context_id) r ON r.context_id = c.id WHERE c.calls IS NOT r.calls OR c.total_ns IS NOT r.total_ns");
  }

private Q_SLOTS:
  void everybodyCountsTheCallsOfAStormAlike() {
    const auto reader = read(interleaved());
    QVERIFY(reader);
    // The spans mix the functions: a span's context says nothing about its calls' templates.
    QVERIFY(number(*reader, "SELECT sum(s.calls) FROM call_span s JOIN call_context c ON c.id = s.context_id JOIN template t ON "
                            "t.id = c.template_id WHERE t.function_id = 2") != kShapes);
    QCOMPARE(number(*reader, "SELECT count(*) FROM call c JOIN template t ON t.id = c.template_id WHERE t.function_id = 2"),
             std::int64_t{kShapes});
    const auto storms = analysis::readStorms(*reader, {});
    JS_VERIFY_RESULT(storms);
    QCOMPARE(storms->size(), std::size_t{1});
    QCOMPARE(storms->front().functionName, std::string("stormy"));
    QCOMPARE(storms->front().calls, std::uint64_t{kShapes});
    QCOMPARE(storms->front().compiles, std::uint64_t{kShapes});
    QCOMPARE(storms->front().compileNs, kShapes * kCompileNs);
    const auto summary = analysis::summarize(*reader, {});
    JS_VERIFY_RESULT(summary);
    QCOMPARE(summary->storms.size(), std::size_t{1});
    const std::string sentence = report::stormText(storms->front());
    QCOMPARE(report::stormText(summary->storms.front()), sentence);
    QCOMPARE(QString::fromStdString(sentence),
             "stormy was compiled 41 times for 41 calls; compiling took 4.10 ms. Reason: new-shape. What varies: dimension 0 of "
             "argument 0 took 41 sizes, 1 to 41.");
    const auto json = nlohmann::json::parse(report::makeReporter("json", {})->render(*summary));
    QCOMPARE(json["recompile_storms"].size(), std::size_t{1});
    QCOMPARE(json["recompile_storms"][0]["calls"].get<std::uint64_t>(), std::uint64_t{kShapes});
    QCOMPARE(json["recompile_storms"][0]["compiles"].get<std::uint64_t>(), std::uint64_t{kShapes});
    report::ReportOptions wide;
    wide.width = 200;
    for (const char *format : {"text", "markdown", "html"}) {
      const QString text = QString::fromStdString(report::makeReporter(format, wide)->render(*summary)).simplified();
      QVERIFY2(text.contains("stormy was compiled 41 times for 41 calls; compiling took 4.10 ms."), qPrintable(text));
      QVERIFY2(text.contains("Recompile storms"), qPrintable(text));
    }
    const auto overview = analysis::readSessionOverview(reader->database());
    JS_VERIFY_RESULT(overview);
    QCOMPARE(overview->outcomes[Outcome::Miss], std::uint64_t{kShapes + 1});
    QCOMPARE(overview->outcomes.total(), summary->calls);
  }

  void aRangeCountsTheCallsThatBeginInIt() {
    const auto reader = read(interleaved());
    QVERIFY(reader);
    const std::int64_t end = number(*reader, "SELECT max(start_ns) / 2 FROM call");
    Selection half;
    half.range = analysis::TimeRange{0, static_cast<std::uint64_t>(end)};
    const auto storms = analysis::readStorms(*reader, half);
    JS_VERIFY_RESULT(storms);
    QCOMPARE(storms->size(), std::size_t{1});
    const std::string where = " FROM call c JOIN template t ON t.id = c.template_id WHERE t.function_id = 2 AND c.start_ns < ";
    QCOMPARE(static_cast<std::int64_t>(storms->front().calls), number(*reader, "SELECT count(*)" + where + std::to_string(end)));
  }

  void contextsHoldTheExactSumsOfTheirCalls() {
    const test::Recording recording = interleaved();
    const std::filesystem::path path = m_folder.filePath("batches.jitscope").toStdString();
    {
      auto writer = session::SessionWriter::create(path, test::sampleInfo());
      JS_VERIFY_RESULT(writer);
      const std::span<const event::CallEvent> calls(recording.calls);
      JS_VERIFY_RESULT((*writer)->write({recording.events, {}}));
      for (std::size_t at = 0; at < calls.size(); at += 777) {
        JS_VERIFY_RESULT((*writer)->write({{}, calls.subspan(at, std::min<std::size_t>(777, calls.size() - at))}));
        // As another process sees it while it is recorded.
        if (at % 7770 == 0) {
          const auto reader = SessionReader::open(path);
          JS_VERIFY_RESULT(reader);
          QCOMPARE(wrongContexts(**reader), std::int64_t{0});
        }
      }
      JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Finished, "", test::kSampleEndNs}));
    }
    const auto reader = SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    QCOMPARE(wrongContexts(**reader), std::int64_t{0});
    QCOMPARE(number(**reader, "SELECT sum(calls) FROM call_context"), static_cast<std::int64_t>(recording.calls.size()));
  }

  void functionsOfMergedSessionsAreCountedApart() {
    session::SessionInfo other = test::sampleInfo();
    other.uuid = "223e4567-e89b-42d3-a456-426614174000";
    const std::filesystem::path first = m_folder.filePath("first.jitscope").toStdString();
    const std::filesystem::path second = m_folder.filePath("second.jitscope").toStdString();
    const std::filesystem::path merged = m_folder.filePath("merged.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(first, interleaved()));
    JS_VERIFY_RESULT(test::writeSession(second, interleaved(), {record::SessionStatus::Finished, "", test::kSampleEndNs}, other));
    {
      const auto one = SessionReader::open(first);
      const auto two = SessionReader::open(second);
      JS_VERIFY_RESULT(one);
      JS_VERIFY_RESULT(two);
      const std::array<SessionReader *, 2> parts{one->get(), two->get()};
      JS_VERIFY_RESULT(session::mergeSessions(parts, merged));
    }
    const auto reader = SessionReader::open(merged);
    JS_VERIFY_RESULT(reader);
    QCOMPARE(wrongContexts(**reader), std::int64_t{0});
    const auto storms = analysis::readStorms(**reader, {});
    JS_VERIFY_RESULT(storms);
    QCOMPARE(storms->size(), std::size_t{2});
    for (const RecompileStorm &storm : *storms) {
      QCOMPARE(storm.calls, std::uint64_t{kShapes});
      QCOMPARE(storm.compiles, std::uint64_t{kShapes});
    }
    QVERIFY(storms->at(0).functionId != storms->at(1).functionId);
    QCOMPARE(report::stormsLeftOut(*storms, 1), std::string("and 1 more storm: 41 compiles for 41 calls, 4.10 ms"));
  }

  void whatIsNoStorm_data() {
    QTest::addColumn<quint64>("calls");
    QTest::addColumn<bool>("isAhead");
    QTest::addColumn<int>("reason");
    QTest::addColumn<bool>("isStorm");
    const auto row = [](const char *name, quint64 calls, bool isAhead, MissReason reason, bool isStorm) {
      QTest::newRow(name) << calls << isAhead << static_cast<int>(reason) << isStorm;
    };
    row("few calls", 40, false, MissReason::NewShape, true);
    row("150,000 calls", 150'000, false, MissReason::NewShape, false);
    row("compiled ahead of time", 40, true, MissReason::NewShape, false);
    row("a cleared cache", 40, false, MissReason::Cleared, false);
  }
  void whatIsNoStorm() {
    QFETCH(quint64, calls);
    QFETCH(bool, isAhead);
    QFETCH(int, reason);
    test::Recording r;
    r.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "f", 1, false});
    std::uint64_t at = 0;
    for (std::uint64_t id = 1; id <= calls; ++id) {
      const std::uint32_t templateId = static_cast<std::uint32_t>(id <= 8 ? id : 8);
      const bool compiles = id <= 8;
      if (compiles) {
        r.events.emplace_back(
            event::TemplateEvent{base::TemplateId(templateId), base::FunctionId(1), "f32[" + std::to_string(id) + "]"});
        event::CompileEvent compile = test::makeCompile(templateId, isAhead ? 0 : id, templateId, at, 1000 * test::kMs);
        compile.reason = id == 1 ? MissReason::NewFunction : static_cast<MissReason>(reason);
        r.events.emplace_back(compile);
      }
      const bool misses = compiles && !isAhead;
      r.calls.push_back(
          test::makeCall(id, templateId, 0, at, misses ? Outcome::Miss : Outcome::Hit, misses ? 1004 * test::kMs : 0, 1000));
      at += r.calls.back().totalNs();
    }
    const auto reader = read(r, at + 2000 * test::kMs);
    QVERIFY(reader);
    const auto storms = analysis::readStorms(*reader, {});
    JS_VERIFY_RESULT(storms);
    QTEST(!storms->empty(), "isStorm");
  }

  void adviceIsGivenWhereItCanBeFollowed_data() {
    QTest::addColumn<QStringList>("signatures");
    QTest::addColumn<int>("reason");
    QTest::addColumn<bool>("eager");
    QTest::addColumn<QString>("advice");
    const auto row = [](const char *name, const QStringList &signatures, MissReason reason, bool eager, const char *advice) {
      QTest::newRow(name) << signatures << static_cast<int>(reason) << eager << advice;
    };
    const QStringList shapes{"{1}", "{2}", "{3}", "{4}", "{5}", "{6}", "{7}"};
    row("the shape of an eager ones", shapes, MissReason::StaticValue, true, "");
    row("a table of numbers", shapes, MissReason::StaticValue, false,
        "If argument 0 is data to compute with, pass it as a tensor or a number, whose values are not part of the template. A "
        "shape, an axis or a setting has to stay static.");
    row("texts", {"\"1\"", "\"2\"", "\"3\"", "\"4\"", "\"5\"", "\"6\"", "\"7\""}, MissReason::StaticValue, false, "");
    const QStringList sizes{"f32[1]", "f32[2]", "f32[3]", "f32[4]", "f32[5]", "f32[6]", "f32[7]"};
    const char *rank = "With options{template=\"rank\"} one executable serves all sizes; padding to few sizes helps as well.";
    row("sizes", sizes, MissReason::NewShape, false, rank);
    row("sizes of an eager operation", sizes, MissReason::NewShape, true, rank);
    row("sizes of two types", {"f32[1]", "f32[2]", "f32[3]", "f32[4]", "f64[5]", "f64[6]", "f64[7]"}, MissReason::NewShape, false,
        "With options{template=\"rank\"} 2 executables serve all sizes; padding to few sizes helps as well.");
    row("a static shape varies with the sizes",
        {"f32[1], {1}", "f32[2], {2}", "f32[3], {3}", "f32[4], {4}", "f32[5], {5}", "f32[6], {6}"}, MissReason::NewShape, true, "");
    row("evicted", sizes, MissReason::Evicted, true,
        "The cache is too small for the executables that take turns in it: raise capacity_entries or capacity_bytes.");
    row("element types", sizes, MissReason::NewDtype, false, "");
  }
  void adviceIsGivenWhereItCanBeFollowed() {
    QFETCH(QStringList, signatures);
    QFETCH(int, reason);
    QFETCH(bool, eager);
    std::vector<std::string> texts;
    for (const QString &signature : signatures) {
      texts.push_back(signature.toStdString());
    }
    const RecompileStorm storm = stormOf(texts, static_cast<MissReason>(reason), eager);
    QCOMPARE(storm.compiles, std::uint64_t(texts.size()));
    QTEST(QString::fromStdString(report::stormAdvice(storm)), "advice");
    QVERIFY(report::stormText(storm).starts_with(eager ? "f (eager) was compiled " : "f was compiled "));
  }

private:
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestStormCounts)
#include "tst_storm_counts.moc"
