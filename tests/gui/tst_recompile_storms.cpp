// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/sessions/session_samples.h"
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

/// The same seven sizes, each compiled in a tenth of a millisecond, and in between, within the same spans, a function that compiles
/// once and is called often.
test::Recording amongManyCalls() {
  test::Recording r;
  r.events.emplace_back(event::FunctionEvent{base::FunctionId(1), "steady", 1, false});
  r.events.emplace_back(event::FunctionEvent{base::FunctionId(2), "stormy", 2, false});
  r.events.emplace_back(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), "f32[8]"});
  std::uint64_t at = 0;
  std::uint32_t compiles = 0;
  const auto call = [&](std::uint32_t templateId, bool isMiss) {
    const std::uint64_t id = r.calls.size() + 1;
    r.calls.push_back(test::makeCall(id, templateId, 0, at, isMiss ? Outcome::Miss : Outcome::Hit, isMiss ? 100'000 : 0, 500));
    if (isMiss) {
      event::CompileEvent compile = test::makeCompile(++compiles, id, templateId, at, 0);
      compile.reason = templateId <= 2 ? event::MissReason::NewFunction : event::MissReason::NewShape;
      compile.lowerNs = compile.optimizeNs = compile.codegenNs = compile.linkNs = 0;
      compile.totalNs = 100'000;
      r.events.emplace_back(compile);
    }
    at += r.calls.back().totalNs();
  };
  for (std::uint32_t id = 2; id <= 8; ++id) {
    r.events.emplace_back(event::TemplateEvent{base::TemplateId(id), base::FunctionId(2), "f32[" + std::to_string(id) + "]"});
    for (int i = 0; i < 500; ++i) {
      call(1, id == 2 && i == 0);
    }
    call(id, true);
  }
  return r;
}

} // namespace

class TestRecompileStorms : public test::WindowTest {
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
  void init() { begin(); }
  void cleanup() { end(); }

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

  void everyPageCountsTheCallsOfAStormAlike() {
    QVERIFY(test::openAndSettle(*m_window, write("many calls.jitscope", amongManyCalls())));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    const QString sentence = "stormy was compiled 7 times for 7 calls; compiling took 700 µs.";
    QVERIFY2(label("timeline").text().contains(sentence), qPrintable(label("timeline").text()));
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    QVERIFY2(label("templates").text().contains(sentence), qPrintable(label("templates").text()));
    // Of a range both count what begins in it.
    m_window->filter().setRange(analysis::TimeRange{0, 700'000 + 6 * 500 * 600});
    QVERIFY(test::settle(m_window->store()));
    const QString ofRange = "stormy was compiled 6 times for 6 calls";
    QVERIFY2(label("templates").text().contains(ofRange), qPrintable(label("templates").text()));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QVERIFY2(label("timeline").text().contains(ofRange), qPrintable(label("timeline").text()));
  }

  void withoutAStormThereIsNoLine() {
    QVERIFY(test::openAndSettle(*m_window, write("storm again.jitscope", sevenSizes())));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QVERIFY(label("timeline").isVisible());
    QVERIFY(test::openAndSettle(*m_window, write("calm.jitscope", test::sampleRecording())));
    QVERIFY(!label("timeline").isVisible());
  }
};

QTEST_MAIN(TestRecompileStorms)
#include "tst_recompile_storms.moc"
