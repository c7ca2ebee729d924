// SPDX-License-Identifier: GPL-3.0-or-later
// The reports of a session made by hand, compared with what was checked on paper and committed beside this file.
#include "analysis/summary.h"
#include "report/export/exporter.h"
#include "report/reporter.h"
#include "session/session_reader.h"
#include "support/golden_file.h"
#include "support/result_checks.h"
#include "support/sessions/study_samples.h"

#include <QTemporaryDir>
#include <QTest>

#include <string_view>

using namespace jitscope;

class TestReportGolden : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void theReportIsAsCommitted_data() {
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QString>("format");
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("colour");
    QTest::addColumn<QString>("golden");
    QTest::newRow("text") << "run" << "text" << 100 << false << "report.txt";
    QTest::newRow("narrow text") << "run" << "text" << 80 << false << "report_narrow.txt";
    QTest::newRow("coloured text") << "run" << "text" << 100 << true << "report_colour.txt";
    QTest::newRow("json") << "run" << "json" << 100 << false << "report.json";
    QTest::newRow("study") << "study" << "text" << 100 << false << "study.txt";
    QTest::newRow("narrow study") << "study" << "text" << 80 << false << "study_narrow.txt";
    QTest::newRow("json of a study") << "study" << "json" << 100 << false << "study.json";
    QTest::newRow("markdown") << "run" << "markdown" << 100 << false << "report.md";
    QTest::newRow("markdown of a study") << "study" << "markdown" << 100 << false << "study.md";
    QTest::newRow("csv") << "run" << "csv" << 100 << false << "report.csv";
    QTest::newRow("html") << "run" << "html" << 100 << false << "report.html";
  }
  void theReportIsAsCommitted() {
    QFETCH(QString, sample);
    QFETCH(QString, format);
    QFETCH(int, width);
    QFETCH(bool, colour);
    QFETCH(QString, golden);
    QTemporaryDir folder;
    QVERIFY(folder.isValid());
    const std::string path = folder.filePath("sample.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, sample == "study" ? test::studyRecording() : test::sampleRecording()));
    const auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    base::Result<analysis::Summary> summary = analysis::summarize(**reader);
    JS_VERIFY_RESULT(summary);
    summary->path = "sample.jitscope"; // the temporary folder's name is another each time
    report::ReportOptions options;
    options.width = static_cast<std::size_t>(width);
    options.colour = colour;
    const auto reporter = report::makeReporter(format.toStdString(), options);
    JS_VERIFY_RESULT(reporter);
    const std::string text = reporter->render(*summary);
    QCOMPARE(reporter->render(*summary), text);
    test::compareWithGolden(text, golden);
  }

  void theExportIsAsCommitted_data() {
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("golden");
    QTest::newRow("chrome trace") << "chrome-trace" << "calls" << "trace.json";
    QTest::newRow("calls") << "csv" << "calls" << "calls.csv";
    QTest::newRow("compiles") << "csv" << "compiles" << "compiles.csv";
  }
  void theExportIsAsCommitted() {
    QFETCH(QString, format);
    QFETCH(QString, table);
    QFETCH(QString, golden);
    QTemporaryDir folder;
    const std::string path = folder.filePath("sample.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::sampleRecording()));
    const auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    const auto exporter = report::makeExporter(format.toStdString(), table.toStdString());
    JS_VERIFY_RESULT(exporter);
    std::string text;
    JS_VERIFY_RESULT((*exporter)->write(**reader, [&text](std::string_view piece) -> base::Result<void> {
      text += piece;
      return {};
    }));
    test::compareWithGolden(text, golden);
  }
};

QTEST_GUILESS_MAIN(TestReportGolden)
#include "tst_report_golden.moc"
