// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui_fixture.h"
#include "support/result_checks.h"
#include "support/session_samples.h"
#include "ui/pages/page.h"
#include "ui/widgets/storm_label.h"

using namespace jitscope;
using event::Outcome;

namespace {

/// Seven sizes of a function, each of which is compiled and then found once.
test::Recording sevenSizes() {
  test::Recording r;
  r.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "standardize", 3, false});
  for (std::uint32_t id = 1; id <= 7; ++id) {
    r.events.emplace_back(event::TemplateEvent{base::TemplateId(id), base::FunctionId(1), "f32[" + std::to_string(id) + "]"});
    const std::uint64_t at = id * 20 * test::kMs;
    r.calls.push_back(test::makeCall(2 * id - 1, id, 0, at, Outcome::Miss, 4 * test::kMs, 5'000));
    r.calls.push_back(test::makeCall(2 * id, id, 0, at + 10 * test::kMs, Outcome::Hit, 0, 5'000));
    event::CompileEvent compile = test::makeCompile(id, 2 * id - 1, id, at, 0);
    compile.reason = id == 1 ? event::MissReason::NewFunction : event::MissReason::NewShape;
    r.events.emplace_back(compile);
  }
  return r;
}

} // namespace

class TestRecompileStorms : public QObject {
  Q_OBJECT

private:
  QString write(const QString &name, const test::Recording &recording) {
    const QString path = m_sandbox.file(name);
    return test::writeSession(path.toStdString(), recording) ? path : QString();
  }
  ui::StormLabel &label(const char *page) {
    return *m_window->page(QString::fromLatin1(page))->findChild<ui::StormLabel *>("storms");
  }

private Q_SLOTS:
  void init() { m_window = test::showWindow(); }
  void cleanup() { m_window.reset(); }

  void theTimelinePointsAStormOutAndLeadsToItsTemplates() {
    QVERIFY(test::openAndSettle(*m_window, write("storm.jitscope", sevenSizes())));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    ui::StormLabel &storms = label("timeline");
    QVERIFY(storms.isVisible());
    QVERIFY2(storms.text().contains("standardize was compiled 7 times for 14 calls"), qPrintable(storms.text()));
    QVERIFY2(storms.text().contains("What varies: dimension 0 of argument 0 took 7 sizes, 1 to 7."), qPrintable(storms.text()));
    QVERIFY(!storms.text().contains("options{"));
    // Its link has the colours of the theme.
    m_window->theme().choose(ui::Theme::Choice::Light);
    const QImage light = storms.grab().toImage();
    m_window->theme().choose(ui::Theme::Choice::Dark);
    QVERIFY(test::settle(m_window->store()));
    const auto hasColour = [](const QImage &image, const QColor &colour) {
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          if (image.pixelColor(x, y) == colour) {
            return true;
          }
        }
      }
      return false;
    };
    QVERIFY(hasColour(storms.grab().toImage(), storms.palette().color(QPalette::Link)));
    QVERIFY(!hasColour(light, storms.palette().color(QPalette::Link)));
    // With the keys, as with the mouse.
    storms.setFocus();
    QTest::keyClick(&storms, Qt::Key_Tab);
    QTest::keyClick(&storms, Qt::Key_Return);
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(m_window->page("templates")->isVisible());
    QVERIFY(label("templates").isVisible());
    QVERIFY(label("templates").text().contains("With options{template=\"rank\"} one executable serves all sizes"));
  }

  void withoutAStormThereIsNoLine() {
    QVERIFY(test::openAndSettle(*m_window, write("storm again.jitscope", sevenSizes())));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QVERIFY(label("timeline").isVisible());
    QVERIFY(test::openAndSettle(*m_window, write("calm.jitscope", test::sampleRecording())));
    QVERIFY(!label("timeline").isVisible());
  }

private:
  test::GuiSandbox m_sandbox;
  std::unique_ptr<ui::MainWindow> m_window;
};

QTEST_MAIN(TestRecompileStorms)
#include "tst_recompile_storms.moc"
