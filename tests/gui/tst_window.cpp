// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui_fixture.h"
#include "ui/window/recent_files.h"

#include <QListWidget>
#include <QMenu>

using namespace jitscope;

/// The window around the pages.
class TestWindow : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    m_window = std::make_unique<ui::MainWindow>();
    m_window->resize(1280, 800);
    m_window->show();
  }
  void cleanup() { m_window.reset(); }

  void whatWasOpenedIsListedByKindAsFarAsItIsThere() {
    const QString session = m_sandbox.file("seen.jitscope");
    const QString gone = m_sandbox.file("gone.jitscope");
    const QString script = m_sandbox.file("seen.lua");
    for (const QString &path : {session, gone, script}) {
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
    }
    ui::clearRecentFiles();
    for (const QString &path : {session, gone, script}) {
      ui::addRecentFile(path);
    }
    for (int i = 0; i < 30; ++i) {
      ui::addRecentFile(QStringLiteral("/nowhere/%1.jitscope").arg(i));
    }
    // Many sessions leave the scripts where they are.
    QCOMPARE(ui::recentFiles().scripts, QStringList{script});
    QVERIFY(ui::recentFiles().sessions.isEmpty());
    ui::addRecentFile(session);
    ui::addRecentFile(gone);
    QVERIFY(QFile::remove(gone));
    m_window->showPage("script");
    m_window->showPage("start");
    auto *list = m_window->findChild<QListWidget *>("recentList");
    QStringList shown;
    for (int i = 0; i < list->count(); ++i) {
      shown << list->item(i)->text().section(QLatin1Char('\n'), 0, 0);
    }
    QCOMPARE(shown, (QStringList{"Sessions", "seen.jitscope", "Scripts", "seen.lua"}));
    QVERIFY((list->item(0)->flags() & Qt::ItemIsSelectable) == 0);
    auto *menu = m_window->findChild<QMenu *>("recentMenu");
    Q_EMIT menu->aboutToShow();
    QStringList titles;
    for (const QAction *action : menu->actions()) {
      titles << action->text();
    }
    QCOMPARE(titles.mid(0, 4), shown);
  }

private:
  test::GuiSandbox m_sandbox;
  std::unique_ptr<ui::MainWindow> m_window;
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
