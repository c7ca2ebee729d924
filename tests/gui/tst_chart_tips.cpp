// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/sessions/studied_session.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/ticks.h"
#include "ui/pages/compiles/compiles_page.h"
#include "ui/pages/latency_page.h"
#include "ui/widgets/chart_view.h"
#include "ui/widgets/tables/item_view.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QtCharts/QAbstractBarSeries>
#include <QtCharts/QBarSet>
#include <QtCharts/QLegend>
#include <QtCharts/QLegendMarker>

using namespace jitscope;

class TestChartTips : public test::WindowTest {
  Q_OBJECT

public:
  TestChartTips() : WindowTest(test::studiedRecording) {}

private:
  ui::ChartView &view(const char *page, const QString &title) {
    for (ui::ChartView *chart : m_window->page(QString::fromLatin1(page))->findChildren<ui::ChartView *>()) {
      if (chart->accessibleName() == title) {
        return *chart;
      }
    }
    Q_ASSERT(false);
    std::abort();
  }
  /// What Qt sends of itself once the mouse has rested for a while.
  static QString tipAt(ui::ChartView &view, const QPoint &place) {
    QHelpEvent help(QEvent::ToolTip, place, view.viewport()->mapToGlobal(place));
    QCoreApplication::sendEvent(view.viewport(), &help);
    return QToolTip::text();
  }
  /// The middle of a bar's part, bars counted from the top.
  static QPoint middleOf(QChart &chart, int bar, double value) {
    const int bars = static_cast<int>(qobject_cast<QAbstractBarSeries *>(chart.series().first())->barSets().first()->count());
    return chart.mapToPosition(QPointF(value, bars - 1 - bar), chart.series().first()).toPoint();
  }
  /// A sample of a chart in run order, which counts from 1.
  static QPoint sampleAt(QChart &chart, double number, double ns) {
    return chart.mapToPosition(QPointF(number, charts::durationLevel(ns)), chart.series().first()).toPoint();
  }
  static QLegendMarker *marker(QChart &chart, const QString &name) {
    for (QLegendMarker *marker : chart.legend()->markers()) {
      if (marker->label() == name) {
        return marker;
      }
    }
    return nullptr;
  }
  /// Where the text of an entry of the legend is painted.
  static QPoint placeOf(ui::ChartView &view, const QString &name) {
    for (QGraphicsItem *item : view.scene()->items()) {
      if (auto *text = qgraphicsitem_cast<QGraphicsTextItem *>(item); text != nullptr && text->toPlainText().contains(name)) {
        return view.mapFromScene(text->mapToScene(text->boundingRect().center()));
      }
    }
    return {};
  }

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void aBarSaysWhichCompileAndWhichPhaseItIs() {
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    ui::ChartView &phases = view("compiles", "Compile time by phase");
    // Three compiles traced for a second; what follows that takes a few milliseconds.
    const QString tip = tipAt(phases, middleOf(*phases.chart(), 0, 500e6));
    for (const char *part :
         {"trace  1.00 s of 1.00 s", "Matmul.dot:2", "f32[256,256], f32[256,256]", "New shape", "compile under", "section"}) {
      QVERIFY2(tip.contains(QString::fromUtf8(part)), qPrintable(tip));
    }
    QTest::qWait(300);
    QCOMPARE(tipAt(phases, middleOf(*phases.chart(), 0, 500e6)), tip);
    // Beside a bar it names the compile, and between the title and the bars there is nothing.
    QVERIFY(tipAt(phases, middleOf(*phases.chart(), 5, 800e6)).startsWith("Matmul.dot:2"));
    tipAt(phases, {phases.width() / 2, 12});
    QTRY_COMPARE_WITH_TIMEOUT(QToolTip::text(), QString(), test::kPatienceMs);
  }

  void aBarThatIsClickedIsChosenEverywhere() {
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    ui::ChartView &phases = view("compiles", "Compile time by phase");
    auto *table = m_window->findChild<ui::ItemView *>("compileTable");
    const auto &rows = qobject_cast<ui::CompilesPage *>(m_window->page("compiles"))->model().rows();
    for (const int bar : {1, 0}) {
      QTest::mouseClick(phases.viewport(), Qt::LeftButton, {}, middleOf(*phases.chart(), bar, 500e6));
      QVERIFY(test::settle(m_window->store()));
      const base::CompileId chosen = m_window->focus().compileId();
      const auto row = std::ranges::find(rows, chosen, &analysis::MissSummary::compileId);
      QVERIFY(row != rows.end());
      QCOMPARE(m_window->focus().callId(), row->callId);
      QCOMPARE(table->currentId().toUInt(), chosen.value);
    }
  }

  void aSampleSaysWhatItWasAndLeadsToItsCall() {
    QVERIFY(test::showAndSettle(*m_window, "latency"));
    ui::ChartView &order = view("latency", "Samples in run order");
    const QPoint miss = sampleAt(*order.chart(), 1, 1.005e9);
    const QString tip = tipAt(order, miss);
    QVERIFY2(tip.startsWith("cold leg, sample 1 of the 4 shown\nmiss  1.00 s"), qPrintable(tip));
    QVERIFY(tipAt(order, sampleAt(*order.chart(), 3, 800e3)).startsWith("cold leg, sample 3 of the 4 shown\nhit  800 µs"));
    tipAt(order, sampleAt(*order.chart(), 3, 500e6));
    QTRY_COMPARE_WITH_TIMEOUT(QToolTip::text(), QString(), test::kPatienceMs);
    QTest::mouseClick(order.viewport(), Qt::LeftButton, {}, miss);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(m_window->focus().callId(), base::CallId(7));
    QVERIFY(m_window->page("timeline")->isVisible());
  }

  void anEntryOfTheLegendHidesItsLine() {
    QVERIFY(test::showAndSettle(*m_window, "latency"));
    ui::ChartView &order = view("latency", "Samples in run order");
    const QPoint entry = placeOf(order, "held up by a compile");
    QVERIFY(!entry.isNull());
    QVERIFY(tipAt(order, entry).startsWith("Click to hide"));
    QTest::mouseClick(order.viewport(), Qt::LeftButton, {}, entry);
    QVERIFY(!marker(*order.chart(), "held up by a compile")->series()->isVisible());
    QVERIFY(marker(*order.chart(), "held up by a compile")->isVisible());
    QVERIFY(marker(*order.chart(), "cold")->series()->isVisible());
    // Drawn again, it is as somebody left it.
    m_window->theme().choose(ui::Theme::Choice::Dark);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(!marker(*order.chart(), "held up by a compile")->series()->isVisible());
    QTest::mouseClick(order.viewport(), Qt::LeftButton, {}, placeOf(order, "held up by a compile"));
    QVERIFY(marker(*order.chart(), "held up by a compile")->series()->isVisible());
    // What is hidden has no tips.
    QTest::mouseClick(order.viewport(), Qt::LeftButton, {}, placeOf(order, "cold"));
    tipAt(order, sampleAt(*order.chart(), 3, 800e3));
    QTRY_COMPARE_WITH_TIMEOUT(QToolTip::text(), QString(), test::kPatienceMs);
  }
};

QTEST_MAIN(TestChartTips)
#include "tst_chart_tips.moc"
