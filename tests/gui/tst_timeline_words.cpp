// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/pages/timeline/timeline_view.h"
#include "ui/widgets/call_text.h"

#include <QImage>
#include <QLabel>
#include <QTextBrowser>
#include <QToolTip>
#include <QUrl>

#include <cmath>

using namespace jitscope;
using event::Outcome;
using test::kMs;

/// What the timeline says of what is hidden, short, going on or of several runs.
class TestTimelineWords : public test::WindowTest {
  Q_OBJECT

public:
  TestTimelineWords() : WindowTest(test::sampleRecording, "timeline") {}

private:
  ui::TimelinePage &page() { return *qobject_cast<ui::TimelinePage *>(m_window->page("timeline")); }
  charts::TimelineChart &chart() { return page().view().timeline(); }
  QString details() { return page().details().toPlainText(); }
  bool settled() { return test::settle(m_window->store()); }

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void aChosenCallThatTheFilterHidesSaysSo() {
    m_window->focus().setCall(base::CallId(3), base::TemplateId(2));
    QVERIFY(settled());
    QVERIFY(chart().current().has_value());
    m_window->filter().setOutcome(Outcome::Miss);
    m_window->filter().setSection(base::SectionId(2), "miss, hit and a new shape");
    QVERIFY(settled());
    QVERIFY(!chart().current().has_value());
    QVERIFY2(details().contains("The filter hides this one (outcome: miss)"), qPrintable(details()));
    // What hides it goes, and only that.
    Q_EMIT page().details().anchorClicked(QUrl("unfilter"));
    QVERIFY(settled());
    QVERIFY(!m_window->filter().selection().outcome.has_value());
    QVERIFY(m_window->filter().selection().sectionId.has_value());
    QVERIFY(chart().current().has_value());
    QVERIFY(!details().contains("The filter leaves"));
  }

  void aCallOutsideOfTheRangeIsStillSeen() {
    m_window->focus().setCall(base::CallId(3), base::TemplateId(2));
    QVERIFY(settled());
    m_window->filter().setRange({2000 * kMs, 3000 * kMs});
    QVERIFY(settled());
    QVERIFY(chart().current().has_value());
    QVERIFY2(details().contains("The filter hides this one (time:"), qPrintable(details()));
  }

  void aCallThatNobodyChoseGivesWayToOneThatTheFilterLeaves() {
    QVERIFY(chart().current().has_value());
    QVERIFY(chart().current()->outcome == Outcome::Miss);
    m_window->filter().setOutcome(Outcome::Hit);
    QVERIFY(settled());
    QVERIFY(chart().current().has_value());
    QVERIFY(chart().current()->outcome == Outcome::Hit);
    QVERIFY(!details().contains("The filter leaves"));
  }

  void aStudyIsHiddenByWhatOnlyCallsHave() {
    analysis::CallDetails study;
    study.studyId = base::StudyId(1);
    study.call.sectionId = base::SectionId(2);
    study.section = "two";
    const QString html = ui::callHtml(study, m_window->theme().palette());
    QVERIFY2(html.contains("<a href=\"filter:section\">two</a>, study 1"), qPrintable(html));
    ui::Filter filter;
    filter.setSection(base::SectionId(2), "two");
    QVERIFY(filter.hiding(study).empty());
    filter.setOutcome(Outcome::Miss);
    QVERIFY(filter.hiding(study) == std::vector{ui::Filter::Part::Outcome});
    filter.remove(ui::Filter::Part::Outcome);
    filter.setSection(base::SectionId(3), "three");
    QVERIFY(filter.hiding(study) == std::vector{ui::Filter::Part::Section});
  }

  void theRingOfTheFirstCallIsWhole() {
    test::Recording recording;
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "f", 1, false});
    recording.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), "f32[]"});
    recording.calls.push_back(test::makeCall(1, 1, 0, 0, Outcome::Hit, 0, 3000));
    const QString path = m_sandbox.file("first.jitscope");
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), recording, {record::SessionStatus::Finished, "", 400 * kMs}));
    m_window->theme().choose(ui::Theme::Choice::Light);
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(chart().current().has_value());
    const QImage image = page().view().viewport()->grab().toImage();
    const int x = static_cast<int>(std::lround(chart().xOf(0)));
    const int y = static_cast<int>(std::lround(chart().yOf(static_cast<double>(chart().current()->maxNs))));
    QVERIFY(image.pixelColor(x + 8, y).lightness() < 100);
    QVERIFY(image.pixelColor(x - 8, y).lightness() < 100);
  }

  void sectionsWithoutLengthAreNamedUnderTheMouse() {
    test::Recording recording = test::sampleRecording();
    recording.events.emplace_back(event::SectionEvent{base::SectionId(4), "first of two at once", 4000 * kMs});
    recording.events.emplace_back(event::SectionEvent{base::SectionId(5), "second of two at once", 4000 * kMs});
    const QString path = m_sandbox.file("sections.jitscope");
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), recording));
    QVERIFY(test::openAndSettle(*m_window, path));
    const QPoint place(static_cast<int>(chart().xOf(4000e6)), static_cast<int>(chart().plotArea().top()) - 10);
    QTest::mouseMove(page().view().viewport(), place);
    QVERIFY2(QToolTip::text().contains("section first of two at once: 4.00 s to 4.00 s"), qPrintable(QToolTip::text()));
    QVERIFY2(QToolTip::text().contains("section second of two at once: 4.00 s to 6.20 s"), qPrintable(QToolTip::text()));
  }

  void aTipGoesWhenTheMouseBeginsToDrag() {
    const QPoint place(20, static_cast<int>(chart().threadRow(0).center().y()));
    QTest::mouseMove(page().view().viewport(), place);
    QVERIFY2(QToolTip::text().startsWith("main"), qPrintable(QToolTip::text()));
    QTest::mousePress(page().view().viewport(), Qt::LeftButton, {}, place);
    QTRY_COMPARE_WITH_TIMEOUT(QToolTip::text(), QString(), test::kPatienceMs);
    QTest::mouseRelease(page().view().viewport(), Qt::LeftButton, {}, place);
  }

  void threadsOfSeveralRunsAreToldApart() {
    std::vector<session::MergedPart> parts(2);
    parts[0].lastProcess = 1;
    parts[1].firstProcess = 2;
    parts[1].lastProcess = 3;
    QStringList labels;
    for (std::uint16_t process = 0; process < 4; ++process) {
      labels << charts::threadLabel({process, 0}, parts);
    }
    QCOMPARE(labels, (QStringList{"run 1", "1: cold 1", "run 2", "2: cold 1"}));
    QCOMPARE(charts::threadLabel({2, 3}, parts), QStringLiteral("run 2.3"));
    QCOMPARE(charts::threadLabel({0, 0}, {}), QStringLiteral("main"));
    QCOMPARE(charts::threadLabel({1, 0}, {}), QStringLiteral("cold 1"));
  }

  void aBenchmarkThatIsBeingRecordedSaysHowFarItIs() {
    const QString path = m_sandbox.file("running.jitscope");
    auto writer = session::SessionWriter::create(path.toStdString(), test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    std::vector<event::Event> events{event::BenchCaseEvent{base::CaseId(1), 1, "dot", "", {}, 0, 0, 1},
                                     event::BenchCaseEvent{base::CaseId(2), 1, "sum", "", {}, 0, 0, 1}};
    JS_VERIFY_RESULT((*writer)->write({events, {}}));
    QVERIFY(test::openAndSettle(*m_window, path));
    auto *progress = page().findChild<QLabel *>("benchProgress");
    QVERIFY(progress->isVisible());
    QVERIFY2(progress->text().startsWith("Recording a benchmark of 2 cases: 0 cold and 0 warm legs are measured."),
             qPrintable(progress->text()));
    QVERIFY(test::showAndSettle(*m_window, "latency"));
    QCOMPARE(m_window->findChild<QLabel *>("latencySentence")->text(), progress->text());
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Finished, "", kMs}));
    QTRY_VERIFY_WITH_TIMEOUT(!progress->isVisible(), 20000);
  }
};

QTEST_MAIN(TestTimelineWords)
#include "tst_timeline_words.moc"
