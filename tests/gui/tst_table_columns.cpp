// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/gui_fixture.h"
#include "support/result_checks.h"
#include "support/sessions/studied_session.h"
#include "ui/models/rows_model.h"
#include "ui/widgets/tables/item_view.h"

#include <QHeaderView>
#include <QTabWidget>

using namespace jitscope;

class TestTableColumns : public QObject {
  Q_OBJECT

private:
  /// The small session, its functions' names longer by so many letters.
  QString session(const QString &name, std::size_t longer) {
    test::Recording recording = test::studiedRecording();
    for (auto &entry : recording.events) {
      if (auto *function = std::get_if<event::FunctionEvent>(&entry)) {
        function->name += std::string(longer, 'n');
      }
    }
    const QString path = m_sandbox.file(name);
    return test::writeSession(path.toStdString(), recording) ? path : QString();
  }
  void show(const QString &path) {
    m_window = test::showWindow();
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
  }
  ui::ItemView &table(const char *name) { return *m_window->findChild<ui::ItemView *>(QString::fromLatin1(name)); }
  static int width(const ui::ItemView &view, int column) { return view.header()->sectionSize(column); }
  static int needed(const ui::ItemView &view, int column) {
    return std::max(static_cast<const QAbstractItemView &>(view).sizeHintForColumn(column), view.header()->sectionSizeHint(column));
  }
  /// Drags the right edge of a column, as somebody does with the mouse.
  static void drag(const ui::ItemView &view, int column, int by) {
    QWidget *header = view.header()->viewport();
    const QPointF from(view.header()->sectionViewportPosition(column) + view.header()->sectionSize(column) - 1, 5);
    const auto send = [header](QEvent::Type type, const QPointF &at, Qt::MouseButtons held) {
      QMouseEvent event(type, at, header->mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, held, {});
      QCoreApplication::sendEvent(header, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    send(QEvent::MouseMove, from + QPointF(by, 0), Qt::LeftButton);
    send(QEvent::MouseButtonRelease, from + QPointF(by, 0), Qt::NoButton);
  }

private Q_SLOTS:
  void initTestCase() {
    m_short = session("short.jitscope", 0);
    m_long = session("long.jitscope", 12);
    QVERIFY(!m_short.isEmpty() && !m_long.isEmpty());
  }
  void cleanup() {
    m_window.reset();
    QSettings().clear();
  }

  void columnsFollowTheContentsOfEachSession() {
    show(m_short);
    const int narrow = width(table("compileTable"), 0);
    QCOMPARE(narrow, needed(table("compileTable"), 0));
    for (const auto &[path, wide] : {std::pair(m_long, true), std::pair(m_short, false)}) {
      QVERIFY(test::openAndSettle(*m_window, path));
      QCOMPARE(width(table("compileTable"), 0), needed(table("compileTable"), 0));
      QCOMPARE(width(table("compileTable"), 0) > narrow, wide);
    }
    // Nobody chose anything, so that nothing is kept.
    for (const QString &key : QSettings().allKeys()) {
      QVERIFY2(!key.startsWith("tables/") && !key.startsWith("columns/"), qPrintable(key));
    }
  }

  void aWidthThatSomebodyChoseStaysAndOthersFollow() {
    show(m_short);
    const int before = width(table("compileTable"), 1);
    drag(table("compileTable"), 1, 37);
    QCOMPARE(width(table("compileTable"), 1), before + 37);
    show(m_long);
    QCOMPARE(width(table("compileTable"), 1), before + 37);
    QCOMPARE(width(table("compileTable"), 0), needed(table("compileTable"), 0));
  }

  void sortingAndOrderAreKept() {
    show(m_short);
    table("compileTable").sortByColumn(10, Qt::AscendingOrder);
    table("compileTable").header()->moveSection(3, 0);
    show(m_long);
    QCOMPARE(table("compileTable").header()->sortIndicatorSection(), 10);
    QCOMPARE(table("compileTable").header()->sortIndicatorOrder(), Qt::AscendingOrder);
    QCOMPARE(table("compileTable").header()->logicalIndex(0), 3);
    QCOMPARE(table("compileTable").header()->logicalIndex(1), 0);
    QCOMPARE(width(table("compileTable"), 0), needed(table("compileTable"), 0));
  }

  void allRedundantWorkIsInSight() {
    show(m_long);
    ui::ItemView &redundantWork = table("redundantWorkTable");
    auto *tabs = m_window->page("compiles")->findChild<QTabWidget *>();
    tabs->setCurrentWidget(&redundantWork);
    QVERIFY(redundantWork.isVisible());
    const QHeaderView &header = *redundantWork.header();
    QVERIFY2(header.length() <= redundantWork.viewport()->width(), qPrintable(QString::number(header.length())));
    for (int column = 0; column < header.count(); ++column) {
      QVERIFY2(width(redundantWork, column) >= needed(redundantWork, column), qPrintable(QString::number(column)));
    }
  }

  void aLongLastColumnIsScrolledTo() {
    show(m_short);
    QVERIFY(test::showAndSettle(*m_window, "remarks"));
    ui::ItemView &remarks = table("remarkTable");
    const int last = remarks.header()->count() - 1;
    QVERIFY(remarks.header()->stretchLastSection());
    QCOMPARE(remarks.header()->length(), remarks.viewport()->width());
    remarks.setFixedWidth(400);
    QTRY_VERIFY_WITH_TIMEOUT(!remarks.header()->stretchLastSection(), test::kPatienceMs);
    QCOMPARE(width(remarks, last), needed(remarks, last));
  }

  void aLastColumnThatMissesLittleRoomIsElided() {
    ui::RowsModel<int> model(
        {{"Name", {}, false, [](int) { return QString("a"); }, {}, {}, {}},
         {"Reasons", {}, false, [](int) { return QString(60, QLatin1Char('x')); }, {}, {}, {}}},
        [](int row) { return QVariant(row); }, nullptr);
    ui::ItemView view("reasons", "Reasons");
    view.setSource(&model, 0, Qt::AscendingOrder);
    view.resize(1200, 200);
    view.show();
    model.setRows({1});
    const int whole = width(view, 0) + needed(view, 1) + (view.width() - view.viewport()->width());
    for (const auto &[missing, scrolls] : {std::pair(0.2, false), std::pair(0.4, true)}) {
      view.resize(whole - static_cast<int>(missing * needed(view, 1)), 200);
      QTRY_COMPARE_WITH_TIMEOUT(view.header()->length() > view.viewport()->width(), scrolls, test::kPatienceMs);
      QCOMPARE(width(view, 1) < needed(view, 1), !scrolls);
    }
  }

  void aLastColumnOfNumbersIsAsWideAsTheyAre() {
    ui::RowsModel<int> model(
        {{"Name", {}, false, [](int) { return QString("a"); }, {}, {}, {}},
         {"Samples", {}, true, [](int row) { return QString(row, QLatin1Char('9')); }, {}, {}, {}}},
        [](int row) { return QVariant(row); }, nullptr);
    ui::ItemView view("numbers", "Numbers");
    view.setSource(&model, 0, Qt::AscendingOrder);
    view.resize(800, 200);
    view.show();
    model.setRows({2, 40});
    QVERIFY(needed(view, 1) > 200);
    QCOMPARE(width(view, 1), needed(view, 1));
    // Beside the other column, and not at the far edge.
    QVERIFY(view.header()->length() < view.viewport()->width());
  }

private:
  test::GuiSandbox m_sandbox;
  QString m_short;
  QString m_long;
  std::unique_ptr<ui::MainWindow> m_window;
};

QTEST_MAIN(TestTableColumns)
#include "tst_table_columns.moc"
