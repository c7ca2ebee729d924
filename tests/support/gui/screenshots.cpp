// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a picture of every page, light and dark: screenshots SESSION FOLDER. With QT_SCALE_FACTOR=2 at twice the scale.
#include <QtTest>

#include "support/gui/gui_fixture.h"

#include "session/file/database.h"
#include "session/session_reader.h"
#include "ui/pages/page.h"

#include <QApplication>

#include <cstdio>

using namespace jitscope;

namespace {

/// Goes to the most expensive miss that has a nearest template, else to any, so that pages which follow have something to show.
void chooseMiss(ui::MainWindow &window, const QString &path) {
  const auto reader = session::SessionReader::open(path.toStdString());
  if (!reader) {
    return;
  }
  const auto id = (*reader)->database().queryInteger(
      "SELECT call_id FROM compile WHERE call_id IS NOT NULL ORDER BY difference <> '' DESC, total_ns DESC, id LIMIT 1");
  if (id && id->has_value()) {
    window.focus().setCall(base::CallId(static_cast<std::uint64_t>(**id)), {});
    test::settle(window.store());
  }
}

} // namespace

int main(int argc, char **argv) {
  QApplication application(argc, argv);
  if (argc < 3) {
    std::fprintf(stderr, "usage: screenshots SESSION FOLDER [PAGE]...\n");
    return 2;
  }
  const test::GuiSandbox sandbox;
  const QDir folder(QString::fromLocal8Bit(argv[2]));
  folder.mkpath(QStringLiteral("."));
  QStringList only;
  for (int i = 3; i < argc; ++i) {
    only << QString::fromLocal8Bit(argv[i]);
  }
  for (const auto &[name, choice] : {std::pair("light", ui::Theme::Choice::Light), std::pair("dark", ui::Theme::Choice::Dark)}) {
    ui::MainWindow window;
    window.theme().choose(choice);
    window.resize(1280, 800);
    window.show();
    if (!test::openAndSettle(window, QString::fromLocal8Bit(argv[1]))) {
      std::fprintf(stderr, "the session cannot be opened: %s\n", argv[1]);
      return 2;
    }
    test::showAndSettle(window, QStringLiteral("timeline"));
    chooseMiss(window, QString::fromLocal8Bit(argv[1]));
    for (ui::Page *page : window.pages()) {
      if (!only.isEmpty() && !only.contains(page->objectName())) {
        continue;
      }
      test::showAndSettle(window, page->objectName());
      QTest::qWait(50);
      test::settle(window.store());
      const QString file = folder.filePath(QStringLiteral("%1-%2.png").arg(page->objectName(), QLatin1String(name)));
      if (!window.grab().save(file)) {
        std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
        return 2;
      }
    }
  }
  return 0;
}
