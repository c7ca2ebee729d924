// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/result_checks.h"
#include "support/sessions/big_session.h"
#include "support/sessions/session_samples.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/pages/timeline/timeline_view.h"
#include "ui/widgets/chart_view.h"

#include <QGraphicsScene>
#include <QImage>
#include <QTextBrowser>
#include <QToolTip>
#include <QXmlStreamReader>

using namespace jitscope;
using analysis::TimelineMark;
using event::Outcome;

class TestTimelinePage : public test::WindowTest {
  Q_OBJECT

public:
  TestTimelinePage() : WindowTest(test::sampleRecording, "timeline") {}

private:
  ui::TimelinePage &page() { return *qobject_cast<ui::TimelinePage *>(m_window->page("timeline")); }
  charts::TimelineChart &chart() { return page().view().timeline(); }
  void key(Qt::Key key) {
    QTest::keyClick(&page().view(), key);
    QVERIFY(test::settle(m_window->store()));
  }
  QPoint placeOf(const TimelineMark &mark) {
    return QPointF(chart().xOf(mark.startNs), chart().yOf(static_cast<double>(mark.maxNs))).toPoint();
  }
  const TimelineMark *firstOf(Outcome outcome) {
    for (const TimelineMark &mark : chart().data().view.marks) {
      if (mark.outcome == outcome) {
        return &mark;
      }
    }
    return nullptr;
  }

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void theTipOfACallStaysWhileTheMouseRests() {
    const TimelineMark *miss = firstOf(Outcome::Miss);
    QVERIFY(miss != nullptr);
    QWidget *viewport = page().view().viewport();
    QCursor::setPos(viewport->mapToGlobal(placeOf(*miss)));
    QTest::mouseMove(viewport, placeOf(*miss));
    QTRY_VERIFY_WITH_TIMEOUT(QToolTip::text().contains("miss", Qt::CaseInsensitive) || QToolTip::text().contains("multiply"),
                             test::kPatienceMs);
    const QString tip = QToolTip::text();
    // What Qt sends of itself after a while: of the chart's items none has a tip.
    QHelpEvent help(QEvent::ToolTip, placeOf(*miss), viewport->mapToGlobal(placeOf(*miss)));
    QCoreApplication::sendEvent(viewport, &help);
    QTest::qWait(500);
    QCOMPARE(QToolTip::text(), tip);
  }

  void whatIsLookedAtEndsWithItsSession() {
    m_window->focus().setCompile(base::CompileId(2), base::TemplateId(2));
    QVERIFY(test::openAndSettle(*m_window, m_path));
    QVERIFY(!m_window->focus().compileId().isValid());
    QVERIFY(!m_window->focus().templateId().isValid());
  }

  void everyCallHasItsMark() {
    std::uint64_t calls = 0;
    for (const TimelineMark &mark : chart().data().view.marks) {
      calls += mark.calls;
    }
    QCOMPARE(calls, std::uint64_t{21});
    QCOMPARE(chart().data().compiles.size(), std::size_t{4});
    QCOMPARE(chart().data().sections.size(), std::size_t{3});
    QCOMPARE(chart().data().view.threads.size(), std::size_t{3});
    QVERIFY(page().view().showsAll());
  }

  void keysZoomAndMove() {
    const analysis::TimeRange all = chart().range();
    key(Qt::Key_W);
    QVERIFY(chart().range().lengthNs() < all.lengthNs());
    const analysis::TimeRange zoomed = chart().range();
    key(Qt::Key_A);
    QVERIFY(chart().range().fromNs < zoomed.fromNs);
    key(Qt::Key_D);
    key(Qt::Key_Plus);
    key(Qt::Key_Minus);
    key(Qt::Key_Up);
    key(Qt::Key_Down);
    QVERIFY(std::abs(static_cast<double>(chart().range().lengthNs()) - static_cast<double>(zoomed.lengthNs())) < 1000);
    key(Qt::Key_Home);
    QCOMPARE(chart().range(), all);
  }

  void theWheelZoomsAroundTheMouse() {
    const QPointF place(chart().plotArea().left() + 300, chart().plotArea().center().y());
    const double before = chart().timeAt(place.x());
    QWheelEvent wheel(place, page().view().mapToGlobal(place), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(page().view().viewport(), &wheel);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(std::abs(chart().timeAt(place.x()) - before) < 1e5);
    QVERIFY(!page().view().showsAll());
  }

  void aClickShowsWhatAMissCostAndWhy() {
    const TimelineMark *miss = nullptr;
    for (const TimelineMark &mark : chart().data().view.marks) {
      miss = mark.firstId == base::CallId(4) ? &mark : miss;
    }
    QVERIFY(miss != nullptr);
    QTest::mouseClick(page().view().viewport(), Qt::LeftButton, {}, placeOf(*miss));
    QVERIFY(test::settle(m_window->store()));
    const QString text = page().details().toPlainText();
    for (const char *part :
         {"MISS", "Matmul.dot:2", "f32[256,256], f32[256,256]", "New shape: compiled before, for other sizes",
          "f32[64,64], f32[64,64]", "argument 0, dimension 0: was 64, is 256", "trace 1.00 s", "2.00 KiB of code"}) {
      QVERIFY2(text.contains(QString::fromUtf8(part)), part);
    }
    QCOMPARE(m_window->focus().callId(), base::CallId(4));
    QCOMPARE(m_window->focus().templateId(), base::TemplateId(3));
    QCOMPARE(m_window->focus().compileId(), base::CompileId(3));
  }

  void aCompileLeadsToItsCall() {
    // The cold leg's process is the lowest row.
    const QRectF row = chart().threadRow(2);
    const QPoint place(static_cast<int>(chart().xOf(2600e6)), static_cast<int>(row.center().y()));
    QTest::mouseClick(page().view().viewport(), Qt::LeftButton, {}, place);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(m_window->focus().callId(), base::CallId(7));
    // It is framed among the bars, and its tip names the function.
    const analysis::CompileSpan *compile = chart().compileAt(place);
    QVERIFY(compile != nullptr);
    QCOMPARE(chart().currentCompile(), compile->id);
    QToolTip::hideText();
    QTRY_COMPARE_WITH_TIMEOUT(QToolTip::text(), QString(), test::kPatienceMs);
    QTest::mouseMove(page().view().viewport(), place);
    QVERIFY2(QToolTip::text().startsWith("Matmul.dot\n"), qPrintable(QToolTip::text()));
  }

  void theGapBeforeAColdLegIsExplained() {
    // Its process recorded nothing between the last call before, which ended at 2050 ms, and its first.
    const auto &starts = chart().data().starts;
    QCOMPARE(starts.size(), std::size_t{1});
    QCOMPARE(starts[0].process, std::uint16_t{1});
    QCOMPARE(starts[0].unrecorded.toNs, 2200 * test::kMs);
    QCOMPARE(starts[0].unrecorded.fromNs / test::kMs, std::uint64_t{2050});
    const QRectF row = chart().threadRow(2);
    const int y = static_cast<int>(row.center().y());
    for (const QPoint &place : {QPoint(static_cast<int>(chart().xOf(2150e6)), y), QPoint(20, y)}) {
      QToolTip::hideText();
      QTRY_COMPARE_WITH_TIMEOUT(QToolTip::text(), QString(), test::kPatienceMs);
      QTest::mouseMove(page().view().viewport(), place);
      QVERIFY2(QToolTip::text().startsWith("cold 1: a cold leg in a process of its own"), qPrintable(QToolTip::text()));
    }
    // A filter hides what came before, so that nothing is known of a gap.
    m_window->filter().setOutcome(Outcome::Hit);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(chart().data().starts.empty());
  }

  void draggingSelectsARangeForAllPages() {
    QWidget *viewport = page().view().viewport();
    const int y = static_cast<int>(chart().plotArea().center().y());
    const QPoint from(static_cast<int>(chart().xOf(5900e6)), y);
    const QPoint to(static_cast<int>(chart().xOf(6150e6)), y);
    QTest::mousePress(viewport, Qt::LeftButton, {}, from);
    QTest::mouseMove(viewport, (from + to) / 2);
    QTest::mouseMove(viewport, to);
    QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
    const auto &range = m_window->filter().selection().range;
    QVERIFY(range.has_value());
    QVERIFY(std::abs(static_cast<double>(range->fromNs) - 5900e6) < 20e6);
    QVERIFY(std::abs(static_cast<double>(range->toNs) - 6150e6) < 20e6);
    QVERIFY(test::settle(m_window->store()));
    auto *chip = m_window->findChild<QWidget *>("chip");
    QVERIFY(chip != nullptr && chip->isVisible());
    QTest::mouseClick(chip, Qt::LeftButton);
    QVERIFY(m_window->filter().selection().isEmpty());
  }

  void theFilterLeavesItsCallsOnly() {
    m_window->filter().setOutcome(Outcome::Miss);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(chart().data().view.calls, std::uint64_t{4});
    QVERIFY(firstOf(Outcome::Hit) == nullptr);
    QTest::keyClick(m_window.get(), Qt::Key_Escape);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(chart().data().view.calls, std::uint64_t{21});
  }

  void fullStopGoesFromCallToCall() {
    key(Qt::Key_Period);
    const base::CallId first = m_window->focus().callId();
    QVERIFY(first.isValid());
    key(Qt::Key_Period);
    QVERIFY(m_window->focus().callId() > first);
    key(Qt::Key_Comma);
    QCOMPARE(m_window->focus().callId(), first);
  }

  void theLinksOfTheCallThatIsShownAtFirstLeadToItsCompile() {
    QVERIFY(!m_window->focus().callId().isValid());
    QVERIFY(page().details().toHtml().contains("page:compiles"));
    const base::CallId shown = chart().current()->firstId;
    Q_EMIT page().details().anchorClicked(QUrl("page:compiles"));
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(m_window->page("compiles")->isVisible());
    QCOMPARE(m_window->focus().callId(), shown);
    QVERIFY(m_window->focus().compileId().isValid());
  }

  void theKeysGoOnFromTheCallThatIsShownAtFirst() {
    // The longest call is ringed, though nobody chose it; here it is the last one of all, after which the keys begin again.
    test::Recording recording;
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "f", 1, false});
    recording.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), "f32[]"});
    for (std::uint64_t i = 1; i <= 4; ++i) {
      recording.calls.push_back(test::makeCall(i, 1, 0, (i - 1) * 100 * test::kMs, Outcome::Hit, 0, i * 1000));
    }
    const QString path = m_sandbox.file("four.jitscope");
    QFile::remove(path);
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), recording, {record::SessionStatus::Finished, "", 400 * test::kMs}));
    for (const auto &[pressed, chosen] : {std::pair(Qt::Key_Period, 1U), std::pair(Qt::Key_Comma, 3U)}) {
      QVERIFY(test::openAndSettle(*m_window, path));
      QVERIFY(chart().current().has_value());
      key(pressed);
      QCOMPARE(m_window->focus().callId(), base::CallId(chosen));
    }
    // What is out of sight is nothing to go on from either.
    page().view().showRange({50 * test::kMs, 150 * test::kMs});
    QVERIFY(test::settle(m_window->store()));
    key(Qt::Key_Period);
    QCOMPARE(m_window->focus().callId(), base::CallId(2));
  }

  void aSessionWithoutCallsSaysSo() {
    const QString empty = m_sandbox.file("empty.jitscope");
    QFile::remove(empty);
    JS_VERIFY_RESULT(test::writeSession(empty.toStdString(), {}));
    QVERIFY(test::openAndSettle(*m_window, empty));
    QVERIFY(page().details().toPlainText().contains("No calls"));
    key(Qt::Key_W);
    key(Qt::Key_Period);
  }

  void callsOfNoTimeAreShown() {
    test::Recording recording;
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), std::string(10'000, 'n'), 1, false});
    recording.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), std::string(10'000, 's')});
    event::CallEvent call = test::makeCall(1, 1, 0, 0, Outcome::Hit, 0, 0);
    call.lookupNs = 0;
    recording.calls.push_back(call);
    const QString path = m_sandbox.file("zero.jitscope");
    QFile::remove(path);
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), recording, {record::SessionStatus::Finished, "", 0}));
    QVERIFY(test::openAndSettle(*m_window, path));
    QCOMPARE(chart().data().view.calls, std::uint64_t{1});
    QTest::mouseClick(page().view().viewport(), Qt::LeftButton, {}, placeOf(chart().data().view.marks[0]));
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(page().details().toPlainText().contains("HIT"));
  }

  void theChartIsSavedInEveryFormat() {
    QGraphicsScene &scene = *page().view().scene();
    const QString svg = m_sandbox.file("t.svg");
    JS_VERIFY_RESULT(ui::saveScene(scene, svg));
    QFile file(svg);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    bool hasLabel = false;
    while (!xml.atEnd()) {
      xml.readNext();
      hasLabel = hasLabel || (xml.isCharacters() && xml.text().contains(QLatin1String("benchmark")));
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QVERIFY(hasLabel);
    const QString png = m_sandbox.file("t.png");
    JS_VERIFY_RESULT(ui::saveScene(scene, png));
    QCOMPARE(QImage(png).size(), (scene.sceneRect().size() * 2).toSize());
    const QString pdf = m_sandbox.file("t.pdf");
    JS_VERIFY_RESULT(ui::saveScene(scene, pdf));
    QFile pdfFile(pdf);
    QVERIFY(pdfFile.open(QIODevice::ReadOnly) && pdfFile.read(5) == "%PDF-");
    JS_COMPARE_ERROR(ui::saveScene(scene, m_sandbox.file("t.bmp")), base::ErrorCode::RuntimeOption);
    JS_COMPARE_ERROR(ui::saveScene(scene, m_sandbox.file("no/such/folder/t.svg")), base::ErrorCode::StorageWrite);
  }
};

QTEST_MAIN(TestTimelinePage)
#include "tst_timeline_page.moc"
