// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/sessions/studied_session.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/widgets/filter_bar.h"
#include "ui/widgets/layout/elided_label.h"
#include "ui/widgets/layout/flow_layout.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QToolTip>

using namespace jitscope;

namespace {

/// What is left of 640 pixels beside the list of pages.
constexpr int kPageWidth = 520;

/// The small session with names as long as those of generated code.
test::Recording longNames() {
  using namespace event;
  test::Recording recording = test::studiedRecording();
  for (auto &entry : recording.events) {
    if (auto *function = std::get_if<FunctionEvent>(&entry)) {
      function->name = function->name + std::string(200, 'm');
    } else if (auto *compile = std::get_if<CompileEvent>(&entry)) {
      for (Remark &remark : compile->remarks) {
        remark.pass = remark.pass + std::string(60, 'p');
        remark.message = "'" + std::string(400, 'z') + "' not inlined";
      }
    } else if (auto *bench = std::get_if<BenchCaseEvent>(&entry)) {
      bench->name = std::string(120, 'c');
    }
  }
  return recording;
}

} // namespace

class TestNarrowWindow : public test::WindowTest {
  Q_OBJECT

public:
  TestNarrowWindow() : WindowTest(longNames) {}

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void everyPageFitsIntoHalfAScreen_data() {
    QTest::addColumn<QString>("page");
    for (const char *name : {"timeline", "latency", "templates", "compiles", "remarks"}) {
      QTest::newRow(name) << QString::fromLatin1(name);
    }
  }
  void everyPageFitsIntoHalfAScreen() {
    QFETCH(QString, page);
    QVERIFY(test::showAndSettle(*m_window, page));
    m_window->focus().setCompile(base::CompileId(6), base::TemplateId(3));
    QVERIFY(test::settle(m_window->store()));
    ui::Page &shown = *m_window->page(page);
    if (auto *table = shown.findChild<QAbstractItemView *>("remarkTable")) {
      table->setCurrentIndex(table->model()->index(0, 0));
    }
    const QSize least = shown.minimumSizeHint();
    QVERIFY2(least.width() <= kPageWidth, qPrintable(QString::number(least.width())));
    QVERIFY2(least.height() <= 330, qPrintable(QString::number(least.height())));
  }

  void whatFitsIsNotScrolled() {
    QVERIFY(test::showAndSettle(*m_window, "latency"));
    auto *scroll = m_window->page("latency")->findChild<QScrollArea *>();
    QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
    QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
  }

  void controlsThatDoNotFitGoToANewLine() {
    QWidget host;
    auto *layout = new ui::FlowLayout(&host);
    layout->setContentsMargins(8, 6, 8, 4);
    for (int i = 0; i < 3; ++i) {
      auto *box = new QComboBox(&host);
      box->setMinimumWidth(200);
      layout->addWidget(box);
    }
    auto *search = new QLineEdit(&host);
    layout->addWidget(search);
    host.resize(kPageWidth, layout->heightForWidth(kPageWidth));
    host.show();
    QVERIFY(QTest::qWaitForWindowExposed(&host));
    const auto boxes = host.findChildren<QComboBox *>();
    QCOMPARE(boxes[0]->y(), boxes[1]->y());
    QVERIFY(boxes[2]->y() > boxes[1]->geometry().bottom());
    QCOMPARE(boxes[2]->x(), boxes[0]->x());
    // What may grow takes the rest of its line.
    QCOMPARE(search->geometry().right(), kPageWidth - 8 - 1);
    QVERIFY(search->geometry().bottom() < host.height());
    host.resize(1200, 100);
    QTRY_COMPARE_WITH_TIMEOUT(boxes[2]->y(), boxes[0]->y(), test::kPatienceMs);
  }

  void theFilterTakesAsManyLinesAsItNeeds() {
    m_window->filter().setRange({0, 5000 * test::kMs});
    m_window->filter().setSection(base::SectionId(3), QString(300, 's'));
    m_window->filter().setTemplate(base::TemplateId(3), QString(300, 't'));
    m_window->filter().setCase(base::CaseId(1), QString(300, 'c'));
    m_window->filter().setOutcome(event::Outcome::Miss);
    QVERIFY(test::settle(m_window->store()));
    auto *bar = m_window->findChild<ui::FilterBar *>("filterBar");
    QVERIFY(bar->isVisible());
    QVERIFY(bar->minimumSizeHint().width() <= kPageWidth);
    const auto chips = bar->findChildren<QToolButton *>("chip");
    QCOMPARE(chips.size(), 5);
    const int line = chips.first()->height();
    QVERIFY(bar->heightForWidth(2000) < 2 * line);
    QVERIFY(bar->heightForWidth(kPageWidth) > 2 * line);
    m_window->filter().clear();
    QVERIFY(!bar->isVisible());
  }

  void whatIsCutIsToldInFull() {
    ui::ElidedLabel label(QStringLiteral("a text that is longer than its label"));
    label.resize(60, 20);
    label.show();
    QHelpEvent help(QEvent::ToolTip, {5, 5}, label.mapToGlobal(QPoint(5, 5)));
    QCoreApplication::sendEvent(&label, &help);
    QCOMPARE(QToolTip::text(), label.text());
    QToolTip::hideText();
    QVERIFY(label.minimumSizeHint().width() < 120);
  }
};

QTEST_MAIN(TestNarrowWindow)
#include "tst_narrow_window.moc"
