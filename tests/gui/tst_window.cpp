// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/window_test.h"
#include "support/result_checks.h"
#include "support/sessions/session_files.h"
#include "support/sessions/study_samples.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/script/script_page.h"
#include "ui/window/message_bar.h"
#include "ui/window/recent_files.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>

using namespace jitscope;

/// The window around the pages.
class TestWindow : public test::WindowTest {
  Q_OBJECT

private Q_SLOTS:
  void init() { begin(); }
  void cleanup() { end(); }

  // In the editor Tab indents, so that what came after it would be out of reach.
  void tabReachesEveryControlOfTheScriptBeforeTheEditor() {
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_window->showPage("script");
    const ui::Page *script = m_window->page("script");
    QVERIFY(QApplication::focusWidget()->objectName() == "scriptEditor");
    m_window->findChild<QListWidget *>("pageList")->setFocus();
    QStringList reached;
    for (int i = 0; i < 12 && !reached.contains("jitscope::ui::ScriptEditor"); ++i) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QVERIFY(script->isAncestorOf(QApplication::focusWidget()));
      reached << QApplication::focusWidget()->metaObject()->className();
    }
    const QStringList before{"QToolButton", "QToolButton", "QToolButton", "QComboBox", "QLineEdit"}; // nothing to stop yet
    QCOMPARE(reached, before + QStringList{"jitscope::ui::ScriptEditor"});
  }

  void theStartPageIsWorkedByKeysFromItsFirstList() {
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_window->showPage("script");
    QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), m_window->findChild<QListWidget *>("exampleList"), test::kPatienceMs);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), m_window->findChild<QListWidget *>("recentList"));
  }

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

  void headingsOfRecentFilesOpenNothing() {
    const QString script = m_sandbox.file("headed.lua");
    test::writeFile(script, "print(1)\n");
    ui::clearRecentFiles();
    ui::addRecentFile(script);
    m_window->showPage("script");
    m_window->showPage("start");
    auto *list = m_window->findChild<QListWidget *>("recentList");
    const auto click = [list](int row) {
      QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
    };
    QSignalSpy opening(&m_window->store(), &ui::SessionStore::opening);
    QCOMPARE(list->item(0)->text(), QString("Scripts"));
    click(0);
    QCOMPARE(opening.size(), 0);
    QVERIFY(!m_window->findChild<ui::MessageBar *>("messageBar")->isVisible());
    click(1);
    QCOMPARE(qobject_cast<ui::ScriptPage *>(m_window->page("script"))->path(), script);
  }

  void keysOfTheSessionWorkWhateverTheMenuShowedBefore() {
    const QString path = m_sandbox.file("keys.jitscope");
    QFile::remove(path);
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), test::sampleRecording()));
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    auto *menu = fileMenu();
    QTimer::singleShot(0, menu, [menu] { QTest::keyClick(menu, Qt::Key_Escape); });
    menu->exec();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QVERIFY(test::openAndSettle(*m_window, path));
    QSignalSpy opening(&m_window->store(), &ui::SessionStore::opening);
    QTest::keyClick(m_window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(opening.size(), 1);
    QVERIFY(test::settle(m_window->store()));
    QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
    QVERIFY(!m_window->store().isOpen());
    for (const QAction *action : menu->actions()) {
      if (action->text().contains("Close")) {
        QVERIFY(!action->isEnabled());
      }
    }
  }

  void everyKeyOfTheFileMenuIsListed() {
    QString said;
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    QTimer::singleShot(0, this, [&said] {
      if (auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget())) {
        said = dialog->findChild<QLabel *>()->text();
        dialog->reject();
      }
    });
    QTest::keyClick(m_window.get(), Qt::Key_F1);
    int keys = 0;
    for (const QAction *action : fileMenu()->actions()) {
      if (!action->shortcut().isEmpty()) {
        ++keys;
        QVERIFY2(said.contains(action->shortcut().toString()), qPrintable(action->shortcut().toString()));
      }
    }
    QVERIFY(keys >= 6);
  }

  void recentSessionsSayWhatTheyHold() {
    const QString path = m_sandbox.file("held.jitscope");
    QFile::remove(path);
    JS_VERIFY_RESULT(
        test::writeSession(path.toStdString(), test::sampleRecording(), {record::SessionStatus::Failed, "no", test::kSampleEndNs}));
    const QString broken = m_sandbox.file("broken.jitscope");
    test::writeFile(broken, "no session");
    ui::clearRecentFiles();
    ui::addRecentFile(path);
    ui::addRecentFile(broken);
    m_window->showPage("script");
    m_window->showPage("start");
    auto *list = m_window->findChild<QListWidget *>("recentList");
    const auto textOf = [list](const QString &wanted) {
      for (int i = 0; i < list->count(); ++i) {
        if (list->item(i)->data(Qt::UserRole).toString() == wanted) {
          return list->item(i)->text();
        }
      }
      return QString();
    };
    const QString folder = QFileInfo(path).absolutePath();
    QTRY_COMPARE_WITH_TIMEOUT(textOf(path), QStringLiteral("held.jitscope\nfailed · deferred · 21 calls · %1").arg(folder),
                              test::kPatienceMs);
    QCOMPARE(textOf(broken), QStringLiteral("broken.jitscope\n%1").arg(folder));
    // Known by now, and still right for another content.
    QVERIFY(QFile::remove(path));
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), {}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime));
    file.close();
    m_window->showPage("script");
    m_window->showPage("start");
    QTRY_COMPARE_WITH_TIMEOUT(textOf(path), QStringLiteral("held.jitscope\nfinished · 0 calls · %1").arg(folder),
                              test::kPatienceMs);
  }

  void outcomesThatDoNotOccurCannotBeChosen() {
    const QString path = m_sandbox.file("outcomes.jitscope");
    QFile::remove(path);
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), test::sampleRecording()));
    QVERIFY(test::openAndSettle(*m_window, path));
    auto *menu = m_window->findChild<QMenu *>("outcomeMenu");
    Q_EMIT qobject_cast<QMenu *>(menu->parentWidget())->aboutToShow();
    QVERIFY(test::settle(m_window->store()));
    QStringList offered;
    for (const QAction *action : menu->actions()) {
      if (action->isEnabled()) {
        offered << action->text();
      }
    }
    QCOMPARE(offered, (QStringList{"hit\t15", "retrace\t1", "miss\t4", "wait\t1"}));
    QCOMPARE(menu->actions().size(), 6);
  }

  void aMessageGoesWithThePageThatItIsAbout() {
    auto *message = m_window->findChild<ui::MessageBar *>("messageBar");
    m_window->showPage("script");
    m_window->openPath("/nowhere/none.jitscope");
    QTRY_VERIFY_WITH_TIMEOUT(message->isVisible(), test::kPatienceMs);
    QVERIFY2(message->text().startsWith("Cannot open the session"), qPrintable(message->text()));
    m_window->showPage("timeline");
    QVERIFY(!message->isVisible());
    // What the script's run says is told wherever one is, and stays where it belongs.
    auto *script = qobject_cast<ui::ScriptPage *>(m_window->page("script"));
    Q_EMIT script->problem("my_script.lua:3: no");
    QVERIFY(message->isVisible());
    QCOMPARE(message->text(), QString("my_script.lua:3: no"));
    m_window->showPage("script");
    QVERIFY(message->isVisible());
    m_window->showPage("compare");
    QVERIFY(!message->isVisible());
    // About the session, which all pages show.
    Q_EMIT m_window->store().queryFailed("the file is damaged");
    m_window->showPage("latency");
    QVERIFY(message->isVisible());
  }

  void aNarrowWindowHoldsEveryControl() {
    const QString name(120, QLatin1Char('n'));
    const QString folder = m_sandbox.file(QString(120, QLatin1Char('f')));
    QVERIFY(QDir().mkpath(folder));
    session::SessionInfo info = test::sampleInfo();
    info.scriptPath = (folder + "/" + name + ".lua").toStdString();
    info.cpu = std::string(120, 'c');
    test::Recording recording = test::studyRecording();
    for (event::Event &event : recording.events) {
      if (auto *function = std::get_if<event::FunctionEvent>(&event)) {
        function->name = std::string(120, 'g') + std::to_string(function->id.value);
      } else if (auto *section = std::get_if<event::SectionEvent>(&event)) {
        section->name = std::string(120, 's');
      }
    }
    const QString path = folder + "/" + name + ".jitscope";
    JS_VERIFY_RESULT(test::writeSession(path.toStdString(), recording,
                                        {record::SessionStatus::Failed, std::string(300, 'e'), test::kSampleEndNs}, info));
    QVERIFY(test::openAndSettle(*m_window, path));
    qobject_cast<ui::ComparePage *>(m_window->page("compare"))->compareWith(path);
    m_window->findChild<ui::MessageBar *>("messageBar")->showMessage(QString(300, QLatin1Char('m')));
    m_window->resize(640, 400);
    for (const char *page : {"start", "script", "diff", "compare"}) {
      QVERIFY(test::showAndSettle(*m_window, page));
      QTRY_VERIFY2(m_window->size() == QSize(640, 400), qPrintable(QString("%1: %2").arg(page).arg(m_window->height())));
      const QWidget *shown = m_window->page(page);
      for (const QWidget *widget : shown->findChildren<QWidget *>()) {
        const bool isControl = qobject_cast<const QAbstractButton *>(widget) != nullptr ||
                               qobject_cast<const QComboBox *>(widget) != nullptr ||
                               qobject_cast<const QLineEdit *>(widget) != nullptr;
        // What scrolls may be out of sight.
        const bool scrolls = QString(page) == "start";
        if (isControl && !scrolls && widget->isVisible() && qobject_cast<const QTabBar *>(widget->parentWidget()) == nullptr) {
          const QRect place(widget->mapTo(m_window.get(), QPoint(0, 0)), widget->size());
          QVERIFY2(m_window->rect().contains(place), qPrintable(QString("%1: %2").arg(page, widget->metaObject()->className())));
        }
      }
    }
  }

private:
  [[nodiscard]] QMenu *fileMenu() const { return m_window->menuBar()->actions().first()->menu(); }
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
