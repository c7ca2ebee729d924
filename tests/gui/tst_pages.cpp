// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/compiles/loop_summary.h"
#include "analysis/summary.h"
#include "event/loops.h"
#include "session/session_reader.h"
#include "support/gui/window_test.h"
#include "support/result_checks.h"
#include "support/sessions/studied_session.h"
#include "ui/diff/diff_view.h"
#include "ui/models/template_model.h"
#include "ui/pages/compiles/compiles_page.h"
#include "ui/pages/compiles/remarks_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/latency_page.h"
#include "ui/pages/templates_page.h"
#include "ui/widgets/tables/item_view.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTabWidget>

#include <limits>

using namespace jitscope;
using event::Outcome;

class TestPages : public test::WindowTest {
  Q_OBJECT

public:
  TestPages() : WindowTest(test::studiedRecording) {}

private:
  template <typename P> P &page(const char *name) { return *qobject_cast<P *>(m_window->page(QString::fromLatin1(name))); }
  QString cell(const QAbstractItemModel &model, int row, int column) { return model.index(row, column).data().toString(); }

  analysis::Summary summary(const analysis::Selection &selection) {
    auto reader = session::SessionReader::open(m_path.toStdString());
    Q_ASSERT(reader);
    analysis::SummaryOptions options;
    options.selection = selection;
    auto result = analysis::summarize(**reader, options);
    Q_ASSERT(result);
    return *std::move(result);
  }

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void modelsKeepTheirWord_data() {
    QTest::addColumn<QString>("page");
    for (const char *name : {"latency", "templates", "compiles", "remarks", "diff", "compare"}) {
      QTest::newRow(name) << QString::fromLatin1(name);
    }
  }
  void modelsKeepTheirWord() {
    QFETCH(QString, page);
    std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
    for (ui::ItemView *view : m_window->page(page)->findChildren<ui::ItemView *>()) {
      testers.push_back(std::make_unique<QAbstractItemModelTester>(view->proxy()->sourceModel(),
                                                                   QAbstractItemModelTester::FailureReportingMode::QtTest));
      testers.push_back(
          std::make_unique<QAbstractItemModelTester>(view->model(), QAbstractItemModelTester::FailureReportingMode::QtTest));
    }
    QVERIFY(!testers.empty());
    QVERIFY(test::showAndSettle(*m_window, page));
    m_window->filter().setSection(base::SectionId(2), "two");
    QVERIFY(test::settle(m_window->store()));
    m_window->filter().clear();
    m_window->store().close();
    QVERIFY(test::settle(m_window->store()));
  }

  void latencyEqualsTheReport() {
    QVERIFY(test::showAndSettle(*m_window, "latency"));
    const auto &rows = page<ui::LatencyPage>("latency").model().rows();
    const analysis::Summary expected = summary({});
    QCOMPARE(rows.size(), std::size_t{2});
    for (std::size_t i = 0; i < 2; ++i) {
      const analysis::LegStatistics &leg = expected.cases[i].legs[0];
      QCOMPARE(rows[i].leg.times.median, leg.times.median);
      QCOMPARE(rows[i].leg.times.p99, leg.times.p99);
      QCOMPARE(rows[i].leg.times.deviation, leg.times.deviation);
    }
    const auto views = page<ui::LatencyPage>("latency").findChildren<ui::ItemView *>();
    QVERIFY(std::ranges::any_of(views, [](const ui::ItemView *view) {
      return view->asCsv().contains("Average (ns),Deviation (ratio to the average),Median (ns)");
    }));
    const auto &model = page<ui::LatencyPage>("latency").model();
    QCOMPARE(cell(model, 0, 10), QStringLiteral("1.00 s")); // the cold leg's maximum is its miss
    auto *without = m_window->findChild<QCheckBox *>("withoutCompiles");
    without->click();
    QCOMPARE(cell(model, 0, 10), QStringLiteral("900 µs"));
    QCOMPARE(cell(model, 0, 12), QStringLiteral("3"));
    const QString sentence = m_window->findChild<QLabel *>("latencySentence")->text();
    QVERIFY2(sentence.contains("3 of 4 samples, without those that a compile held up; first of them"), qPrintable(sentence));
    QVERIFY2(!sentence.contains("Sample 1 of"), qPrintable(sentence));
  }

  void aFirstSampleThatTheFilterLeavesOutIsNotReplaced() {
    QVERIFY(test::showAndSettle(*m_window, "latency"));
    const auto &model = page<ui::LatencyPage>("latency").model();
    QVERIFY(!cell(model, 0, 11).isEmpty());
    m_window->filter().setRange({3000 * test::kMs, 7000 * test::kMs});
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(cell(model, 0, 1), QStringLiteral("cold"));
    QCOMPARE(cell(model, 0, 11), QString());
    QCOMPARE(cell(model, 0, 12), QStringLiteral("3"));
    QVERIFY(!cell(model, 1, 11).isEmpty());
    const QString sentence = m_window->findChild<QLabel *>("latencySentence")->text();
    QVERIFY2(sentence.contains("first sample left out by the filter"), qPrintable(sentence));
    m_window->filter().clear();
    QVERIFY(test::settle(m_window->store()));
  }

  void templatesEqualTheReport_data() {
    QTest::addColumn<int>("section");
    QTest::newRow("everything") << 0;
    QTest::newRow("a section") << 2;
  }
  void templatesEqualTheReport() {
    QFETCH(int, section);
    analysis::Selection selection;
    if (section > 0) {
      m_window->filter().setSection(base::SectionId(static_cast<std::uint32_t>(section)), "s");
      selection.sectionId = base::SectionId(static_cast<std::uint32_t>(section));
    }
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    const ui::TemplateModel &model = page<ui::TemplatesPage>("templates").model();
    const analysis::Summary expected = summary(selection);
    QCOMPARE(model.rowCount({}), static_cast<int>(expected.functions.size()));
    for (int f = 0; f < model.rowCount({}); ++f) {
      const QModelIndex function = model.index(f, 0, {});
      const auto &templates = expected.functions[static_cast<std::size_t>(f)].templates;
      QCOMPARE(model.rowCount(function), static_cast<int>(templates.size()));
      for (int t = 0; t < model.rowCount(function); ++t) {
        const auto number = [&](int column) { return model.index(t, column, function).data(ui::SortRole).toULongLong(); };
        const analysis::TemplateSummary &entry = templates[static_cast<std::size_t>(t)];
        QCOMPARE(number(ui::TemplateModel::Calls), entry.calls);
        QCOMPARE(number(ui::TemplateModel::Hits), entry.outcomes[Outcome::Hit]);
        QCOMPARE(number(ui::TemplateModel::Compiled), entry.outcomes.paidForCompile());
        QCOMPARE(number(ui::TemplateModel::CompileTime), entry.compileNs);
        QCOMPARE(number(ui::TemplateModel::Code), entry.codeBytes);
      }
    }
  }

  void choosingATemplateChoosesItEverywhere() {
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    auto *tree = m_window->findChild<ui::ItemView *>("templateTree");
    m_window->focus().setTemplate(base::TemplateId(3));
    QCOMPARE(tree->currentId().toLongLong(), 3LL);
    QVERIFY(tree->asCsv().startsWith("\"Function, template\",Calls,Hits"));
    QVERIFY(tree->asCsv().contains(",Compile time (ns),Code (bytes),"));
    QVERIFY(tree->asText(true).contains("Matmul.dot:2\t"));
    QVERIFY(tree->asText(false).contains("f32[256,256]"));
  }

  void compilesShowPhasesPassesAndRepeats() {
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    ui::CompilesPage &compiles = page<ui::CompilesPage>("compiles");
    QCOMPARE(compiles.model().rows().size(), std::size_t{6});
    std::uint64_t total = 0;
    for (const auto &row : compiles.model().rows()) {
      total += row.times.totalNs;
    }
    QCOMPARE(total, summary({}).compileTimes.totalNs);
    QCOMPARE(compiles.passes().rows().size(), std::size_t{2});
    QCOMPARE(QString::fromStdString(compiles.passes().rows()[0].name), QStringLiteral("loop-vectorize"));
    QCOMPARE(compiles.passes().rows()[0].totalNs, std::uint64_t{160'000});
    m_window->focus().setCompile(base::CompileId(6), base::TemplateId(3));
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(compiles.passes().rows()[0].totalNs, std::uint64_t{90'000});
    const auto &redundantWork = compiles.redundantWork().rows();
    const auto row =
        std::ranges::find_if(redundantWork, [](const analysis::WorkTotal &work) { return work.pipeline == "per-function"; });
    QVERIFY(row != redundantWork.end());
    QCOMPARE(row->optimized, std::uint64_t{2});
    QCOMPARE(row->repeatNs, 3 * test::kMs / 2);
  }

  void compilesShowWhatBecameOfEachLoopAndWhy() {
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    const auto &rows = page<ui::CompilesPage>("compiles").loops().rows();
    const auto reader = session::SessionReader::open(m_window->store().path().toStdString());
    JS_VERIFY_RESULT(reader);
    const base::Result<analysis::LoopSummary> expected =
        analysis::readLoopSummary(**reader, analysis::Selection(), analysis::LoopScope::All);
    JS_VERIFY_RESULT(expected);
    QVERIFY(expected->findings.size() > 1);
    QCOMPARE(rows.size(), expected->findings.size());
    auto *table = m_window->findChild<ui::ItemView *>("loopTable");
    const QString text = table->asCsv();
    for (const analysis::LoopFinding &finding : expected->findings) {
      for (const std::string &part : {event::outcomeText(finding.loop), event::reasonText(finding.loop), finding.remedy}) {
        QVERIFY2(text.contains(QString::fromStdString(part)), qPrintable(text));
      }
    }
    QVERIFY2(text.contains("vectorized, width ") && text.contains("scalar"), qPrintable(text));
    auto *tabs = m_window->page("compiles")->findChild<QTabWidget *>();
    QCOMPARE(tabs->tabText(tabs->indexOf(table)),
             QString("Loops: %1 of %2 vectorized").arg(expected->vectorized).arg(expected->innermost));
  }

  void aChosenRemarkLeadsToItsLineAndToItsIr() {
    QVERIFY(test::showAndSettle(*m_window, "remarks"));
    ui::RemarksPage &remarks = page<ui::RemarksPage>("remarks");
    auto *table = m_window->findChild<ui::ItemView *>("remarkTable");
    auto *details = m_window->findChild<QLabel *>("remarkDetails");
    QVERIFY(details->text().startsWith("Select a remark"));
    table->setCurrentIndex(table->proxy()->index(0, 0));
    const analysis::RemarkGroup &chosen = remarks.model().row(table->proxy()->mapToSource(table->currentIndex())).remark;
    QVERIFY(chosen.line > 0);
    QVERIFY2(details->text().contains(QString::fromStdString(chosen.message).toHtmlEscaped()), qPrintable(details->text()));
    QSignalSpy lines(&remarks, &ui::Page::lineWanted);
    QSignalSpy pages(&remarks, &ui::Page::pageWanted);
    // The links are reached by the keys, as by the mouse.
    details->setFocus();
    QTest::keyClick(details, Qt::Key_Tab);
    QTest::keyClick(details, Qt::Key_Return);
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0][0].toInt(), chosen.line);
    QVERIFY(m_window->focus().compileId() == chosen.compileId);
    Q_EMIT details->linkActivated("ir");
    QCOMPARE(pages.size(), 1);
    QCOMPARE(pages[0][0].toString(), QStringLiteral("diff"));
  }

  void remarksOfOnePipelineOnly() {
    QVERIFY(test::showAndSettle(*m_window, "remarks"));
    ui::RemarksPage &remarks = page<ui::RemarksPage>("remarks");
    QCOMPARE(remarks.model().rows().size(), std::size_t{3});
    auto *pipelines = m_window->findChild<QComboBox *>("remarkPipelines");
    pipelines->setCurrentIndex(pipelines->findData(QStringList{"deferred", "per-function"}));
    QCOMPARE(remarks.model().rows().size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(remarks.model().rows()[0].remark.name), QStringLiteral("Vectorized"));
    QSignalSpy lines(&remarks, &ui::Page::lineWanted);
    auto *table = m_window->findChild<ui::ItemView *>("remarkTable");
    Q_EMIT table->activated(table->model()->index(0, 0));
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0][0].toInt(), 3);
    QCOMPARE(m_window->page("script")->isVisible(), true);
  }

  void remarksAreComparedStudyByStudy() {
    // The second study, in another section, vectorizes under both pipelines.
    test::Recording recording = test::studiedRecording();
    for (const std::uint32_t id : {1U, 2U}) {
      event::StudyEvent study;
      study.id = base::StudyId(id);
      study.sectionId = base::SectionId(id + 1);
      study.functionId = base::FunctionId(2);
      recording.events.emplace_back(study);
    }
    std::vector<event::CompileEvent> again;
    for (event::Event &event : recording.events) {
      if (auto *compile = std::get_if<event::CompileEvent>(&event); compile != nullptr && compile->id.value > 4) {
        compile->studyId = base::StudyId(1);
        again.push_back(*compile);
      }
    }
    for (event::CompileEvent &compile : again) {
      compile.id = base::CompileId(compile.id.value + 2);
      compile.studyId = base::StudyId(2);
      compile.remarks = again.back().remarks;
      recording.events.emplace_back(compile);
    }
    const QString path = m_sandbox.file("two-studies.jitscope");
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), recording));
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(test::showAndSettle(*m_window, "remarks"));
    ui::RemarksPage &remarks = page<ui::RemarksPage>("remarks");
    auto *pipelines = m_window->findChild<QComboBox *>("remarkPipelines");
    for (const auto &[order, name] : {std::pair(QStringList{"deferred", "per-function"}, "Vectorized"),
                                      std::pair(QStringList{"per-function", "deferred"}, "MissedDetails")}) {
      pipelines->setCurrentIndex(pipelines->findData(order));
      QCOMPARE(remarks.model().rows().size(), std::size_t{1});
      QCOMPARE(remarks.model().rows()[0].remark.name, std::string(name));
      QVERIFY(remarks.model().rows()[0].origin.studyId == base::StudyId(1));
    }
    auto *table = m_window->findChild<ui::ItemView *>("remarkTable");
    QCOMPARE(table->proxy()->index(0, 6).data().toString(), QStringLiteral("study 1, miss, hit and a new shape"));
    // The link to its section leaves what the study there said.
    table->setCurrentIndex(table->proxy()->index(0, 0));
    Q_EMIT m_window->findChild<QLabel *>("remarkDetails")->linkActivated("section:2");
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(m_window->filter().selection().sectionId == base::SectionId(2));
    pipelines->setCurrentIndex(0);
    QCOMPARE(remarks.model().rows().size(), std::size_t{3});
  }

  void theDiffObeysTheFilter() {
    QVERIFY(test::showAndSettle(*m_window, "diff"));
    ui::DiffPage &diff = page<ui::DiffPage>("diff");
    QVERIFY(diff.right().findText("deferred", Qt::MatchStartsWith) >= 0);
    QVERIFY(diff.right().findText("per-function", Qt::MatchStartsWith) >= 0);
    // The compile under the second pipeline began at 6120 ms.
    m_window->filter().setRange({6115 * test::kMs, 7000 * test::kMs});
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(diff.right().findText("deferred", Qt::MatchStartsWith) >= 0);
    QCOMPARE(diff.right().findText("per-function", Qt::MatchStartsWith), -1);
    m_window->filter().setRange({7000 * test::kMs, 8000 * test::kMs});
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(diff.right().count(), 0);
  }

  void theDiffShowsWhatPipelinesMadeOfAFunction() {
    m_window->focus().setCompile(base::CompileId(6), base::TemplateId(3));
    QVERIFY(test::showAndSettle(*m_window, "diff"));
    ui::DiffPage &diff = page<ui::DiffPage>("diff");
    // The compile that is looked at stands on the right, the other pipeline's on the left.
    QVERIFY(diff.left().currentText().startsWith("per-function · final"));
    QVERIFY(diff.right().currentText().startsWith("deferred · final"));
    QCOMPARE(diff.view().diff().changed, std::size_t{2});
    QCOMPARE(diff.view().changes(), std::size_t{1});
    QTest::keyClick(&diff.view(), Qt::Key_F8);
    QCOMPARE(diff.view().currentChange(), std::optional<std::size_t>(0));
    QTest::keyClick(&diff.view(), Qt::Key_F8);
    QCOMPARE(diff.view().currentChange(), std::optional<std::size_t>(0));
    QCOMPARE(diff.remarks().rows().size(), std::size_t{2});
    // Stepping goes to the pass that changed something and kept its text.
    QTest::keyClick(&diff.view(), Qt::Key_Down, Qt::AltModifier);
    QTest::keyClick(&diff.view(), Qt::Key_Down, Qt::AltModifier);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(diff.right().currentText().contains("after pass 2"), qPrintable(diff.right().currentText()));
    QVERIFY(diff.left().currentText().startsWith("deferred · before"));
  }

  void aFunctionThatIsFoundKeepsItsTemplates() {
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    m_window->activateWindow();
    auto *tree = m_window->findChild<ui::ItemView *>("templateTree");
    auto *search = m_window->page("templates")->findChild<QLineEdit *>();
    const ui::TemplateModel &model = page<ui::TemplatesPage>("templates").model();
    const QAbstractItemModel &shown = *tree->model();
    const int functions = shown.rowCount();
    QVERIFY(functions > 1);
    const QModelIndex first = shown.index(0, 0);
    const int templates = shown.rowCount(first);
    QVERIFY(templates > 0);
    search->setText(QString::fromStdString(model.functionAt(tree->proxy()->mapToSource(first)).name));
    QCOMPARE(shown.rowCount(), 1);
    QCOMPARE(shown.rowCount(shown.index(0, 0)), templates);
    QVERIFY(tree->isExpanded(shown.index(0, 0)));
    // Escape ends the search first, and only then the filter.
    m_window->filter().setRange({0, std::numeric_limits<std::uint64_t>::max()});
    QVERIFY(test::settle(m_window->store()));
    search->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(search->hasFocus(), test::kPatienceMs);
    QTest::keyClick(search, Qt::Key_Escape);
    QCOMPARE(search->text(), QString());
    QCOMPARE(shown.rowCount(), functions);
    QVERIFY(!m_window->filter().selection().isEmpty());
    QTest::keyClick(search, Qt::Key_Escape);
    QVERIFY(m_window->filter().selection().isEmpty());
  }

  void everyPageHasANameAndAShortcut() {
    for (ui::Page *page : m_window->pages()) {
      QVERIFY(!page->accessibleName().isEmpty());
      QVERIFY(!page->hint().isEmpty());
      for (QWidget *widget : page->findChildren<QWidget *>()) {
        const bool takesKeys = qobject_cast<QComboBox *>(widget) != nullptr || qobject_cast<ui::ItemView *>(widget) != nullptr;
        if (takesKeys) {
          QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(page->objectName() + ": " + widget->objectName()));
        }
      }
    }
    QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
    QVERIFY(m_window->page("overview")->isVisible());
    QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
    QVERIFY(m_window->page("compare")->isVisible());
    bool seen = false;
    QTimer::singleShot(0, this, [&seen] {
      auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
      seen = dialog != nullptr && dialog->objectName() == "shortcuts";
      if (dialog != nullptr) {
        dialog->reject();
      }
    });
    QTest::keyClick(m_window.get(), Qt::Key_F1);
    QVERIFY(seen);
  }

  void coloursChangeWithoutARestart() {
    for (ui::Page *page : m_window->pages()) {
      QVERIFY(test::showAndSettle(*m_window, page->objectName()));
      for (const auto choice : {ui::Theme::Choice::Dark, ui::Theme::Choice::Light}) {
        m_window->theme().choose(choice);
        QVERIFY(test::settle(m_window->store()));
        // On the average, for single pixels may be text.
        const QImage image = m_window->grab().toImage().scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        const bool isDark = image.pixelColor(0, 0).lightness() < 128;
        QCOMPARE(isDark, choice == ui::Theme::Choice::Dark);
      }
    }
  }

  void aBadFileLeavesTheOpenSessionOpen() {
    QFile file(m_sandbox.file("bad.jitscope"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("nonsense") > 0);
    file.close();
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    m_window->filter().setRange({0, 8000 * test::kMs});
    QVERIFY(test::settle(m_window->store()));
    const std::size_t compiles = page<ui::CompilesPage>("compiles").model().rows().size();
    const QString title = m_window->windowTitle();
    QSignalSpy failed(&m_window->store(), &ui::SessionStore::openFailed);
    m_window->openPath(file.fileName());
    QVERIFY(failed.wait(test::kPatienceMs));
    QVERIFY(m_window->findChild<QWidget *>("messageBar")->isVisible());
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(m_window->store().path(), m_path);
    QCOMPARE(m_window->windowTitle(), title);
    QVERIFY(!m_window->filter().selection().isEmpty());
    QVERIFY(compiles > 0);
    QCOMPARE(page<ui::CompilesPage>("compiles").model().rows().size(), compiles);
    QVERIFY(test::openAndSettle(*m_window, m_path));
    QVERIFY(!m_window->findChild<QWidget *>("messageBar")->isVisible());
  }
};

QTEST_MAIN(TestPages)
#include "tst_pages.moc"
