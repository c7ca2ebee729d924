// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/result_checks.h"
#include "support/sessions/measured_sessions.h"
#include "support/sessions/studied_session.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_tables.h"
#include "ui/widgets/tables/item_view.h"

#include <QDialog>
#include <QHeaderView>
#include <QPushButton>

#include <algorithm>

using namespace jitscope;

class TestComparePage : public test::WindowTest {
  Q_OBJECT

public:
  TestComparePage() : WindowTest(test::studiedRecording) {}

private:
  ui::ComparePage &page() { return *qobject_cast<ui::ComparePage *>(m_window->page("compare")); }

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void aSessionComparedWithItselfIsEqual() {
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    ui::ComparePage &compare = page();
    compare.compareWith(m_path);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(compare.verdict().startsWith("<b>No regression: 0 of 2 legs slower, 2 equal</b>"), qPrintable(compare.verdict()));
    QVERIFY2(compare.verdict().contains("Counts: 0 worse, 0 better, 0 different but not judged."), qPrintable(compare.verdict()));
    QCOMPARE(compare.remarks().rows().size(), std::size_t{0});
    QVERIFY(!compare.counts().rows().empty());
  }

  void whatCannotBeToldHeadsThePageWithItsNoise() {
    const auto write = [this](const char *name, const char *started, double coldNs, std::uint64_t seed) {
      test::MeasuredSession plan;
      plan.seed = seed;
      plan.info.uuid = started;
      plan.info.startedUtc = started;
      plan.legs = {{.name = "kernel", .leg = event::Leg::Cold, .medianNs = coldNs},
                   {.name = "kernel", .leg = event::Leg::Warm, .medianNs = 173'000}};
      const QString path = m_sandbox.file(name);
      QFile::remove(path);
      return test::writeMeasured(path.toStdString(), plan) ? path : QString();
    };
    const QString base = write("noisy.jitscope", "2024-05-01T12:00:00.000Z", 100'000, 1);
    const QString contender = write("doubtful.jitscope", "2024-05-02T12:00:00.000Z", 169'600, 2);
    QVERIFY(test::openAndSettle(*m_window, contender));
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    page().compareWith(base);
    QVERIFY(test::settle(m_window->store()));
    const QString verdict = page().verdict();
    QVERIFY2(verdict.startsWith("<b>Cannot tell: 1 leg may be slower; 0 of 2 legs slower, 1 equal, 1 cannot tell (noise ±7"),
             qPrintable(verdict));
    QVERIFY2(verdict.contains(QStringLiteral("⚠ kernel, cold: +")) && verdict.contains("is within the noise of the base"),
             qPrintable(verdict));
    const QString table = m_window->findChild<ui::ItemView *>("compareLegs")->asText(true);
    QVERIFY2(table.contains("cannot tell") && table.contains("equal") && !table.contains("alike"), qPrintable(table));
    const auto columns = ui::comparedLegColumns();
    const QString tip = columns[2].rowTip(page().legs().rows()[0]);
    QVERIFY2(tip.startsWith("cannot tell: +"), qPrintable(tip));
  }

  void aFilterIsSaidNotToApply() {
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    page().compareWith(m_path);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(!page().verdict().contains("filter"));
    m_window->filter().setOutcome(event::Outcome::Hit);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(page().verdict().contains("This page compares whole sessions: the filter does not apply here."),
             qPrintable(page().verdict()));
  }

  void aCountOfCodeSaysWhatItSumsUp() {
    const auto what = ui::comparedCountColumns().front();
    analysis::CountComparison row;
    row.key.count = analysis::Count::CodeBytes;
    QVERIFY2(what.rowTip(row).contains("of all compiles; repeated compiles count each time"), qPrintable(what.rowTip(row)));
    row.key.count = analysis::Count::Compiles;
    QCOMPARE(what.rowTip(row), QString());
  }

  void aSmallProbabilityIsNotShownAsNone() {
    const std::vector<ui::Column<analysis::LegComparison>> columns = ui::comparedLegColumns();
    const auto p = std::ranges::find(columns, QStringLiteral("p"), &ui::Column<analysis::LegComparison>::title);
    QVERIFY(p != columns.end());
    analysis::LegComparison leg;
    leg.shift.emplace();
    leg.adjustedPValue = 1e-9;
    QCOMPARE(p->text(leg), QStringLiteral("<0.001"));
    leg.adjustedPValue = 0.25;
    QCOMPARE(p->text(leg), QStringLiteral("0.250"));
  }

  void compileTimesAreComparedWhereNothingWasMeasured() {
    test::Recording recording = test::studiedRecording();
    std::erase_if(recording.events, [](const event::Event &event) { return std::holds_alternative<event::BenchCaseEvent>(event); });
    for (event::CallEvent &call : recording.calls) {
      call.caseId = {};
      call.leg = event::Leg::None;
      call.phase = event::CallPhase::Run;
    }
    const QString base = m_sandbox.file("unmeasured.jitscope");
    QFile::remove(base);
    JS_VERIFY_RESULT(test::writeSession(base.toStdString(), recording));
    for (event::Event &event : recording.events) {
      if (auto *compile = std::get_if<event::CompileEvent>(&event)) {
        compile->totalNs *= 2;
      }
    }
    for (event::CallEvent &call : recording.calls) {
      call.compileNs *= 2;
    }
    const QString contender = m_sandbox.file("slower.jitscope");
    QFile::remove(contender);
    JS_VERIFY_RESULT(test::writeSession(contender.toStdString(), recording));
    QVERIFY(test::openAndSettle(*m_window, base));
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    ui::ComparePage &compare = page();
    compare.compareWith(contender);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(!compare.compiles().rows().empty());
    for (const analysis::CompileComparison &row : compare.compiles().rows()) {
      QCOMPARE(row.ratio().value_or(0), 2.0);
    }
    QVERIFY(compare.legs().rows().empty());
    QVERIFY2(compare.verdict().contains("neither session has a benchmark case"), qPrintable(compare.verdict()));
    auto *compiles = m_window->findChild<ui::ItemView *>("compareCompiles");
    auto *legs = m_window->findChild<ui::ItemView *>("compareLegs");
    // The first tab with something in it is shown, and the empty one says why it is empty.
    QVERIFY(compiles->isVisible());
    QVERIFY2(legs->placeholder().contains("bench {"), qPrintable(legs->placeholder()));
    QVERIFY2(compiles->asText(true).contains("2.00×"), qPrintable(compiles->asText(true)));
  }

  void newRemarksAndMoreCompilesShow() {
    const QString base = m_sandbox.file("base.jitscope");
    QFile::remove(base);
    JS_VERIFY_RESULT(test::writeSession(base.toStdString(), test::sampleRecording()));
    QVERIFY(test::openAndSettle(*m_window, base));
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    ui::ComparePage &compare = page();
    compare.compareWith(m_path);
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(compare.remarks().rows().size(), std::size_t{3});
    // The base recorded no remark at all.
    for (const analysis::RemarkChange &row : compare.remarks().rows()) {
      QCOMPARE(row.kind, analysis::RemarkChangeKind::NotRecordedInBase);
    }
    auto *table = m_window->findChild<ui::ItemView *>("compareRemarks");
    QVERIFY2(table->asText(true).contains("not recorded in base"), qPrintable(table->asText(true)));
    QVERIFY(std::ranges::any_of(compare.counts().rows(),
                                [](const analysis::CountComparison &row) { return row.verdict == analysis::Verdict::Worse; }));
  }

  void theSessionThatWasRecordedEarlierIsTheBase_data() {
    QTest::addColumn<bool>("earlierIsOpen");
    QTest::newRow("the open one is earlier") << true;
    QTest::newRow("the other one is earlier") << false;
  }
  void theSessionThatWasRecordedEarlierIsTheBase() {
    QFETCH(bool, earlierIsOpen);
    const auto write = [this](const char *name, const char *started, const char *pipeline) {
      const QString path = m_sandbox.file(QString::fromLatin1(name));
      QFile::remove(path);
      session::SessionInfo info = test::sampleInfo();
      info.uuid = started;
      info.startedUtc = started;
      info.options = "{\"pipeline\":\"" + std::string(pipeline) + "\"}";
      return test::writeSession(path.toStdString(), test::studiedRecording(),
                                {record::SessionStatus::Finished, "", test::kSampleEndNs}, info)
                 ? path
                 : QString();
    };
    const QString earlier = write("earlier.jitscope", "2024-05-01T12:00:00.123Z", "deferred");
    const QString later = write("later.jitscope", "2024-05-02T09:00:00.000Z", "pre-link");
    const QString open = earlierIsOpen ? earlier : later;
    QVERIFY(test::openAndSettle(*m_window, open));
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    ui::ComparePage &compare = page();
    compare.compareWith(earlierIsOpen ? later : earlier);
    QVERIFY(test::settle(m_window->store()));
    const auto isBase = [&compare](const QString &path) { return compare.names().startsWith("<b>Base:</b> " + path); };
    QVERIFY2(isBase(earlier), qPrintable(compare.names()));
    // It is what was asked for, perhaps, and no failing.
    QVERIFY2(compare.verdict().contains("Note: different option pipeline: deferred -&gt; pre-link"), qPrintable(compare.verdict()));
    QVERIFY(!compare.verdict().contains(QStringLiteral("⚠ different")));
    auto *swap = m_window->findChild<QPushButton *>("compareSwap");
    swap->click();
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(isBase(later), qPrintable(compare.names()));
    QVERIFY(compare.verdict().contains("pipeline: pre-link -&gt; deferred"));
    // What is open stays so.
    QCOMPARE(m_window->store().path(), open);
    swap->click();
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(isBase(earlier));
    auto *legs = m_window->findChild<ui::ItemView *>("compareLegs");
    const int samples = legs->header()->count() - 1;
    QCOMPARE(legs->model()->headerData(samples, Qt::Horizontal).toString(), QString("Samples"));
    QVERIFY(legs->header()->sectionSize(samples) >= legs->header()->sectionSizeHint(samples));
    QVERIFY(legs->header()->sectionSize(samples) >= static_cast<QAbstractItemView *>(legs)->sizeHintForColumn(samples));
  }

  void enterOnCompareWithAsksForASession() {
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    m_window->activateWindow();
    auto *button = m_window->findChild<QPushButton *>("compareWith");
    button->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(button->hasFocus(), test::kPatienceMs);
    bool asked = false;
    QTimer::singleShot(0, this, [&asked] {
      auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
      asked = dialog != nullptr;
      if (dialog != nullptr) {
        dialog->reject();
      }
    });
    QTest::keyClick(button, Qt::Key_Return);
    QVERIFY(asked);
  }

  void comparingWithWhatIsNoSessionSaysSo() {
    QVERIFY(test::showAndSettle(*m_window, "compare"));
    ui::ComparePage &compare = page();
    compare.compareWith(m_sandbox.file("nothing.jitscope"));
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(compare.verdict().contains("does not exist"));
    QVERIFY(m_window->store().isOpen());
  }
};

QTEST_MAIN(TestComparePage)
#include "tst_compare_page.moc"
