// SPDX-License-Identifier: GPL-3.0-or-later
// Markdown, HTML and CSV: what is in them holds whatever names a script makes up.
#include <QtTest>

#include "analysis/summary.h"
#include "report/chart_source.h"
#include "report/document/document.h"
#include "report/export/csv.h"
#include "report/render/markup.h"
#include "report/reporter.h"

#include <QXmlStreamReader>

#include <string>

using namespace jitscope;

namespace {

const std::string kStrange = "a|b *c* <script>alert(1)</script> `d` \"e\" 'f' & [g](h)\n# i\t\x1b[31m\xff \xF0\x9F\x98\x80";

/// A summary with `name` wherever a script can put one.
analysis::Summary summaryOf(const std::string &name) {
  analysis::Summary summary;
  summary.session.info.scriptPath = "/tmp/" + name;
  summary.session.info.scriptText = "-- " + name + "\n```\n</code></pre>\n";
  summary.session.error = name;
  summary.calls = 1;
  summary.outcomes.push_back({event::Outcome::Miss, 1, 10, 10, 10});
  summary.compiles = 1;
  analysis::MissSummary miss;
  miss.functionName = name;
  miss.signature = name;
  miss.difference = name;
  summary.misses.push_back(miss);
  analysis::FunctionSummary function;
  function.name = name;
  function.templates.emplace_back().signature = name;
  summary.functions.push_back(function);
  summary.sections.resize(2);
  summary.sections[0].name = name;
  summary.sections[1].name = name;
  analysis::CaseSummary bench;
  bench.bench.name = name;
  bench.bench.input = name;
  bench.legs.emplace_back().times = analysis::describe(std::vector<std::uint64_t>{1, 2, 3});
  summary.cases.push_back(bench);
  summary.expectations.push_back({3, name, false, name, name});
  summary.expectationsFailed = 1;
  summary.warnings.lines.push_back({5, event::LogLevel::Warning, name});
  summary.evictions.push_back({event::EvictionReason::Bytes, 1, 1});
  summary.optimizer.remarks = 1;
  summary.optimizer.remarkCounts.push_back({"missed", name, name, 1});
  analysis::LoopFinding &finding = summary.optimizer.loops.findings.emplace_back();
  finding.function = finding.holder = finding.remedy = name;
  finding.loop.file = finding.loop.reason = finding.loop.instruction = name;
  finding.loop.line = 3;
  analysis::FunctionWorkSummary &work = summary.optimizer.work.emplace_back();
  work.name = name;
  return summary;
}

QByteArray rendered(const char *format, const analysis::Summary &summary, const report::ReportOptions &options = {}) {
  return QByteArray::fromStdString(report::makeReporter(format, options)->render(summary));
}

/// "" for well-formed XML, else what is wrong and where.
QString xmlProblem(const QByteArray &text) {
  QXmlStreamReader reader(text);
  while (!reader.atEnd()) {
    reader.readNext();
  }
  return reader.hasError() ? QString("%1 in line %2").arg(reader.errorString()).arg(reader.lineNumber()) : QString();
}

class OneChart final : public report::ChartSource {
public:
  std::vector<report::DocumentFigure> figuresFor(report::ChartPlace place, const analysis::Summary & /*summary*/) const override {
    if (place != report::ChartPlace::CompilePhases) {
      return {};
    }
    return {{"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><rect width=\"4\" height=\"4\"/></svg>",
             "Phases & <more>"}};
  }
};

/// The cells of CSV by RFC 4180.
std::vector<std::vector<std::string>> parseCsv(const std::string &text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  bool isQuoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string &cell = rows.back().back();
    if (isQuoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      cell += text[++i];
    } else if (text[i] == '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && text[i] == ',') {
      rows.back().emplace_back();
    } else if (!isQuoted && text[i] == '\n') {
      rows.push_back({""});
    } else {
      cell += text[i];
    }
  }
  rows.pop_back();
  return rows;
}

} // namespace

class TestReportDocuments : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void htmlIsWellFormedWhateverNamesAre_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("plain") << QByteArray("plain.lua");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("markup") << QByteArray("</td></table><script>");
    QTest::newRow("strange") << QByteArray::fromStdString(kStrange);
    QTest::newRow("long") << QByteArray(10'000, 'x');
    QTest::newRow("nothing but controls") << QByteArray("\0\x01\x02\x0b\x0c\x7f", 6);
  }
  void htmlIsWellFormedWhateverNamesAre() {
    QFETCH(QByteArray, name);
    const QByteArray html = rendered("html", summaryOf(name.toStdString()));
    QCOMPARE(xmlProblem(html), QString());
    QVERIFY(!html.contains("<script"));
    QVERIFY(!html.contains('\x1b'));
  }

  void htmlFetchesNothing() {
    const QByteArray html = rendered("html", summaryOf("a.lua"));
    for (const char *reference : {"src=", "href=\"http", "url(", "@import", "<link", "<iframe", "<object"}) {
      QVERIFY2(!html.contains(reference), reference);
    }
    QVERIFY(html.contains("prefers-color-scheme: dark"));
    QVERIFY(html.contains("@media print"));
    QVERIFY(html.contains("name=\"viewport\""));
  }

  void everyLinkOfThePageHasItsPlace() {
    const QString html = QString::fromUtf8(rendered("html", summaryOf(kStrange)));
    QRegularExpressionMatchIterator links = QRegularExpression("href=\"#([^\"]+)\"").globalMatch(html);
    int count = 0;
    for (; links.hasNext(); ++count) {
      QCOMPARE(html.count("id=\"" + links.next().captured(1) + "\""), 1);
    }
    QVERIFY(count > 5);
  }

  void drawingsArePutInWhereThereAreSome() {
    const OneChart charts;
    report::ReportOptions options;
    options.charts = &charts;
    const QByteArray html = rendered("html", summaryOf("a.lua"), options);
    QCOMPARE(xmlProblem(html), QString());
    QCOMPARE(html.count("<svg "), 1);
    QVERIFY(html.contains("<figcaption>Phases &amp; &lt;more&gt;</figcaption>"));
    QVERIFY(html.indexOf("<h2>Compile time") < html.indexOf("<svg ") && html.indexOf("<svg ") < html.indexOf("<h2>Most expensive"));
    QVERIFY(!rendered("html", summaryOf("a.lua")).contains("<figure>"));
    QVERIFY(!rendered("markdown", summaryOf("a.lua"), options).contains("svg"));
  }

  void markdownTablesKeepTheirColumns() {
    const QList<QByteArray> lines = rendered("markdown", summaryOf(kStrange)).split('\n');
    qsizetype columns = 0;
    int rows = 0;
    for (const QByteArray &line : lines) {
      if (!line.startsWith("|")) {
        columns = 0;
        continue;
      }
      QByteArray bare = line;
      bare.replace("\\\\", "").replace("\\|", "");
      columns = columns == 0 ? bare.count('|') : columns;
      QVERIFY2(bare.count('|') == columns, line.constData());
      ++rows;
    }
    QVERIFY(rows > 20);
  }

  void markdownLeavesNoMarkupOfNames() {
    const QByteArray markdown = rendered("markdown", summaryOf("*bold* <b> [l](u) #1 $x$ &amp; @you a_b"));
    QVERIFY(markdown.contains("\\*bold\\* \\<b\\> \\[l\\](u) \\#1 \\$x\\$ \\&amp; \\@you a\\_b"));
    // The script is quoted as it is, within a longer fence than any in it.
    QVERIFY(markdown.contains("````\n-- *bold* <b>"));
  }

  void longTablesAreCutAndSaySo() {
    analysis::Summary summary;
    analysis::FunctionSummary function;
    function.name = "storm";
    function.templates.resize(5000);
    summary.functions.push_back(function);
    const QByteArray html = rendered("html", summary);
    QVERIFY(html.contains("and 4,800 more templates"));
    QVERIFY(html.size() < 200'000);
  }

  void csvGivesBackWhatWasPutIn() {
    report::CsvWriter csv;
    csv.text("a").text("").text(kStrange).number(7).number(0.5).blank();
    csv.endRow();
    csv.text("\"").text(",").text("\r\n");
    csv.endRow();
    const std::vector<std::vector<std::string>> rows = parseCsv(csv.take());
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0], (std::vector<std::string>{"a", "", kStrange, "7", "0.5", ""}));
    QCOMPARE(rows[1], (std::vector<std::string>{"\"", ",", "\r\n"}));
  }

  void csvReportsHaveAsManyCellsAsTitles() {
    const std::vector<std::vector<std::string>> rows = parseCsv(rendered("csv", summaryOf(kStrange)).toStdString());
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].size(), rows[1].size());
    QCOMPARE(rows[1][1], kStrange);
    QCOMPARE(rows[1][12], std::string("2")); // the median of 1, 2, 3
    QCOMPARE(rows[0][12], std::string("median_ns"));
  }

  void markupIsEscaped() {
    QCOMPARE(report::escapeMarkup("<a b=\"c\" d='e'>&\n\t"), std::string("&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;\n\t"));
    QCOMPARE(report::escapeMarkup(std::string("\0\xff", 2)), std::string("\\x00\\xff"));
  }

  void anEmptySessionIsAPageAllTheSame() {
    for (const char *format : {"html", "markdown"}) {
      QVERIFY(rendered(format, {}).contains("No calls were recorded"));
    }
    QCOMPARE(rendered("csv", {}).count('\n'), 1);
  }
};

QTEST_GUILESS_MAIN(TestReportDocuments)
#include "tst_report_documents.moc"
