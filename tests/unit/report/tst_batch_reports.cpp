// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/batch/junit.h"
#include "report/batch/sarif.h"
#include "report/render/document_html.h"
#include "report/render/document_markdown.h"
#include <QtTest>

#include "report/batch/batch_result.h"
#include "report/document/batch_document.h"
#include "report/render/markup.h"
#include "support/report_schemas.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

using namespace jitscope;
using report::BatchResult;
using report::ScriptResult;
using report::ScriptState;

namespace {

ScriptResult finished(std::string script) {
  ScriptResult result;
  result.script = std::move(script);
  result.name = "a";
  result.state = ScriptState::Finished;
  result.seconds = 1.5;
  result.startedUtc = "2024-05-01T12:00:00.123Z";
  return result;
}

analysis::Comparison comparisonWith(analysis::Verdict legVerdict, analysis::Verdict countVerdict) {
  analysis::Comparison comparison;
  analysis::LegComparison leg;
  leg.name = "kernel";
  leg.input = "large";
  leg.leg = event::Leg::Warm;
  leg.baseMedianNs = 100;
  leg.contenderMedianNs = 125;
  leg.shift = analysis::MedianShift{1.25, {1.2, 1.3}, 25};
  leg.verdict = legVerdict;
  comparison.legs.push_back(leg);
  analysis::CountComparison count;
  count.key = {analysis::Count::Templates, "storm", false};
  count.base = 2;
  count.contender = 9;
  count.verdict = countVerdict;
  comparison.counts.push_back(count);
  return comparison;
}

/// One of everything that can happen, with names that are hard on every format.
BatchResult fullBatch() {
  const std::string strange = "a <b> \"c\" & 'd'\n\x1b[31m\xff \xF0\x9F\x98\x80";
  BatchResult batch;
  batch.version = "0.1.0";
  batch.hasBaseline = true;
  batch.shard = "1/2";
  batch.problems.push_back(strange);
  batch.scripts.push_back(finished("ok.lua"));
  ScriptResult failed = finished("./dir with space/" + strange + ".lua");
  failed.name = strange;
  failed.output = strange;
  failed.expectations = {{7, "expect.outcome", true, "hit", "hit"}, {9, "expect.percentile", false, strange, strange}};
  failed.comparison = comparisonWith(analysis::Verdict::Worse, analysis::Verdict::Worse);
  analysis::LoopFinding &finding = failed.scalarLoops.emplace_back();
  finding.function = strange;
  finding.loop.reason = strange;
  finding.loop.line = 12;
  finding.loop.column = 3;
  analysis::Finding storm;
  storm.kind = analysis::FindingKind::Storm;
  storm.title = strange;
  storm.explanation = strange;
  storm.remedy = strange;
  storm.line = 4;
  analysis::Finding waiting = storm;
  waiting.kind = analysis::FindingKind::Waiting;
  failed.findings = {{storm, true}, {waiting, false}};
  failed.forbiddenKinds = {analysis::FindingKind::Storm};
  batch.scripts.push_back(failed);
  ScriptResult crashed = finished("/abs/crash.lua");
  crashed.state = ScriptState::Crashed;
  crashed.message = "its process was ended by signal 11";
  batch.scripts.push_back(crashed);
  ScriptResult unclear = finished("unclear.lua");
  unclear.comparison = comparisonWith(analysis::Verdict::CannotTell, analysis::Verdict::Equal);
  unclear.comparison->legs[0].doubt = analysis::Doubt::Noise;
  unclear.comparison->legs[0].noise = 0.73;
  analysis::LegComparison close = unclear.comparison->legs[0];
  close.leg = event::Leg::Cold;
  close.contenderMedianNs = 101;
  close.shift->ratio = 1.01;
  close.doubt = analysis::Doubt::WideInterval;
  unclear.comparison->legs.push_back(close);
  batch.scripts.push_back(unclear);
  ScriptResult fresh = finished("new.lua");
  fresh.baselineProblem = "new: there is no baseline for it";
  batch.scripts.push_back(fresh);
  ScriptResult missing;
  missing.script = "later.lua";
  missing.name = "later";
  missing.message = "the batch was stopped before";
  batch.scripts.push_back(missing);
  return batch;
}

} // namespace

class TestBatchReports : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void junitIsValid() {
    QCOMPARE(test::JunitSchema::problem(QByteArray::fromStdString(report::renderJunit(fullBatch()))), QString());
    QCOMPARE(test::JunitSchema::problem(QByteArray::fromStdString(report::renderJunit({}))), QString());
  }

  /// The check itself must be able to fail.
  void whatIsNoJunitIsFound() {
    const QByteArray good = QByteArray::fromStdString(report::renderJunit(fullBatch()));
    const auto changed = [&good](const char *from, const char *to) { return QByteArray(good).replace(from, to); };
    for (const QByteArray &bad : {changed("<system-err></system-err>", ""), changed(" failures=\"", " failuers=\""),
                                  changed("tests=\"2\"", "tests=\"3\""), changed(".500\"", "\""), changed("T12:00:00", " 12:00:00"),
                                  changed("<properties>", "<testcase name=\"x\" classname=\"y\" time=\"0.0\"/><properties>")}) {
      QVERIFY(bad == good || !test::JunitSchema::problem(bad).isEmpty());
    }
  }

  void sarifIsValid() {
    QCOMPARE(test::SarifSchema::problem(nlohmann::json::parse(report::renderSarif(fullBatch()))), std::string());
    QCOMPARE(test::SarifSchema::problem(nlohmann::json::parse(report::renderSarif({}))), std::string());
  }

  void sarifNamesFileLineAndColumn() {
    const nlohmann::json log = nlohmann::json::parse(report::renderSarif(fullBatch()));
    const nlohmann::json &results = log["runs"][0]["results"];
    QStringList found;
    for (const nlohmann::json &result : results) {
      const nlohmann::json &place = result["locations"][0]["physicalLocation"];
      const nlohmann::json region = place.value("region", nlohmann::json::object());
      found += QString::fromStdString(result["ruleId"]) + ' ' + QString::fromStdString(place["artifactLocation"]["uri"]).left(12) +
               ':' + QString::number(region.value("startLine", 0)) + ':' + QString::number(region.value("startColumn", 0));
    }
    QCOMPARE(found, (QStringList{"expectation dir%20with%2:9:0", "finding/storm dir%20with%2:4:0",
                                 "finding/waiting dir%20with%2:4:0", "slower dir%20with%2:0:0", "count dir%20with%2:0:0",
                                 "not-vectorized dir%20with%2:12:3", "script /abs/crash.l:0:0", "cannot-tell unclear.lua:0:0",
                                 "cannot-tell unclear.lua:0:0", "script later.lua:0:0"}));
    QVERIFY(!log["runs"][0]["invocations"][0]["executionSuccessful"].get<bool>());
  }

  void everyExpectationAndComparisonIsATestCase() {
    const QByteArray junit = QByteArray::fromStdString(report::renderJunit(fullBatch()));
    QVERIFY(junit.contains("name=\"line 7: expect.outcome (1)\""));
    QVERIFY(junit.contains("name=\"line 9: expect.percentile (2)\""));
    QVERIFY(junit.contains("name=\"time of kernel [large], warm\""));
    QVERIFY(junit.contains("median 125 ns instead of 100 ns (+25.0 %)"));
    QVERIFY(junit.contains("templates of storm: 9 instead of 2"));
    QVERIFY(junit.contains("its process was ended by signal 11"));
    QVERIFY(junit.contains("new: there is no baseline for it"));
  }

  void whatCannotBeToldIsCalledThatWithItsNoise() {
    const BatchResult batch = fullBatch();
    const QByteArray junit = QByteArray::fromStdString(report::renderJunit(batch));
    QVERIFY2(
        junit.contains("<error message=\"cannot tell: +25.0 % is within the noise of the base, ±73.0 %\" type=\"cannot tell\">"),
        junit.constData());
    QVERIFY2(junit.contains("<skipped message=\"cannot tell: the interval, +20.0 % to +30.0 %, crosses the threshold of 5 %"),
             junit.constData());
    const nlohmann::json log = nlohmann::json::parse(report::renderSarif(batch));
    QStringList told;
    for (const nlohmann::json &result : log["runs"][0]["results"]) {
      if (result["ruleId"] == "cannot-tell") {
        told += QString::fromStdString(result["level"]) + ": " + QString::fromStdString(result["message"]["text"]);
      }
    }
    QCOMPARE(told, (QStringList{"warning: kernel [large], warm: cannot tell: +25.0 % is within the noise of the base, ±73.0 %",
                                "note: kernel [large], cold: cannot tell: the interval, +20.0 % to +30.0 %, crosses the threshold "
                                "of 5 % (noise ±73.0 %); measure for longer"}));
    QCOMPARE(QString::fromStdString(batch.scripts[3].verdict()),
             QString("Cannot tell: 1 leg may be slower; 0 of 2 legs slower, 2 cannot tell (noise up to ±73.0 %)"));
  }

  void theVerdictOnABatchIsThatOfItsScripts() {
    BatchResult batch;
    batch.scripts = {finished("a.lua"), finished("b.lua")};
    QVERIFY(!batch.hasFailed() && !batch.isInsufficient());
    batch.scripts[0].comparison = comparisonWith(analysis::Verdict::CannotTell, analysis::Verdict::Equal);
    QVERIFY(!batch.hasFailed() && batch.isInsufficient());
    batch.scripts[0].comparison = comparisonWith(analysis::Verdict::Equal, analysis::Verdict::Equal);
    QVERIFY(!batch.hasFailed() && !batch.isInsufficient());
    batch.scripts[0].comparison = comparisonWith(analysis::Verdict::Worse, analysis::Verdict::Equal);
    QVERIFY(batch.hasFailed());
    batch.scripts[0].comparison = comparisonWith(analysis::Verdict::Equal, analysis::Verdict::Worse);
    QVERIFY(batch.hasFailed());
    batch.scripts[0].comparison = comparisonWith(analysis::Verdict::CannotTell, analysis::Verdict::Equal);
    batch.scripts[0].comparison->insufficient.push_back("too few");
    QVERIFY(!batch.hasFailed() && batch.isInsufficient());
    // A script without benchmarks has counts to compare, and that is enough.
    batch.scripts[0].comparison->legs.clear();
    batch.scripts[0].comparison->hasOnlyCounts = true;
    QVERIFY(!batch.isInsufficient());
    batch.scripts[1].expectations.push_back({1, "expect.equal", false, "1", "2"});
    QVERIFY(batch.hasFailed());
  }

  void pagesOfABatchAreWellFormedAndLinkToTheirScripts() {
    BatchResult batch = fullBatch();
    batch.scripts[0].report = "out/ok & good.html";
    const QByteArray html = QByteArray::fromStdString(report::renderHtml(report::batchDocument(batch, "pages")));
    QXmlStreamReader reader(html);
    while (!reader.atEnd()) {
      reader.readNext();
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(html.contains("href=\"../out/ok%20%26%20good.html\""));
    QVERIFY(!html.contains('\x1b'));
    QVERIFY(report::renderMarkdown(report::batchDocument(batch)).find("3 of 6 failed") != std::string::npos);
  }

  void theJsonHasAllOfIt() {
    const nlohmann::json json = nlohmann::json::parse(report::renderBatchJson(fullBatch()));
    QCOMPARE(json["scripts"].size(), std::size_t{6});
    QVERIFY(json["failed"].get<bool>());
    QCOMPARE(json["scripts"][1]["comparison"]["cases"][0]["verdict"].get<std::string>(), std::string("slower"));
    QCOMPARE(json["scripts"][2]["state"].get<std::string>(), std::string("crashed"));
  }

  void pathsBecomeUris() {
    QCOMPARE(report::encodeUri("a b/ü#?.lua"), std::string("a%20b/%C3%BC%23%3F.lua"));
    QCOMPARE(report::encodeUri("plain-1_2.3~/x"), std::string("plain-1_2.3~/x"));
  }
};

QTEST_GUILESS_MAIN(TestBatchReports)
#include "tst_batch_reports.moc"
