// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "session/file/database.h"
#include "session/session_reader.h"
#include "support/gui/gui_fixture.h"
#include "support/result_checks.h"
#include "support/sessions/session_files.h"
#include "ui/diff/diff_view.h"
#include "ui/models/template_model.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compiles/compiles_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/latency_page.h"
#include "ui/pages/templates_page.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/pages/timeline/timeline_view.h"
#include "ui/script/run_output.h"
#include "ui/script/script_page.h"
#include "ui/widgets/save_file.h"
#include "ui/window/report_export.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QProcess>
#include <QTextBrowser>
#include <QTimer>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace jitscope;
using Json = nlohmann::json;

/// Whole ways through the window, with the mouse and the keys, on sessions that the command records.
class TestJourneys : public QObject {
  Q_OBJECT

private:
  template <typename PageClass> PageClass &page(const char *name) { return *qobject_cast<PageClass *>(m_window->page(name)); }
  ui::ScriptPage &scriptPage() { return page<ui::ScriptPage>("script"); }
  ui::TimelineView &timelineView() { return page<ui::TimelinePage>("timeline").view(); }
  charts::TimelineChart &chart() { return timelineView().timeline(); }

  QString script(const QString &name, const QByteArray &text) {
    test::writeFile(m_sandbox.file(name), text);
    return m_sandbox.file(name);
  }
  /// Presses F5 and waits until the session has ended and its pages have read it.
  void run() {
    QSignalSpy finished(&scriptPage().scriptRun(), &ui::ScriptRun::finished);
    QTest::keyClick(m_window.get(), Qt::Key_F5);
    QVERIFY(finished.size() > 0 || scriptPage().scriptRun().isRunning());
    QVERIFY(finished.size() > 0 || finished.wait(240'000));
    // A failure is said last, and Qt Test cuts long messages.
    const int status = finished[0][0].toInt();
    QVERIFY2(status == 0, qPrintable(QString("status %1: %2").arg(status).arg(scriptPage().output().toPlainText().right(600))));
    QTRY_COMPARE_WITH_TIMEOUT(m_window->store().row().status, record::SessionStatus::Finished, 20'000);
    QVERIFY(test::settle(m_window->store()));
  }
  void openExample(const QString &title) {
    auto *menu = m_window->findChild<QMenu *>("examplesMenu");
    QVERIFY(menu != nullptr);
    for (QAction *action : menu->actions()) {
      if (action->text() == title) {
        action->trigger();
        return;
      }
    }
    QFAIL(qPrintable("no such example: " + title));
  }
  /// Clicks a link of the details by its text.
  void clickLink(const QString &text) {
    QTextBrowser &details = page<ui::TimelinePage>("timeline").details();
    QTextCursor cursor = details.document()->find(text);
    QVERIFY2(!cursor.isNull(), qPrintable(details.toPlainText()));
    cursor.setPosition(cursor.selectionStart() + 1);
    details.setTextCursor(cursor);
    details.ensureCursorVisible();
    QTest::mouseClick(details.viewport(), Qt::LeftButton, {}, details.cursorRect(cursor).center() + QPoint(2, 0));
    QVERIFY(test::settle(m_window->store()));
  }
  void clickCompile(const std::string &pipeline) {
    const auto &compiles = chart().data().compiles;
    const auto compile = std::ranges::find(compiles, pipeline, &analysis::CompileSpan::pipeline);
    QVERIFY(compile != compiles.end());
    const auto &threads = chart().data().view.threads;
    const auto row = static_cast<std::size_t>(std::ranges::find(threads, compile->thread) - threads.begin());
    const double middle = static_cast<double>(compile->startNs) + static_cast<double>(compile->totalNs) / 2;
    QTest::mouseClick(timelineView().viewport(), Qt::LeftButton, {},
                      QPointF(chart().xOf(middle), chart().threadRow(row).center().y()).toPoint());
    QVERIFY(test::settle(m_window->store()));
  }
  void drag(double fromNs, double toNs) {
    QWidget *viewport = timelineView().viewport();
    const int y = static_cast<int>(chart().plotArea().center().y());
    const QPoint from(static_cast<int>(chart().xOf(fromNs)), y);
    const QPoint to(static_cast<int>(chart().xOf(toNs)), y);
    QTest::mousePress(viewport, Qt::LeftButton, {}, from);
    QTest::mouseMove(viewport, (from + to) / 2);
    QTest::mouseMove(viewport, to);
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
    QVERIFY(test::settle(m_window->store()));
  }
  std::uint64_t callsIn(const ui::TemplateModel &model) {
    std::uint64_t calls = 0;
    for (int function = 0; function < model.rowCount({}); ++function) {
      calls += model.index(function, ui::TemplateModel::Calls, {}).data(ui::SortRole).toULongLong();
    }
    return calls;
  }

private Q_SLOTS:
  void init() {
    m_window = test::showWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    scriptPage().setCommand(QStringLiteral(JITSCOPE_COMMAND));
  }
  void cleanup() { m_window.reset(); }

  void anExampleRunFillsEveryPageWithoutAReload() {
    openExample("Recompile storm");
    run();
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QVERIFY(chart().data().view.calls > 0);
    // What the longest call cost, and why, is seen before anybody chooses one.
    QVERIFY(page<ui::TimelinePage>("timeline").details().toPlainText().contains("MISS"));
    QVERIFY(!m_window->focus().callId().isValid());
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    QCOMPARE(callsIn(page<ui::TemplatesPage>("templates").model()), chart().data().view.calls);
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    QVERIFY(!page<ui::CompilesPage>("compiles").model().rows().empty());
  }

  void aRangeHoldsForThePagesUntilItsChipIsClicked() {
    m_window->openPath(script("bench.lua", "local f = fn('f', function(x) return x * 2 end)\nlocal x = zeros({ 8 }, 'f32')\n"
                                           "bench { warmup = 0, time = 0.2, { 'case', f, x } }\n"));
    run();
    QVERIFY(test::showAndSettle(*m_window, "latency"));
    QCOMPARE(page<ui::LatencyPage>("latency").model().rows().size(), std::size_t{2});
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    const std::uint64_t all = chart().data().view.calls;
    const auto end = static_cast<double>(chart().range().toNs);
    drag(0, end / 2);
    auto *chip = m_window->findChild<QWidget *>("chip");
    QVERIFY(chip != nullptr && chip->isVisible());
    const auto range = m_window->filter().selection().range;
    QVERIFY(range.has_value());
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    const std::uint64_t some = callsIn(page<ui::TemplatesPage>("templates").model());
    QVERIFY2(some > 0 && some < all, qPrintable(QString::number(some)));
    QTest::mouseClick(chip, Qt::LeftButton);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(callsIn(page<ui::TemplatesPage>("templates").model()), all);
    m_bench = m_window->store().path();
  }

  void figuresEqualThoseOfTheReport_data() {
    QTest::addColumn<QStringList>("only");
    QTest::addColumn<analysis::Selection>("selection");
    QTest::newRow("of everything") << QStringList() << analysis::Selection();
    QTest::newRow("of hits") << QStringList{"outcome=hit"} << analysis::Selection{.outcome = event::Outcome::Hit};
    QTest::newRow("of a case in a range") << QStringList{"case=case", "from=1ms", "to=10"}
                                          << analysis::Selection{.range = analysis::TimeRange{1'000'000, 10'000'000'000},
                                                                 .caseId = base::CaseId(1)};
  }
  void figuresEqualThoseOfTheReport() {
    QFETCH(QStringList, only);
    QFETCH(analysis::Selection, selection);
    QVERIFY(!m_bench.isEmpty());
    QVERIFY(test::openAndSettle(*m_window, m_bench));
    ui::Filter &filter = m_window->filter();
    if (selection.range) {
      filter.setRange(*selection.range);
    }
    if (selection.caseId) {
      filter.setCase(*selection.caseId, "case");
    }
    if (selection.outcome) {
      filter.setOutcome(*selection.outcome);
    }
    QVERIFY(filter.selection() == selection);
    QStringList arguments{"report", m_bench, "--format", "json"};
    for (const QString &condition : only) {
      arguments << "--only" << condition;
    }
    QProcess command;
    command.start(QStringLiteral(JITSCOPE_COMMAND), arguments);
    QVERIFY(command.waitForFinished(60'000));
    const Json report = Json::parse(command.readAllStandardOutput().toStdString());

    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QCOMPARE(chart().data().view.calls, report["calls"]["count"].get<std::uint64_t>());

    QVERIFY(test::showAndSettle(*m_window, "templates"));
    const ui::TemplateModel &model = page<ui::TemplatesPage>("templates").model();
    std::size_t templates = 0;
    for (int f = 0; f < model.rowCount({}); ++f) {
      const QModelIndex function = model.index(f, 0, {});
      const Json &reported = report["functions"][static_cast<std::size_t>(f)];
      QCOMPARE(model.functionAt(function).name, reported["name"].get<std::string>());
      QCOMPARE(static_cast<std::size_t>(model.rowCount(function)), reported["templates"].size());
      for (int t = 0; t < model.rowCount(function); ++t, ++templates) {
        const Json &entry = reported["templates"][static_cast<std::size_t>(t)];
        const auto shown = [&](int column) { return model.index(t, column, function).data(ui::SortRole).toULongLong(); };
        QCOMPARE(shown(ui::TemplateModel::Calls), entry["calls"].get<qulonglong>());
        QCOMPARE(shown(ui::TemplateModel::Hits), entry["outcomes"]["hit"].get<qulonglong>());
        QCOMPARE(shown(ui::TemplateModel::Compiled), entry["paid_for_compile"].get<qulonglong>());
        QCOMPARE(shown(ui::TemplateModel::CompileTime), entry["compile_ns"].get<qulonglong>());
        QCOMPARE(shown(ui::TemplateModel::Code), entry["code_bytes"].get<qulonglong>());
      }
    }
    QVERIFY(templates > 0);

    QVERIFY(test::showAndSettle(*m_window, "latency"));
    const auto &rows = page<ui::LatencyPage>("latency").model().rows();
    const Json &legs = report["cases"][0]["legs"];
    QCOMPARE(rows.size(), legs.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const analysis::Statistics &times = rows[i].leg.times;
      QCOMPARE(times.average, legs[i]["average_ns"].get<double>());
      QCOMPARE(times.median, legs[i]["median_ns"].get<double>());
      QCOMPARE(times.p99, legs[i]["p99_ns"].get<double>());
      QCOMPARE(times.deviation, legs[i]["deviation_ns"].get<double>());
    }

    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    std::uint64_t total = 0;
    for (const analysis::MissSummary &row : page<ui::CompilesPage>("compiles").model().rows()) {
      total += row.times.totalNs;
    }
    QCOMPARE(total, report["compiles"]["total_ns"].get<std::uint64_t>());
  }

  void callsOfOneOutcomeAreLeftByTheMenuAndByALink() {
    QVERIFY(!m_bench.isEmpty());
    QVERIFY(test::openAndSettle(*m_window, m_bench));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    const std::uint64_t all = chart().data().view.calls;
    for (QAction *action : m_window->findChild<QMenu *>("outcomeMenu")->actions()) {
      if (action->text() == "hit") {
        action->trigger();
      }
    }
    QVERIFY(test::settle(m_window->store()));
    const std::uint64_t hits = chart().data().view.calls;
    QVERIFY(hits > 0 && hits < all);
    QTest::keyClick(m_window.get(), Qt::Key_Escape);
    QVERIFY(test::settle(m_window->store()));
    // The longest call, which is shown unasked, may be a hit where the machine has other things to do.
    const auto reader = session::SessionReader::open(m_bench.toStdString());
    JS_VERIFY_RESULT(reader);
    const auto miss =
        (*reader)->database().queryInteger("SELECT call_id FROM compile WHERE call_id IS NOT NULL ORDER BY id LIMIT 1");
    JS_VERIFY_RESULT(miss);
    QVERIFY(miss->has_value());
    m_window->focus().setCall(base::CallId(static_cast<std::uint64_t>(**miss)), {});
    QVERIFY(test::settle(m_window->store()));
    clickLink("MISS");
    QCOMPARE(m_window->filter().selection().outcome, std::optional(event::Outcome::Miss));
    QCOMPARE(chart().data().view.calls, all - hits);
  }

  void aStudyLeadsToTheReasonInThreeClicks() {
    openExample("Numba vectorization");
    run();
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    const ui::TimelinePage &timeline = page<ui::TimelinePage>("timeline");
    // Studies call nothing, and yet there is something to click.
    QCOMPARE(chart().data().view.calls, std::uint64_t{0});
    QVERIFY(!chart().data().view.threads.empty());
    clickCompile("deferred");
    QVERIFY2(timeline.details().toPlainText().contains("deferred"), qPrintable(timeline.details().toPlainText()));
    clickLink("IR beside");
    ui::DiffPage &diff = page<ui::DiffPage>("diff");
    QVERIFY(diff.isVisible());
    QVERIFY2(diff.left().currentText().startsWith("per-function · final"), qPrintable(diff.left().currentText()));
    QVERIFY2(diff.right().currentText().startsWith("deferred · final"), qPrintable(diff.right().currentText()));
    const QString why = diff.why().toPlainText();
    QVERIFY2(why.contains("Before inner was inlined into outer_logp_wrapper, per-function had run slp-vectorizer"),
             qPrintable(why));
    QVERIFY2(why.contains("vectorized loop"), qPrintable(why));
    const auto &rows = diff.view().diff().rows;
    const auto isVector = [](const std::string &line) { return line.find(" x double>") != std::string::npos; };
    QVERIFY(std::ranges::any_of(rows, [&](const analysis::DiffRow &row) { return isVector(row.right) && !isVector(row.left); }));
    m_study = m_window->store().path();
    // The table of compiles names those that were recorded in detail, and the repetitions not.
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    const auto &compiles = page<ui::CompilesPage>("compiles").model().rows();
    QCOMPARE(compiles.size(), std::size_t{6});
    QVERIFY(std::ranges::all_of(compiles, [](const analysis::MissSummary &row) {
      return row.reason == event::MissReason::Study && row.functionName == "outer_logp_wrapper" && !row.section.empty();
    }));
  }

  void theDiffIsSteppedThroughByKeys() {
    QVERIFY(!m_study.isEmpty());
    QVERIFY(test::openAndSettle(*m_window, m_study));
    QVERIFY(test::showAndSettle(*m_window, "diff"));
    ui::DiffPage &diff = page<ui::DiffPage>("diff");
    QVERIFY(diff.view().changes() > 1);
    std::size_t steps = 0;
    for (; steps <= diff.view().changes(); ++steps) {
      const auto before = diff.view().currentChange();
      QTest::keyClick(&diff.view(), Qt::Key_F8);
      if (diff.view().currentChange() == before) {
        break;
      }
    }
    QCOMPARE(steps, diff.view().changes());
    QTest::keyClick(&diff.view(), Qt::Key_F7);
    QCOMPARE(diff.view().currentChange(), std::optional(diff.view().changes() - 2));
    const QString right = diff.right().currentText();
    QTest::keyClick(&diff.view(), Qt::Key_Down, Qt::AltModifier);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(!diff.passes().rows().empty());
    QVERIFY(!right.isEmpty());
  }

  void theReportIsExportedInTheFormatOfItsName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("holds");
    QTest::newRow("html") << "out.html" << "</html>";
    QTest::newRow("markdown") << "out.md" << "| ";
    QTest::newRow("json") << "out.json" << "\"by_outcome\"";
    QTest::newRow("html with its drawings") << "drawn.html" << "<svg ";
    QTest::newRow("pdf") << "out.pdf" << "%PDF-1.";
  }
  void theReportIsExportedInTheFormatOfItsName() {
    QFETCH(QString, name);
    QFETCH(QString, holds);
    QVERIFY(!m_bench.isEmpty());
    QVERIFY(test::openAndSettle(*m_window, m_bench));
    const QString path = m_sandbox.file(name);
    QTimer::singleShot(0, this, [path] {
      auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
      if (dialog != nullptr) {
        dialog->selectFile(path);
        QMetaObject::invokeMethod(dialog, "accept");
      }
    });
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
    QVERIFY(test::settle(m_window->store()));
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path).size() > 100, test::kPatienceMs);
    QVERIFY(test::readFile(path).contains(holds.toUtf8()));
  }

  void aReportIsOfWhatTheFilterLeaves() {
    QVERIFY(!m_bench.isEmpty());
    QVERIFY(test::openAndSettle(*m_window, m_bench));
    m_window->filter().setOutcome(event::Outcome::Hit);
    for (const char *name : {"hits.md", "hits.html"}) {
      QSignalSpy ended(&m_window->reportExport(), &ui::ReportExport::ended);
      JS_VERIFY_RESULT(m_window->reportExport().write(m_sandbox.file(name), m_window->filter().selection()));
      QVERIFY(ended.size() > 0 || ended.wait(60'000));
      QVERIFY2(ended[0][0].toString().contains(name), qPrintable(ended[0][0].toString()));
      QVERIFY(test::readFile(m_sandbox.file(name)).contains("Only outcome hit"));
    }
  }

  void withoutTheProgramThatDrawsPagesHaveNoDrawingsAndPdfIsRefused() {
    QVERIFY(!m_bench.isEmpty());
    QVERIFY(test::openAndSettle(*m_window, m_bench));
    ui::ReportExport &exporter = m_window->reportExport();
    exporter.setFolder(m_sandbox.file("no folder"));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_sandbox.file("no folder").toLocal8Bit());
    QSignalSpy ended(&exporter, &ui::ReportExport::ended);
    const base::Result<void> pdf = exporter.write(m_sandbox.file("none.pdf"), {});
    const base::Result<void> html = exporter.write(m_sandbox.file("plain.html"), {});
    qputenv("PATH", path);
    QVERIFY(!pdf);
    QVERIFY2(pdf.error().message.find("Install it, or choose another format") != std::string::npos, pdf.error().message.c_str());
    JS_VERIFY_RESULT(html);
    QVERIFY(ended.size() > 0 || ended.wait(60'000));
    QVERIFY(ended[0][0].toString().contains("has no drawings"));
    const QByteArray page = test::readFile(m_sandbox.file("plain.html"));
    QVERIFY(page.contains("</html>") && !page.contains("<svg"));
    QVERIFY(!QFileInfo::exists(m_sandbox.file("none.pdf")));
    QVERIFY(!exporter.write(m_sandbox.file("report.docx"), {}));
  }

  void aFileThatTheEndingNamesIsNotReplacedUnasked() {
    QVERIFY(!m_bench.isEmpty());
    QVERIFY(test::openAndSettle(*m_window, m_bench));
    const QString path = m_sandbox.file("kept.html");
    test::writeFile(path, "precious");
    bool wasAsked = false;
    // The name is given without its ending; then comes the question, which is answered with No, and the dialog is given up.
    QTimer::singleShot(0, this, [&] {
      auto *dialog = qobject_cast<QFileDialog *>(QApplication::activeModalWidget());
      QVERIFY(dialog != nullptr);
      QTimer::singleShot(0, this, [&wasAsked] {
        if (auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
          wasAsked = question->text().contains("kept.html");
          question->button(QMessageBox::No)->click();
        }
      });
      dialog->setDirectory(QFileInfo(path).path());
      dialog->findChild<QLineEdit *>("fileNameEdit")->setText("kept");
      QMetaObject::invokeMethod(dialog, "accept");
      dialog->reject();
    });
    QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
    QVERIFY(wasAsked);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(test::readFile(path), QByteArray("precious"));
  }

  void twoRunsAreCompared() {
    const QByteArray head = "local f = fn('f', function(x) return x * 2 end)\n";
    m_window->openPath(script("a.lua", head + "f(zeros({ 4 }, 'f32'))\n"));
    run();
    const QString base = m_window->store().path();
    m_window->openPath(script("b.lua", head + "f(zeros({ 4 }, 'f32'))\nf(zeros({ 5 }, 'f32'))\nf(zeros({ 6 }, 'f32'))\n"));
    run();
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    ui::ComparePage &compare = page<ui::ComparePage>("compare");
    compare.compareWith(base);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(!compare.verdict().contains("; 0 counts worse"), qPrintable(compare.verdict()));
    QVERIFY(std::ranges::any_of(compare.counts().rows(), [](const analysis::CountComparison &row) {
      return row.verdict == analysis::Verdict::Worse && row.key.function == "f";
    }));
  }

private:
  test::GuiSandbox m_sandbox;
  QString m_bench; ///< the session of a benchmark
  QString m_study;
  std::unique_ptr<ui::MainWindow> m_window;
};

QTEST_MAIN(TestJourneys)
#include "tst_journeys.moc"
