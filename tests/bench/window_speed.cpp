// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the window is: bench_window SESSION. Prints start, opening of the session until its timeline is drawn, steps of zooming
// and panning, memory, and scrolling through a long diff. jitscope_make_session writes sessions of any size.
#include <QtTest>

#include "analysis/code/ir_diff.h"
#include "support/gui/gui_fixture.h"
#include "ui/diff/diff_view.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/pages/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace jitscope;

namespace {

double milliseconds(const QElapsedTimer &timer) { return static_cast<double>(timer.nsecsElapsed()) / 1e6; }

/// The most memory that this process had, in MiB.
double peakMiB() {
  QFile file(QStringLiteral("/proc/self/status"));
  if (file.open(QIODevice::ReadOnly)) {
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines) {
      if (line.startsWith("VmHWM:")) {
        return line.mid(6).trimmed().split(' ').first().toDouble() / 1024;
      }
    }
  }
  return 0;
}

void row(const char *what, double value, const char *unit, const char *reach) {
  std::printf("%-48s %9.1f %-4s reach %s\n", what, value, unit, reach);
}

/// IR of so many instructions; every hundredth differs from side to side.
std::string longIr(int lines, bool isLeft) {
  std::string text = "define void @f(ptr %a) {\nentry:\n";
  for (int i = 0; i < lines; ++i) {
    text += fmt::format("  %v{} = fmul {} %x, %y\n", i, i % 100 == 0 && isLeft ? "double" : "<4 x double>");
  }
  return text + "  ret void\n}\n";
}

/// A diff of a hundred thousand lines: until it can be seen, and scrolling through it page by page and change by change.
void measureLongDiff() {
  constexpr int kLines = 100'000;
  const std::string left = longIr(kLines, true);
  const std::string right = longIr(kLines, false);
  QElapsedTimer timer;
  timer.start();
  analysis::TextDiff diff = analysis::diffIr(left, right, {});
  row("diff of 100,000 lines, on a thread of its own", milliseconds(timer), "ms", "");
  ui::DiffView view;
  view.setFolding(false);
  view.resize(1280, 700);
  view.show();
  timer.restart();
  view.setDiff(std::move(diff), QStringLiteral("left"), QStringLiteral("right"));
  view.grab();
  row("until it is drawn", milliseconds(timer), "ms", "100 ms");
  std::vector<double> steps;
  for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_F8}) {
    for (int i = 0; i < 200; ++i) {
      timer.restart();
      if (key == Qt::Key_F8) {
        view.stepChange(1);
      } else {
        QTest::keyClick(&view, key);
      }
      view.grab();
      steps.push_back(milliseconds(timer));
    }
  }
  std::ranges::sort(steps);
  row("a page or a change on, median", steps[steps.size() / 2], "ms", "");
  row("a page or a change on, 95th percentile", steps[steps.size() * 95 / 100], "ms", "33 ms");
}

} // namespace

int main(int argc, char **argv) {
  QElapsedTimer start;
  start.start();
  QApplication application(argc, argv);
  const test::GuiSandbox sandbox;
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_window SESSION\n");
    return 2;
  }
  ui::MainWindow window;
  window.resize(1280, 800);
  window.show();
  window.grab();
  row("start, without a session, until drawn", milliseconds(start), "ms", "500 ms");

  const QString path = QString::fromLocal8Bit(argv[1]);
  window.showPage(QStringLiteral("timeline"));
  auto &view = qobject_cast<ui::TimelinePage *>(window.page(QStringLiteral("timeline")))->view();
  const double before = peakMiB();
  QElapsedTimer open;
  open.start();
  window.openPath(path);
  const bool opened = QTest::qWaitFor([&view] { return view.timeline().data().view.calls > 0; }, 60000);
  view.grab();
  if (!opened) {
    std::fprintf(stderr, "the session was not shown within a minute\n");
    return 2;
  }
  row("open until the timeline is drawn", milliseconds(open), "ms", "1000 ms");
  test::settle(window.store(), 120000);

  // In and out again, and along, as a hand would: each step until what is drawn is what the session says.
  std::vector<double> steps;
  const auto step = [&](Qt::Key key) {
    QElapsedTimer timer;
    timer.start();
    QTest::keyClick(&view, key);
    const analysis::TimeRange range = view.timeline().range();
    while (view.timeline().data().view.range != range && timer.elapsed() < 10000) {
      QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 2);
    }
    view.grab();
    steps.push_back(milliseconds(timer));
  };
  for (int i = 0; i < 45; ++i) {
    step(Qt::Key_W);
    if (i % 3 == 0) {
      step(Qt::Key_D);
    }
  }
  for (int i = 0; i < 45; ++i) {
    step(Qt::Key_S);
    if (i % 3 == 0) {
      step(Qt::Key_A);
    }
  }
  std::ranges::sort(steps);
  row("zoom or pan, median", steps[steps.size() / 2], "ms", "");
  row("zoom or pan, 95th percentile", steps[steps.size() * 95 / 100], "ms", "33 ms");
  row("zoom or pan, longest", steps.back(), "ms", "");
  row("memory, most", peakMiB(), "MiB", "500 MiB");
  std::printf("(memory before opening: %.1f MiB)\n", before);
  measureLongDiff();
  return 0;
}
