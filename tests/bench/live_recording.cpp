// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs to look at a run: bench_live [REPETITIONS]. A script of some 100,000 calls a second runs alone and with a window
// that follows its session, in turns. Prints how long the window's thread was busy at most, and how much longer the script's calls
// took.
#include <QtTest>

#include "session/file/database.h"
#include "session/session_reader.h"
#include "support/gui/gui_fixture.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/pages/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace jitscope;

namespace {

constexpr int kCalls = 600'000;

constexpr auto kScript = "local f = fn('f', function(x) return x * 2 + 1 end)\n"
                         "local x = iota({ 24000 }, 'f32')\n"
                         "f(x)\n"
                         "section 'calls'\n"
                         "for i = 1, %1 do f(x) end\n";

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// From the first call of the last section to the end of the last one; 0 where the session cannot be read.
double callsTookSeconds(const QString &path) {
  const auto reader = session::SessionReader::open(path.toStdString());
  if (!reader) {
    std::fprintf(stderr, "%s\n", base::describe(reader.error()).c_str());
    return 0;
  }
  const auto took = (*reader)->database().queryInteger(
      "SELECT max(start_ns + total_ns) - min(start_ns) FROM call WHERE section_id = (SELECT max(id) FROM section)");
  return took && *took ? static_cast<double>(**took) / 1e9 : 0;
}

/// The longest time between two ticks of a timer that should tick every 5 ms.
class Heartbeat {
public:
  Heartbeat() {
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.callOnTimeout([this] { m_gapsMs.push_back(static_cast<double>(m_clock.nsecsElapsed()) / 1e6), m_clock.restart(); });
    m_clock.start();
    m_timer.start(5);
  }
  [[nodiscard]] const std::vector<double> &gapsMs() const { return m_gapsMs; }

private:
  QTimer m_timer;
  QElapsedTimer m_clock;
  std::vector<double> m_gapsMs;
};

bool run(const QString &script, const QString &session, ui::MainWindow *window, std::vector<double> &gapsMs) {
  QFile::remove(session);
  QProcess command;
  command.setStandardOutputFile(QProcess::nullDevice());
  command.start(QStringLiteral(JITSCOPE_COMMAND), {"run", script, "-o", session, "--progress", "never"});
  if (window == nullptr) {
    return command.waitForFinished(600'000) && command.exitCode() == 0;
  }
  if (!QTest::qWaitFor([&session] { return QFileInfo(session).size() > 0; }, 10'000)) {
    return false;
  }
  window->openPath(session);
  window->showPage(QStringLiteral("timeline"));
  const auto &view = qobject_cast<ui::TimelinePage *>(window->page(QStringLiteral("timeline")))->view();
  if (!QTest::qWaitFor([&view] { return view.timeline().data().view.calls > 1000; }, 10'000)) {
    return false;
  }
  {
    const Heartbeat heartbeat;
    if (!QTest::qWaitFor([&command] { return command.state() == QProcess::NotRunning; }, 600'000)) {
      return false;
    }
    gapsMs.insert(gapsMs.end(), heartbeat.gapsMs().begin(), heartbeat.gapsMs().end());
  }
  // All of it is seen at the end, without a reload.
  return command.exitCode() == 0 &&
         QTest::qWaitFor([&view] { return view.timeline().data().view.calls >= std::uint64_t{kCalls}; }, 30'000);
}

} // namespace

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  const test::GuiSandbox sandbox;
  const int repetitions = argc > 1 ? std::max(1, QByteArray(argv[1]).toInt()) : 5;
  const QString script = sandbox.file("calls.lua");
  const QString session = sandbox.file("calls.jitscope");
  QFile file(script);
  if (!file.open(QIODevice::WriteOnly) || file.write(QString::fromLatin1(kScript).arg(kCalls).toUtf8()) < 0) {
    std::fprintf(stderr, "cannot write %s\n", qPrintable(script));
    return 2;
  }
  file.close();
  ui::MainWindow window;
  window.resize(1280, 800);
  window.show();
  std::vector<double> alone;
  std::vector<double> followed;
  std::vector<double> gapsMs;
  for (int i = 0; i < repetitions; ++i) {
    for (const bool isFollowed : {false, true}) {
      if (!run(script, session, isFollowed ? &window : nullptr, gapsMs)) {
        std::fprintf(stderr, "a run failed, or was not shown to its end\n");
        return 1;
      }
      (isFollowed ? followed : alone).push_back(callsTookSeconds(session));
    }
  }
  std::ranges::sort(gapsMs);
  std::printf("%-52s %9.0f\n", "calls a second, alone (median)", kCalls / median(alone));
  std::printf("%-52s %9.0f\n", "calls a second, followed by a window (median)", kCalls / median(followed));
  std::printf("%-52s %9.3f   reach 1.05\n", "ratio of the times of the calls", median(followed) / median(alone));
  std::printf("%-52s %9.1f ms\n", "time between ticks of the window's thread, median", gapsMs[gapsMs.size() / 2]);
  std::printf("%-52s %9.1f ms\n", "  99th percentile", gapsMs[gapsMs.size() * 99 / 100]);
  std::printf("%-52s %9.1f ms reach 100 ms\n", "  longest", gapsMs.back());
  return 0;
}
