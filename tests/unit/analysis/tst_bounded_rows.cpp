// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/summary.h"
#include "report/document/bounded_rows.h"
#include "report/document/session_document.h"
#include "report/reporter.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace jitscope;
using report::BoundedRows;
using report::boundedRows;
using report::leftOutText;
using report::RowOrder;

namespace {

struct Item {
  int id = 0;
  std::uint64_t cost = 0;
};

std::vector<int> idsOf(const std::vector<const Item *> &items) {
  std::vector<int> ids;
  std::ranges::transform(items, std::back_inserter(ids), [](const Item *item) { return item->id; });
  return ids;
}

constexpr std::uint32_t kTemplates = 300;

/// Functions of one template each; the later ones compile longer, and the very last longest by far.
analysis::Summary manyTemplates() {
  analysis::Summary summary;
  summary.session.status = record::SessionStatus::Finished;
  summary.session.info.scriptPath = "/tmp/many.lua";
  for (std::uint32_t id = 1; id <= kTemplates; ++id) {
    analysis::FunctionSummary function;
    function.id = base::FunctionId(id);
    function.name = "f" + std::to_string(id);
    analysis::TemplateSummary entry;
    entry.id = base::TemplateId(id);
    entry.signature = "f32[" + std::to_string(id) + "]";
    entry.calls = 10;
    entry.compiles = 1;
    entry.compileNs = id == kTemplates ? 1000 * test::kMs : id * test::kMs;
    function.templates.push_back(entry);
    summary.functions.push_back(function);
    summary.sections.push_back({base::SectionId(id), "s" + std::to_string(id), id, id, {}, id * test::kMs, 0, 0});
    summary.warnings.lines.push_back(
        {id, id == kTemplates ? event::LogLevel::Error : event::LogLevel::Warning, "w" + std::to_string(id)});
  }
  return summary;
}

QString renderedAs(const char *format, const analysis::Summary &summary, std::size_t rows = 20) {
  report::ReportOptions options;
  options.width = 200;
  options.rows = rows;
  return QString::fromStdString(report::makeReporter(format, options)->render(summary));
}

} // namespace

class TestBoundedRows : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void theMostExpensiveRowsAreShown() {
    const std::vector<Item> items{{1, 5}, {2, 9}, {3, 5}, {4, 1}, {5, 9}};
    const BoundedRows<Item> rows = boundedRows(items, 3, &Item::cost);
    QCOMPARE(idsOf(rows.shown), (std::vector<int>{2, 5, 1}));
    QCOMPARE(idsOf(rows.leftOut), (std::vector<int>{3, 4}));
    QCOMPARE(rows.sumLeftOut(&Item::cost), std::uint64_t{6});
    QCOMPARE(idsOf(boundedRows(items, 5, &Item::cost).shown), (std::vector<int>{2, 5, 1, 3, 4}));
    QVERIFY(boundedRows(items, 5, &Item::cost).leftOut.empty());
    QVERIFY(boundedRows(items, 0, &Item::cost).shown.empty());
  }

  void anOrderStandsAsLongAsAllFit() {
    const std::vector<Item> items{{1, 5}, {2, 9}, {3, 7}};
    QCOMPARE(idsOf(boundedRows(items, 3, &Item::cost, RowOrder::GivenIfAllFit).shown), (std::vector<int>{1, 2, 3}));
    QCOMPARE(idsOf(boundedRows(items, 2, &Item::cost, RowOrder::GivenIfAllFit).shown), (std::vector<int>{2, 3}));
  }

  void whatIsLeftOutIsCountedAndSummed() {
    QCOMPARE(leftOutText(312, "template", "templates", {"4,201 calls", "1.20 s"}),
             std::string("and 312 more templates: 4,201 calls, 1.20 s"));
    QCOMPARE(leftOutText(1, "pass", "passes"), std::string("and 1 more pass"));
    QCOMPARE(leftOutText(0, "pass", "passes", {"nothing"}), std::string());
    QCOMPARE(report::countOf(1, "call"), std::string("1 call"));
    QCOMPARE(report::countOf(4201, "call"), std::string("4,201 calls"));
  }

  void tablesOfTemplatesBeginWithTheDearest_data() {
    QTest::addColumn<QString>("more");
    // HTML shows 200 of 300: templates 1 to 100 are left out, and took 1 + ... + 100 ms. Markdown shows 50, and text 20.
    QTest::newRow("markdown") << "and 250 more templates: 2,500 calls, 31.4 s of compiling";
    QTest::newRow("html") << "and 100 more templates: 1,000 calls, 5.05 s of compiling";
    QTest::newRow("text") << "and 280 more templates: 2,800 calls, 39.3 s of compiling";
  }
  void tablesOfTemplatesBeginWithTheDearest() {
    const QString text = renderedAs(QTest::currentDataTag(), manyTemplates());
    QFETCH(QString, more);
    QVERIFY2(text.contains(more), qPrintable(text.right(4000)));
    const qsizetype dearest = text.indexOf("f300");
    QVERIFY(dearest >= 0);
    QVERIFY2(dearest < text.indexOf("f299"), "the most expensive template does not come first");
    QVERIFY(text.indexOf("f299") < text.indexOf("f298"));
    QVERIFY(!text.contains(QRegularExpression("\\bf100\\b")));
  }

  void otherTablesKeepWhatCosts() {
    const QString text = renderedAs("text", manyTemplates());
    QVERIFY2(text.contains(QRegularExpression("\\bs300\\b")) && !text.contains(QRegularExpression("\\bs1\\b")), qPrintable(text));
    // 1 + … + 280 calls of as many milliseconds.
    QVERIFY2(text.contains("and 280 more sections: 39,340 calls, 39.3 s"), qPrintable(text));
    // An error is not left out for warnings.
    QVERIFY2(text.contains("w300"), qPrintable(text));
    QVERIFY2(text.contains("and 280 more messages: 0 errors, 280 warnings"), qPrintable(text));
  }

  void compilesThatAreNotNamedAreSummed() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("s.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::sampleRecording()));
    const auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    analysis::SummaryOptions options;
    options.misses = 3;
    const auto summary = analysis::summarize(**reader, options);
    JS_VERIFY_RESULT(summary);
    // Three take 1004 ms; the eager one of 4 ms is left out.
    QVERIFY(renderedAs("text", *summary).contains("\n  … and 1 more compile: 4.00 ms\n"));
  }

  void warningsBeyondThoseKeptAreCounted() {
    test::Recording recording;
    for (std::uint64_t at = 1; at <= 12; ++at) {
      recording.events.emplace_back(
          event::LogEvent{at, at == 12 ? event::LogLevel::Error : event::LogLevel::Warning, "w" + std::to_string(at)});
    }
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("s.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, recording));
    const auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    analysis::SummaryOptions options;
    options.warnings = 5;
    const auto summary = analysis::summarize(**reader, options);
    JS_VERIFY_RESULT(summary);
    QCOMPARE(summary->warnings.lines.size(), std::size_t{5});
    QCOMPARE(summary->warnings.lines.back().message, std::string("w12"));
    QCOMPARE(summary->warnings.lines.front().message, std::string("w1"));
    const QString text = renderedAs("text", *summary, 3);
    QVERIFY2(text.contains("w12") && text.contains("\n  … and 9 more messages: 0 errors, 9 warnings\n"), qPrintable(text));
  }
};

QTEST_GUILESS_MAIN(TestBoundedRows)
#include "tst_bounded_rows.moc"
