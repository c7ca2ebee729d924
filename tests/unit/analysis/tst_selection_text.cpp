// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/query/selection_text.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QTemporaryDir>

#include <limits>

using namespace jitscope;
using namespace jitscope::analysis;
using test::kMs;

namespace {

/// The sample session with a second function of the name that one has already, and a third section of a name of its own.
test::Recording recording() {
  test::Recording result = test::sampleRecording();
  result.events.emplace_back(event::FunctionEvent{base::FunctionId(3), "multiply", 9, false});
  return result;
}

} // namespace

class TestSelectionText : public QObject {
  Q_OBJECT

private:
  QTemporaryDir m_folder;
  std::unique_ptr<session::SessionReader> m_reader;

private Q_SLOTS:
  void initTestCase() {
    const std::string path = m_folder.filePath("s.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, recording()));
    auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    m_reader = *std::move(reader);
  }

  void conditionsAreRead_data() {
    QTest::addColumn<QString>("condition");
    QTest::addColumn<Selection>("expected");
    const auto row = [](const char *condition, const Selection &expected) { QTest::newRow(condition) << condition << expected; };
    constexpr std::uint64_t kEnd = std::numeric_limits<std::int64_t>::max();
    row("section=benchmark", {.sectionId = base::SectionId(3)});
    row("section=#2", {.sectionId = base::SectionId(2)});
    row("section=#0", {.sectionId = base::SectionId()});
    row("function=Matmul.dot", {.functionId = base::FunctionId(2)});
    row("function=#3", {.functionId = base::FunctionId(3)});
    row("function=multiply:9", {.functionId = base::FunctionId(3)});
    row("function=Matmul.dot:2", {.functionId = base::FunctionId(2)});
    row("template=f32[256,256], f32[256,256]", {.templateId = base::TemplateId(3)});
    row("case=256x256", {.caseId = base::CaseId(1)});
    row("case=256x256 f64", {.caseId = base::CaseId(2)});
    row("case=256x256 f64 [large]", {.caseId = base::CaseId(2)});
    row("case=#0", {.caseId = base::CaseId()});
    row("outcome=miss", {.outcome = event::Outcome::Miss});
    row("from=1.5", {.range = TimeRange{1500 * kMs, kEnd}});
    row("from=250ms", {.range = TimeRange{250 * kMs, kEnd}});
    row("to=3s", {.range = TimeRange{0, 3000 * kMs}});
    row("to=20us", {.range = TimeRange{0, 20'000}});
    row("to=20µs", {.range = TimeRange{0, 20'000}});
    // One more than a double can tell from its neighbours.
    row("to=9007199254740993ns", {.range = TimeRange{0, 9'007'199'254'740'993}});
    row("to=1e300", {.range = TimeRange{0, kEnd}});
  }
  void conditionsAreRead() {
    QFETCH(QString, condition);
    QFETCH(Selection, expected);
    const auto selection = readSelection(*m_reader, std::vector{condition.toStdString()});
    JS_VERIFY_RESULT(selection);
    QVERIFY(*selection == expected);
  }

  void whatIsNoConditionIsRefusedWithTheRemedy_data() {
    QTest::addColumn<QString>("condition");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *condition, const char *message) { QTest::newRow(condition) << condition << message; };
    row("benchmark",
        "\"benchmark\" is not a condition; give KEY=VALUE, where KEY is one of section, function, template, case, outcome, "
        "from, to");
    row("", "\"\" is not a condition");
    row("colour=red", "\"colour=red\" is not a condition");
    row("section=bench", "no section is called \"bench\"; there is \"benchmark\", \"inputs\", \"miss, hit and a new shape\"");
    row("from=5000000000000", "no time lies between from and to: from must be earlier than to");
    row("section=#9", "the session has no section #9");
    row("section=#", "the session has no section #");
    row("section=#1x", "the session has no section #1x");
    row("function=#0", "the session has no function #0");
    row("function=multiply", "2 functions are called \"multiply\"; give one as function=#id: #1, multiply:9 (#3)");
    row("outcome=hits", "outcome=hits: there is no such outcome; there are hit, retrace, disk, miss, wait and bypass");
    row("from=soon", "from=soon: that is not a time");
    row("to=-1", "to=-1: that is not a time");
    row("to=nan", "to=nan: that is not a time");
    row("to=", "to=: that is not a time");
    row("to=s", "to=s: that is not a time");
  }
  void whatIsNoConditionIsRefusedWithTheRemedy() {
    QFETCH(QString, condition);
    QFETCH(QString, message);
    const auto selection = readSelection(*m_reader, std::vector{condition.toStdString()});
    QVERIFY(!selection);
    QCOMPARE(selection.error().code, base::ErrorCode::RuntimeOption);
    const QString said = QString::fromStdString(selection.error().message);
    QVERIFY2(said.startsWith(message), qPrintable(said));
  }

  void aKeyHoldsOnlyOnce() {
    const auto selection = readSelection(*m_reader, std::vector<std::string>{"outcome=hit", "outcome=miss"});
    QVERIFY(!selection);
    QVERIFY(selection.error().message.find("there is already a condition on") != std::string::npos);
  }

  void conditionsOfASelectionGiveItAgain() {
    const Selection all{.range = TimeRange{5, 9'007'199'254'740'993},
                        .sectionId = base::SectionId(2),
                        .functionId = base::FunctionId(2),
                        .templateId = base::TemplateId(3),
                        .caseId = base::CaseId(1),
                        .outcome = event::Outcome::Hit};
    const auto again = readSelection(*m_reader, conditionsOf(all));
    JS_VERIFY_RESULT(again);
    QVERIFY(*again == all);
    QVERIFY(conditionsOf({}).empty());
  }

  void aSelectionIsDescribedByNames() {
    const auto parts = describeSelection(*m_reader, {.range = TimeRange{1500 * kMs, 2000 * kMs},
                                                     .sectionId = base::SectionId(3),
                                                     .functionId = base::FunctionId(2),
                                                     .caseId = base::CaseId(),
                                                     .outcome = event::Outcome::Miss});
    JS_VERIFY_RESULT(parts);
    const std::vector<std::string> expected{"from 1.5 to 2 s", "section benchmark", "function Matmul.dot:2",
                                            "outside of every case", "outcome miss"};
    QCOMPARE(*parts, expected);
  }
};

QTEST_GUILESS_MAIN(TestSelectionText)
#include "tst_selection_text.moc"
