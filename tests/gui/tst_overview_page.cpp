// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/sessions/session_samples.h"
#include "ui/pages/overview/outcome_strip.h"
#include "ui/pages/overview/overview_page.h"

#include <QLabel>
#include <QTextBrowser>

using namespace jitscope;
using event::Outcome;

namespace {

/// Twelve sizes of a function that takes a quarter of a second for each compile: a storm.
test::Recording storm() {
  test::Recording r;
  r.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "standardize", 3, false});
  for (std::uint32_t id = 1; id <= 12; ++id) {
    r.events.emplace_back(event::TemplateEvent{base::TemplateId(id), base::FunctionId(1), "f32[" + std::to_string(id) + "]"});
    const std::uint64_t at = id * 400 * test::kMs;
    r.calls.push_back(test::makeCall(2 * id - 1, id, 0, at, Outcome::Miss, 250 * test::kMs, 5'000));
    r.calls.push_back(test::makeCall(2 * id, id, 0, at + 300 * test::kMs, Outcome::Hit, 0, 5'000));
    event::CompileEvent compile = test::makeCompile(id, 2 * id - 1, id, at, 0);
    compile.reason = id == 1 ? event::MissReason::NewFunction : event::MissReason::NewShape;
    compile.optimizeNs = 200 * test::kMs;
    compile.totalNs = 250 * test::kMs;
    r.events.emplace_back(compile);
  }
  return r;
}

/// One function that compiles once, and is then called often.
test::Recording calm() {
  test::Recording r;
  r.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "steady", 1, false});
  r.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), "f32[8]"});
  for (std::uint64_t id = 1; id <= 200; ++id) {
    r.calls.push_back(test::makeCall(id, 1, 0, id * test::kMs, Outcome::Hit, 0, 500'000));
  }
  return r;
}

} // namespace

class TestOverviewPage : public test::WindowTest {
  Q_OBJECT

public:
  TestOverviewPage() : WindowTest(storm) {}

private:
  ui::OverviewPage &page() { return *qobject_cast<ui::OverviewPage *>(m_window->page("overview")); }
  QTextBrowser &findings() { return *m_window->findChild<QTextBrowser *>("findings"); }
  ui::OutcomeStrip &strip() { return *m_window->findChild<ui::OutcomeStrip *>("outcomeStrip"); }
  QString headline() { return m_window->findChild<QLabel *>("headline")->text(); }
  QString write(const QString &name, const test::Recording &recording) {
    const QString path = m_sandbox.file(name);
    return test::writeSession(path.toStdString(), recording) ? path : QString();
  }
  bool shows(const QColor &colour) {
    const QImage image = strip().grab().toImage();
    for (int x = 0; x < image.width(); ++x) {
      for (int y = 0; y < image.height() / 2; ++y) {
        if (image.pixelColor(x, y) == colour) {
          return true;
        }
      }
    }
    return false;
  }

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  void anOpenedSessionLandsHereWithItsHeadlineAndFindings() {
    QVERIFY(page().isVisible());
    QVERIFY2(headline().startsWith("12 compiles in 24 calls took 3.00 s"), qPrintable(headline()));
    QVERIFY2(headline().endsWith("80.0 % of it in optimize."), qPrintable(headline()));
    QVERIFY(!page().findings().empty());
    QCOMPARE(page().findings().front().kind, analysis::FindingKind::Storm);
    const QString text = findings().toPlainText();
    QVERIFY2(text.contains("standardize was compiled again 11 times"), qPrintable(text));
    QVERIFY2(text.contains("What to do: "), qPrintable(text));
  }

  void aSessionThatShowsAPageAlreadyStaysThere() {
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    QVERIFY(test::openAndSettle(*m_window, write("calm.jitscope", calm())));
    QVERIFY(m_window->page("templates")->isVisible());
  }

  void aSessionWithNothingWrongSaysSo() {
    QVERIFY(test::openAndSettle(*m_window, write("nothing wrong.jitscope", calm())));
    QCOMPARE(headline(), QStringLiteral("200 calls, and nothing was compiled."));
    QCOMPARE(findings().toPlainText(), QStringLiteral("Nothing to improve was found in 200 calls and 0 compiles."));
    // What the storm's session showed is gone.
    QVERIFY(page().findings().empty());
  }

  void linksLeadToWhatAFindingStandsOn_data() {
    QTest::addColumn<QString>("link");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("calls") << "0/calls" << "timeline";
    QTest::newRow("templates") << "0/templates" << "templates";
    QTest::newRow("compiles") << "0/compiles" << "compiles";
    QTest::newRow("code") << "0/code" << "diff";
    QTest::newRow("line") << "0/line" << "script";
  }
  void linksLeadToWhatAFindingStandsOn() {
    QFETCH(QString, link);
    QFETCH(QString, wanted);
    QVERIFY2(findings().toHtml().contains("href=\"" + link), qPrintable(findings().toHtml()));
    Q_EMIT findings().anchorClicked(QUrl(link));
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(m_window->page(wanted)->isVisible());
    const analysis::FindingRows &rows = page().findings().front().rows;
    if (wanted == "timeline") {
      QCOMPARE(m_window->focus().callId(), rows.calls.front());
    } else if (wanted == "templates") {
      QCOMPARE(m_window->focus().templateId(), rows.templates.front());
    } else if (wanted == "compiles" || wanted == "diff") {
      QCOMPARE(m_window->focus().compileId(), rows.compiles.front());
    }
  }

  void linksOfNothingDoNothing_data() {
    QTest::addColumn<QString>("link");
    QTest::newRow("no such finding") << "99/calls";
    QTest::newRow("no number") << "x";
    QTest::newRow("another address") << "https://example.org/1";
  }
  void linksOfNothingDoNothing() {
    QFETCH(QString, link);
    Q_EMIT findings().anchorClicked(QUrl(link));
    QVERIFY(page().isVisible());
  }

  void theStripShowsEveryOutcomeAndLeadsToTheTimeline() {
    const charts::Palette &palette = m_window->theme().palette();
    QVERIFY(shows(palette.outcome(Outcome::Miss)));
    QVERIFY(shows(palette.outcome(Outcome::Hit)));
    QCOMPARE(strip().accessibleDescription(), QStringLiteral("hit 12, miss 12"));
    QTest::keyClick(&strip(), Qt::Key_Return);
    QVERIFY(m_window->page("timeline")->isVisible());
  }

  void theHeadlineAndTheStripObeyTheFilterAndFindingsSayThatTheyDoNot() {
    m_window->filter().setOutcome(Outcome::Hit);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY2(headline().contains("12 calls"), qPrintable(headline()));
    QVERIFY(!shows(m_window->theme().palette().outcome(Outcome::Miss)));
    QVERIFY2(findings().toPlainText().startsWith("Findings are about the whole session"), qPrintable(findings().toPlainText()));
    QVERIFY(!page().findings().empty());
  }

  void closingLeavesNothing() {
    m_window->store().close();
    QCOMPARE(headline(), QStringLiteral("No session is open."));
    QVERIFY(findings().toPlainText().isEmpty());
    QVERIFY(strip().view().marks.empty());
  }
};

QTEST_MAIN(TestOverviewPage)
#include "tst_overview_page.moc"
