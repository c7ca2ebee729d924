// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/result_checks.h"
#include "ui/store/session_store.h"
#include "ui/window/main_window.h"

#include <QDir>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace jitscope::test {

/// Keeps settings and data of the window under test away from those of whoever runs it.
class GuiSandbox {
public:
  GuiSandbox() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("jitscope-test"));
    QCoreApplication::setApplicationName(QStringLiteral("jitscope-test-%1").arg(QCoreApplication::applicationPid()));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
  }
  [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }

private:
  QTemporaryDir m_folder;
};

/// A window as most tests want it: shown, with nothing open.
inline std::unique_ptr<ui::MainWindow> showWindow() {
  auto window = std::make_unique<ui::MainWindow>();
  window->resize(1280, 800);
  window->show();
  return window;
}

/// Waits until the store has no question left, through all that answers lead to.
inline bool settle(ui::SessionStore &store, int timeoutMs = 30000) {
  return QTest::qWaitFor(
      [&store] {
        QCoreApplication::sendPostedEvents();
        return !store.isOpening() && store.pending() == 0;
      },
      timeoutMs);
}

/// Opens a session in a window and waits until the present page shows it.
inline bool openAndSettle(ui::MainWindow &window, const QString &path) {
  QSignalSpy opened(&window.store(), &ui::SessionStore::opened);
  window.openPath(path);
  return (opened.size() > 0 || opened.wait(30000)) && settle(window.store());
}

/// Shows a page and waits for what it asks.
inline bool showAndSettle(ui::MainWindow &window, const QString &page) {
  window.showPage(page);
  QCoreApplication::processEvents();
  return settle(window.store());
}

} // namespace jitscope::test
