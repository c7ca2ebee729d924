// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/result_checks.h"
#include "support/sessions/studied_session.h"
#include "support/sessions/study_samples.h"
#include "ui/pages/compiles/compiles_page.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/pages/timeline/timeline_view.h"
#include "ui/widgets/chart_view.h"
#include "ui/widgets/tables/item_view.h"

#include <QAction>
#include <QGraphicsItem>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QUrl>
#include <QtCharts/QChart>

using namespace jitscope;

/// The ways from a compile to its passes and back, and to other pages.
class TestCompilesPage : public test::WindowTest {
  Q_OBJECT

public:
  TestCompilesPage() : WindowTest(test::studiedRecording, "compiles") {}

private:
  ui::CompilesPage &page() { return *qobject_cast<ui::CompilesPage *>(m_window->page("compiles")); }
  ui::ItemView &table() { return *page().findChild<ui::ItemView *>("compileTable"); }
  QString title() { return page().findChild<QLabel *>("passTitle")->text(); }
  QToolButton &all() { return *page().findChild<QToolButton *>("allPasses"); }
  void choose(std::uint32_t compile) {
    table().setCurrentIndex(table().proxy()->match(table().proxy()->index(0, 0), ui::IdRole, compile).value(0));
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(m_window->focus().compileId() == base::CompileId(compile));
  }
  int frames() {
    int count = 0;
    for (const QGraphicsItem *item : page().findChild<ui::ChartView *>()->chart()->childItems()) {
      count += item->data(Qt::UserRole).isValid() ? 1 : 0;
    }
    return count;
  }
  QAction &action(const char *text) {
    const auto actions = table().actions();
    const auto found = std::ranges::find(actions, QString::fromLatin1(text), &QAction::text);
    Q_ASSERT(found != actions.end());
    return **found;
  }

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void thePassesOfOneCompileNameItAndLeadBack() {
    QCOMPARE(title(), QStringLiteral("Passes of all compiles"));
    QVERIFY(!all().isVisible());
    choose(5);
    QCOMPARE(title(), QStringLiteral("Passes of Matmul.dot (f32[256,256], f32[256,256]) under per-function"));
    QVERIFY(all().isVisible());
    all().click();
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(title(), QStringLiteral("Passes of all compiles"));
    QVERIFY(!all().isVisible());
    QVERIFY(!table().currentIndex().isValid());
  }

  void escapeLeadsBackBeforeItRemovesTheFilter() {
    m_window->filter().setRange({6000 * test::kMs, 7000 * test::kMs});
    QVERIFY(test::settle(m_window->store()));
    choose(5);
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_Escape);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(title(), QStringLiteral("Passes of all compiles"));
    QVERIFY(m_window->filter().selection().range.has_value());
    QTest::keyClick(&table(), Qt::Key_Escape);
    QVERIFY(m_window->filter().selection().isEmpty());
  }

  void allRowsAreSelectedWithThePassesOfAll() {
    choose(5);
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_A, Qt::ControlModifier);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(static_cast<std::size_t>(table().selectionModel()->selectedRows().size()), page().model().rows().size());
    QCOMPARE(title(), QStringLiteral("Passes of all compiles"));
    table().selectionModel()->select(table().currentIndex(), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(title().contains("under per-function"), qPrintable(title()));
  }

  void aCompileThatTheFilterHidesIsSaidToBe() {
    choose(5);
    m_window->filter().setRange({6115 * test::kMs, 7000 * test::kMs});
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(title(), QStringLiteral("Passes of all compiles that the filter leaves, without the chosen one"));
    // Those of compile 6 alone, one run each.
    QCOMPARE(page().passes().rows().size(), std::size_t{2});
    QCOMPARE(page().passes().rows()[0].runs, std::uint64_t{1});
  }

  void aRepeatOfAStudyLeadsToTheCompileOfItsFirstRound() {
    const QString path = m_sandbox.file("study.jitscope");
    QFile::remove(path);
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), test::studyRecording()));
    QVERIFY(test::openAndSettle(*m_window, path));
    const auto &rows = page().model().rows();
    const auto first = std::ranges::find(rows, "per-function", &analysis::MissSummary::pipeline);
    QVERIFY(first != rows.end());
    const base::CompileId listed = first->compileId;
    QLabel *count = page().findChild<QLabel *>("compileCount");
    QCOMPARE(count->text(), QStringLiteral("2 of 8 compiles: repeats of studies are only timed"));
    auto *tabs = page().findChild<QTabWidget *>();
    tabs->setCurrentIndex(1);
    // The timeline shows a repeat and leads here.
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    auto *timeline = qobject_cast<ui::TimelinePage *>(m_window->page("timeline"));
    const auto &spans = timeline->view().timeline().data().compiles;
    const auto repeat = std::ranges::find_if(
        spans, [listed](const analysis::CompileSpan &span) { return span.pipeline == "per-function" && span.id != listed; });
    QVERIFY(repeat != spans.end());
    Q_EMIT timeline->view().compileChosen(*repeat);
    QVERIFY(test::settle(m_window->store()));
    Q_EMIT timeline->details().anchorClicked(QUrl("page:compiles"));
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(page().isVisible());
    QCOMPARE(tabs->currentIndex(), 0);
    QCOMPARE(table().currentId().toUInt(), listed.value);
    QVERIFY2(title().endsWith("under per-function, first run: its repeats are only timed"), qPrintable(title()));
    QVERIFY(!page().passes().rows().empty());
  }

  void theFilterIsSaidToLeaveNothing() {
    m_window->filter().setRange({0, 1});
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(page().model().rows().empty());
    QCOMPARE(table().placeholder(), QStringLiteral("No compiles match the filter."));
    QCOMPARE(title(), QStringLiteral("No compiles match the filter."));
    QVERIFY(test::showAndSettle(*m_window, "remarks"));
    QCOMPARE(m_window->page("remarks")->findChild<QLabel *>("remarkCount")->text(), QStringLiteral("No remarks match the filter."));
    m_window->filter().clear();
    QVERIFY(test::settle(m_window->store()));
    const QString count = m_window->page("remarks")->findChild<QLabel *>("remarkCount")->text();
    QVERIFY2(count.startsWith("3 different remarks by study and section, made 4 times."), qPrintable(count));
  }

  void theChosenBarIsFramed() {
    QCOMPARE(frames(), 0);
    choose(5);
    QCOMPARE(frames(), 1);
    all().click();
    QCOMPARE(frames(), 0);
  }

  void rowsLeadToWhereThereIsMore() {
    // A call stands on the timeline, what was compiled without one in the IR.
    choose(2);
    Q_EMIT table().activated(table().currentIndex());
    QVERIFY(m_window->page("timeline")->isVisible());
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    choose(5);
    QVERIFY(!action("Show on the &Timeline").isEnabled());
    Q_EMIT table().activated(table().currentIndex());
    QVERIFY(m_window->page("diff")->isVisible());
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    choose(2);
    QVERIFY(action("Show on the &Timeline").isEnabled());
    QSignalSpy lines(&page(), &ui::Page::lineWanted);
    action("Go to the Script's &Line").trigger();
    QCOMPARE(lines.size(), 1);
    QCOMPARE(lines[0][0].toInt(), 2);
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    action("&Only This Section").trigger();
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(m_window->filter().selection().sectionId == base::SectionId(2));
    QCOMPARE(page().model().rows().size(), std::size_t{2});
  }
};

QTEST_MAIN(TestCompilesPage)
#include "tst_compiles_page.moc"
