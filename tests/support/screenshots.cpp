// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a picture of every page, light and dark: screenshots SESSION FOLDER. With QT_SCALE_FACTOR=2 at twice the scale.
#include <QtTest>

#include "support/gui_fixture.h"

#include "analysis/call_span_index.h"
#include "ui/pages/timeline_page.h"
#include "ui/pages/timeline_view.h"

#include <QApplication>

#include <cstdio>

using namespace jitscope;

namespace {

/// Goes to the first miss, so that pages which follow have something to show.
void chooseMiss(ui::MainWindow &window) {
  auto *page = qobject_cast<ui::TimelinePage *>(window.page(QStringLiteral("timeline")));
  const auto &marks = page->view().timeline().data().view.marks;
  const analysis::TimelineMark *longest = nullptr;
  for (const analysis::TimelineMark &mark : marks) {
    if (mark.outcome == event::Outcome::Miss && (longest == nullptr || mark.mostNs > longest->mostNs)) {
      longest = &mark;
    }
  }
  if (longest != nullptr) {
    Q_EMIT page->view().markChosen(analysis::TimelineMark(*longest));
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
    chooseMiss(window);
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
