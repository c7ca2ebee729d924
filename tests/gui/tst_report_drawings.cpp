// SPDX-License-Identifier: GPL-3.0-or-later
// Reports with drawings, by the commands as they are installed.
#include <QtTest>

#include "support/cli_runner.h"
#include "support/sanitizers.h"

#include <set>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

using namespace jitscope::test;

namespace {

/// Hits, misses of two shapes, a benchmark with both legs, a study.
constexpr auto kScript =
    "local f = fn('f', function(x) return x:exp() * 2 end) local g = fn('g', function(x) return f(x) + f(x * 2) end)\n"
    "section 'first' for i = 1, 5 do f(iota({8}, 'f32')) end f(iota({9}, 'f32'))\n"
    "section 'bench' bench{ warmup=0.01, time=0.05, {'f <8>', f, iota({8}, 'f32')} }\n"
    "study{ g, iota({64}, 'f32'), pipelines={'per-function','deferred'} }\n";

void recordSession(const CliRunner &runner) { JS_COMPARE_STATUS(runner.runScript(kScript, {"--progress", "never"}), 0); }

/// A folder with the command alone, and perhaps something in place of the program that draws.
class BareCommand {
public:
  explicit BareCommand(const QByteArray &charts = {}) {
    QVERIFY(QFile::copy(JITSCOPE_COMMAND, m_folder.filePath("jitscope")));
    if (!charts.isEmpty()) {
      QFile file(m_folder.filePath("jitscope-charts"));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(charts);
      file.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
    }
  }
  [[nodiscard]] CommandOutcome run(const CliRunner &runner, const QStringList &arguments) const {
    QProcess process;
    process.setWorkingDirectory(runner.folder());
    process.start(m_folder.filePath("jitscope"), arguments);
    return CliRunner::end(process);
  }

private:
  QTemporaryDir m_folder;
};

} // namespace

class TestReportDrawings : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void thePageHoldsTheFigures() {
    const CliRunner runner;
    recordSession(runner);
    const CommandOutcome outcome = runner.run({"report", "s.jitscope", "-f", "html", "-o", "s.html"});
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(outcome.errors, QByteArray());
    const QString html = QString::fromUtf8(runner.read("s.html"));
    for (const char *caption :
         {"Calls by start and duration", "f &lt;8&gt;: latency by percentile", "f &lt;8&gt;: samples in the order",
          "Compile time of each function by phase", "The slowest compiles by phase", "by the reason for them",
          "Remarks of each pass by kind", "went to repeated copies"}) {
      JS_VERIFY_CONTAINS(html, caption);
    }
    QCOMPARE(html.count("<svg "), 16);
    for (const char *title : {"<h2>Study: g", "<h3>Where they diverge</h3>", "<h3>Work on each function", "<h2>Passes by time"}) {
      JS_VERIFY_CONTAINS(html, title);
    }
    for (const char *unwanted : {"<script", "http:", "https:", "@import", "src=", "<image", "javascript:"}) {
      QVERIFY2(!html.contains(unwanted), unwanted);
    }
    std::set<QString> ids;
    for (auto it = QRegularExpression("\\sid=\"([^\"]+)\"").globalMatch(html); it.hasNext();) {
      const QString id = it.next().captured(1);
      QVERIFY2(ids.insert(id).second, qPrintable(id));
    }
    for (auto it = QRegularExpression("(?:href=\"|url\\()#([^\")]+)").globalMatch(html); it.hasNext();) {
      const QString id = it.next().captured(1);
      QVERIFY2(ids.contains(id), qPrintable(id));
    }
    QCOMPARE(runner.run({"report", "s.jitscope", "-f", "html"}).output, html.toUtf8());
  }

  void drawingsAreOfWhatIsSelected() {
    const CliRunner runner;
    recordSession(runner);
    const CommandOutcome outcome =
        runner.run({"report", "s.jitscope", "-f", "html", "--only", "section=first", "--only", "from=0"});
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(outcome.errors, QByteArray());
    JS_VERIFY_CONTAINS(outcome.output, "Only from 0 s, section first");
    JS_VERIFY_CONTAINS(outcome.output, "Calls by start and duration");
    // The benchmark lies in another section.
    QVERIFY(!outcome.output.contains("latency by percentile"));
    QVERIFY(runner.run({"report", "s.jitscope", "-f", "pdf", "--only", "section=first"}).output.startsWith("%PDF-1."));
  }

  void theMarkdownHoldsTheStudy() {
    const CliRunner runner;
    recordSession(runner);
    const CommandOutcome outcome = runner.run({"report", "s.jitscope", "-f", "markdown"});
    JS_COMPARE_STATUS(outcome, 0);
    for (const char *part : {"\n## Study: g", "\n### Where they diverge", "\n### Work on each function", "| per-function |"}) {
      JS_VERIFY_CONTAINS(outcome.output, part);
    }
  }

  void aPdfIsWritten() {
    const CliRunner runner;
    recordSession(runner);
    const CommandOutcome outcome = runner.run({"report", "s.jitscope", "--format", "pdf", "-o", "s.pdf"});
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(outcome.output + outcome.errors, QByteArray());
    const QByteArray pdf = runner.read("s.pdf");
    QVERIFY(pdf.startsWith("%PDF-1."));
    QVERIFY(pdf.count("/Type /Page\n") >= 2);
    QVERIFY(runner.run({"report", "s.jitscope", "--format", "pdf"}).output.startsWith("%PDF-1."));
    QCOMPARE(runner.files(), (QStringList{"s.jitscope", "s.pdf", "script.lua"}));
  }

  void aTerminalGetsNoPdf() {
    const CliRunner runner;
    recordSession(runner);
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    QVERIFY(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
    const CommandOutcome outcome = runner.run({"report", "s.jitscope", "-f", "pdf"}, {.outputFile = ::ptsname(terminal)});
    ::close(terminal);
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, "a PDF is not for a terminal; name a file for it with --output");
  }

  void withoutTheProgramPagesHaveNoDrawingsAndSaySo() {
    const CliRunner runner;
    recordSession(runner);
    const BareCommand bare;
    const CommandOutcome html = bare.run(runner, {"report", "s.jitscope", "-f", "html"});
    JS_COMPARE_STATUS(html, 0);
    QCOMPARE(html.errors.count('\n'), 1);
    JS_VERIFY_CONTAINS(html.errors, "the report has no drawings: jitscope-charts, the program that draws, is not installed in ");
    QVERIFY(html.output.contains("</html>") && !html.output.contains("<svg"));
    const CommandOutcome pdf = bare.run(runner, {"report", "s.jitscope", "-f", "pdf", "-o", "s.pdf"});
    JS_COMPARE_STATUS(pdf, 2);
    JS_VERIFY_CONTAINS(pdf.errors, "a PDF cannot be made: jitscope-charts, the program that draws, is not installed in ");
    QVERIFY(!runner.files().contains("s.pdf"));
  }

  void whereTheProgramFailsSoDoesOnlyTheDrawing_data() {
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QString>("message");
    QTest::newRow("fails") << QByteArray("#!/bin/sh\necho half\necho 'no fonts' >&2\nexit 3\n")
                           << "jitscope-charts ended with status 3: no fonts";
    QTest::newRow("dies") << QByteArray("#!/bin/sh\nkill -SEGV $$\n") << "jitscope-charts was ended by signal 11";
    QTest::newRow("says nothing") << QByteArray("#!/bin/sh\n") << "jitscope-charts wrote nothing";
    QTest::newRow("is no program") << QByteArray("\x7f"
                                                 "ELFnot")
                                   << "a child process could not be started";
  }
  void whereTheProgramFailsSoDoesOnlyTheDrawing() {
    QFETCH(QByteArray, program);
    QFETCH(QString, message);
    const CliRunner runner;
    recordSession(runner);
    const BareCommand bare(program);
    const CommandOutcome html = bare.run(runner, {"report", "s.jitscope", "-f", "html"});
    JS_COMPARE_STATUS(html, 0);
    JS_VERIFY_CONTAINS(html.errors, message);
    QVERIFY(html.output.startsWith("<!DOCTYPE html>") && html.output.contains("</html>"));
    const CommandOutcome pdf = bare.run(runner, {"report", "s.jitscope", "-f", "pdf", "-o", "s.pdf"});
    JS_COMPARE_STATUS(pdf, 1);
    JS_VERIFY_CONTAINS(pdf.errors, message);
    QVERIFY(!runner.files().contains("s.pdf"));
  }

  void whatCannotBeReadOrWrittenIsNamed_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing session") << QStringList{"report", "no.jitscope", "-f", "pdf", "-o", "s.pdf"} << "no.jitscope";
    QTest::newRow("no session") << QStringList{"report", "script.lua", "-f", "html", "-o", "s.html"} << "script.lua";
    QTest::newRow("missing folder") << QStringList{"report", "s.jitscope", "-f", "pdf", "-o", "no/s.pdf"}
                                    << "the folder no does not exist";
    QTest::newRow("a folder") << QStringList{"report", "s.jitscope", "-f", "html", "-o", "/"} << "it is a folder";
    QTest::newRow("unknown format") << QStringList{"report", "s.jitscope", "-f", "svg"} << "pdf";
  }
  void whatCannotBeReadOrWrittenIsNamed() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, message);
    const CliRunner runner;
    recordSession(runner);
    const QStringList before = runner.files();
    const CommandOutcome outcome = runner.run(arguments);
    JS_COMPARE_STATUS(outcome, 2);
    JS_VERIFY_CONTAINS(outcome.errors, message);
    QCOMPARE(outcome.output, QByteArray());
    QCOMPARE(runner.files(), before);
  }

  void theCommandItselfLoadsNoQt() {
    QProcess ldd;
    ldd.start("ldd", {JITSCOPE_COMMAND});
    QVERIFY(ldd.waitForFinished());
    const QByteArray libraries = ldd.readAllStandardOutput();
    QVERIFY(libraries.contains("libc.so"));
    QVERIFY2(!libraries.contains("Qt"), libraries.constData());
  }
};

QTEST_GUILESS_MAIN(TestReportDrawings)
#include "tst_report_drawings.moc"
