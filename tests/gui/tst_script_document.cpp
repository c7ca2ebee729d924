// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does to the user's files: scripts that are opened and saved, and what is exported over other files.
#include <QtTest>

#include "support/gui/gui_fixture.h"
#include "support/sessions/session_files.h"
#include "support/sessions/session_samples.h"
#include "ui/script/encoding_bar.h"
#include "ui/script/run_output.h"
#include "ui/script/script_document.h"
#include "ui/script/script_editor.h"
#include "ui/script/script_page.h"
#include "ui/widgets/save_file.h"
#include "ui/window/message_bar.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QMessageBox>
#include <QPushButton>

#include <csignal>

#include <sys/resource.h>
#include <sys/stat.h>

using namespace jitscope;

namespace {

/// No file can grow beyond so many bytes while it lives: what a full disk is to who writes.
class FullDisk {
public:
  explicit FullDisk(rlim_t bytes) : m_previous(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &m_limit);
    const struct rlimit limit{bytes, m_limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &m_limit);
    std::signal(SIGXFSZ, m_previous);
  }
  FullDisk(const FullDisk &) = delete;
  FullDisk &operator=(const FullDisk &) = delete;

private:
  struct rlimit m_limit{};
  void (*m_previous)(int);
};

/// Which file a name stands for: another one once it was replaced.
ino_t inodeOf(const QString &path) {
  struct stat info{};
  return ::stat(path.toLocal8Bit().constData(), &info) == 0 ? info.st_ino : 0;
}

} // namespace

class TestScriptDocument : public QObject {
  Q_OBJECT

private:
  ui::ScriptPage &page() { return *qobject_cast<ui::ScriptPage *>(m_window->page("script")); }
  ui::ScriptEditor &editor() { return page().editor(); }
  ui::MessageBar &message() { return *m_window->findChild<ui::MessageBar *>("messageBar"); }
  ui::EncodingBar &bar() { return *m_window->findChild<ui::EncodingBar *>("encodingBar"); }
  [[nodiscard]] QString file(const QString &name) const { return m_folder->filePath(name); }
  QString write(const QString &name, const QByteArray &bytes) {
    test::writeFile(file(name), bytes);
    return file(name);
  }
  void type(const QString &text) { editor().insertAt(text, 0, 0); }
  /// Presses a button of the next dialog, by a part of its text.
  void answer(const QString &button) {
    m_asked = false;
    QTimer::singleShot(0, this, [this, button] {
      auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget());
      m_asked = box != nullptr;
      for (QAbstractButton *each : box == nullptr ? QList<QAbstractButton *>() : box->buttons()) {
        if (each->text().remove('&').contains(button)) {
          each->click();
          return;
        }
      }
      if (box != nullptr) {
        box->reject();
      }
    });
  }

private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_window = test::showWindow();
    page().setCommand(QStringLiteral(JITSCOPE_COMMAND));
  }
  void cleanup() { m_window.reset(); }

  void whatIsNotUtf8IsShownAndNotChanged_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::addColumn<bool>("converts");
    QTest::newRow("a zero byte") << QByteArray("print(1)\n\0print(2)\n", 19) << "zero byte at offset 9" << false;
    QTest::newRow("a zero byte at the end") << QByteArray("print(1)\n\0", 10) << "zero byte" << false;
    QTest::newRow("a program") << QByteArray("\x7f"
                                             "ELF\x02\x01\x01\0\0\0\xff\xfe\x80",
                                             13)
                               << "zero byte at offset 7" << false;
    QTest::newRow("Latin-1") << QByteArray("print(1)\n-- caf\xe9\n") << "Not UTF-8 (line 2, byte 0xe9)" << true;
    QTest::newRow("a character that is cut off") << QByteArray("-- caf\xc3") << "Not UTF-8 (line 1, byte 0xc3)" << true;
    QTest::newRow("a character in too many bytes") << QByteArray("-- \xc0\xaf\n") << "byte 0xc0" << true;
    QTest::newRow("UTF-16") << QByteArray("\xff\xfep\0r\0i\0n\0t\0(\0)\0", 16) << "Not UTF-8" << true;
    QTest::newRow("compiled Lua") << QByteArray("\x1bLua\x54\0\x19\x93\r\n", 10) << "zero byte" << false;
  }
  void whatIsNotUtf8IsShownAndNotChanged() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QFETCH(bool, converts);
    const QString path = write("any.lua", bytes);
    const ino_t inode = inodeOf(path);
    m_window->activateWindow();
    m_window->openPath(path);
    QVERIFY(editor().isReadOnly());
    QVERIFY(bar().isVisible());
    QVERIFY2(bar().message().contains(says), qPrintable(bar().message()));
    QCOMPARE(m_window->findChild<QPushButton *>("convert")->isVisible(), converts);
    QVERIFY(editor().text().size() > 1);
    editor().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(editor().hasFocus(), test::kPatienceMs);
    QTest::keyClicks(&editor(), "typed");
    QTest::keyClick(&editor(), Qt::Key_S, Qt::ControlModifier);
    QVERIFY(!page().document().isChanged());
    QCOMPARE(test::readFile(path), bytes);
    QCOMPARE(inodeOf(path), inode);
    QVERIFY(m_window->close());
    // The next one can be edited again.
    m_window->show();
    m_window->openPath(write("good.lua", "print(1)\n"));
    QVERIFY(!editor().isReadOnly() && !bar().isVisible());
  }

  void textsComeBackByteForByte_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("plain") << QByteArray("print(1)\n");
    QTest::newRow("no line end at the end") << QByteArray("print(1)");
    QTest::newRow("CR LF") << QByteArray("print(1)\r\nprint(2)\r\n");
    QTest::newRow("CR LF, without the last") << QByteArray("print(1)\r\nprint(2)");
    QTest::newRow("mixed line ends") << QByteArray("a = 1\r\nb = 2\nc = 3\rd = 4\n");
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFprint(1)\r\n");
    QTest::newRow("two of them") << QByteArray("\xEF\xBB\xBF\xEF\xBB\xBFprint(1)\n");
    QTest::newRow("tabs and spaces at the end") << QByteArray("\tprint(1)  \n\n\n");
    QTest::newRow("characters of all lengths") << QByteArray("-- \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80 \xE2\x80\xA8\n");
    QTest::newRow("control characters") << QByteArray("-- \x01\x7f\x0c\n");
    QTest::newRow("no characters of any language") << QByteArray("-- \xEF\xBF\xBF \xEF\xBF\xBD\n");
  }
  void textsComeBackByteForByte() {
    QFETCH(QByteArray, bytes);
    const QString path = write("any.lua", bytes);
    const ino_t inode = inodeOf(path);
    m_window->openPath(path);
    QVERIFY(!editor().isReadOnly());
    QVERIFY(!page().document().isChanged());
    QVERIFY(page().save());
    QCOMPARE(inodeOf(path), inode); // nothing was written
    type("x");
    QVERIFY(page().document().isChanged());
    QVERIFY(page().save());
    QVERIFY(!page().document().isChanged());
    const qsizetype mark = bytes.startsWith("\xEF\xBB\xBF") ? 3 : 0;
    QCOMPARE(test::readFile(path), bytes.left(mark) + "x" + bytes.mid(mark));
    editor().undo();
    QVERIFY(page().document().isChanged());
    QVERIFY(page().save());
    QCOMPARE(test::readFile(path), bytes);
  }

  void aNewLineEndsAsTheOthersDo() {
    m_window->activateWindow();
    const QString path = write("dos.lua", "print(1)\r\nprint(2)\r\n");
    m_window->openPath(path);
    editor().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(editor().hasFocus(), test::kPatienceMs);
    editor().setCursorPosition(0, 8);
    QTest::keyClick(&editor(), Qt::Key_Return);
    QVERIFY(page().save());
    QCOMPARE(test::readFile(path), QByteArray("print(1)\r\n\r\nprint(2)\r\n"));
  }

  void anotherEncodingIsConvertedWhenTheUserSaysSo_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("encoding");
    QTest::addColumn<QByteArray>("saved");
    QTest::newRow("Latin-1") << QByteArray("-- caf\xe9\n") << "Latin-1 (ISO 8859-1)" << QByteArray("-- caf\xC3\xA9\n");
    QTest::newRow("UTF-16") << QByteArray("\xff\xfe-\0-\0 \0\xe9\0\n\0", 12) << "UTF-16" << QByteArray("-- \xC3\xA9\n");
  }
  void anotherEncodingIsConvertedWhenTheUserSaysSo() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, encoding);
    QFETCH(QByteArray, saved);
    const QString path = write("old.lua", bytes);
    m_window->openPath(path);
    auto *choice = m_window->findChild<QComboBox *>("encoding");
    QCOMPARE(choice->currentText(), encoding);
    m_window->findChild<QPushButton *>("convert")->click();
    QVERIFY(!editor().isReadOnly() && !bar().isVisible());
    QCOMPARE(editor().text().toUtf8(), saved);
    QVERIFY2(message().text().contains("Converted from " + encoding), qPrintable(message().text()));
    // Not written before it is saved, and nothing that undo would bring back.
    QCOMPARE(test::readFile(path), bytes);
    QVERIFY(page().document().isChanged());
    QVERIFY(!editor().isUndoAvailable());
    answer("Cancel");
    QVERIFY(!m_window->close());
    QVERIFY(m_asked);
    QVERIFY(page().save());
    QCOMPARE(test::readFile(path), saved);
    QVERIFY(!page().document().isChanged());
  }

  void quotesOfWindowsAreOfferedBeforeLatin1() {
    m_window->openPath(write("quotes.lua", "-- \x93quoted\x94\n"));
    const auto *choice = m_window->findChild<QComboBox *>("encoding");
    QVERIFY(choice->count() >= 1);
    if (choice->findText("Western (Windows-1252)") < 0) {
      QSKIP("this Qt knows no Windows-1252");
    }
    QCOMPARE(choice->currentText(), QString("Western (Windows-1252)"));
  }

  void aFullDiskKeepsTheOldFile() {
    const QByteArray old = "-- old\n";
    const QString path = write("full.lua", old);
    m_window->openPath(path);
    type(QString(100'000, 'x'));
    {
      const FullDisk full(10'000);
      QVERIFY(!page().save());
    }
    QCOMPARE(test::readFile(path), old);
    QVERIFY(page().document().isChanged());
    QVERIFY2(message().isVisible() && message().text().contains("full.lua") && message().text().contains("the file is unchanged"),
             qPrintable(message().text()));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{"full.lua"});
    QVERIFY(page().save());
    QCOMPARE(test::readFile(path).size(), 100'000 + old.size());
  }

  void aFolderThatIsGoneIsNamedAndTheTextStays() {
    QVERIFY(QDir().mkpath(file("sub")));
    const QString path = write("sub/any.lua", "print(1)\n");
    m_window->openPath(path);
    type("-- mine\n");
    QVERIFY(QDir(file("sub")).removeRecursively());
    answer("Save Again");
    QVERIFY(!page().save());
    QVERIFY(m_asked);
    QVERIFY2(message().text().contains("does not exist") && message().text().contains(file("sub")), qPrintable(message().text()));
    QVERIFY(page().document().isChanged());
    QCOMPARE(editor().text(), QString("-- mine\nprint(1)\n"));
  }

  void linksAndPermissionsStay() {
    QVERIFY(QDir().mkpath(file("real")));
    const QString target = write("real/target.lua", "print(1)\n");
    QVERIFY(QFile::link("real/target.lua", file("link.lua")));
    QVERIFY(QFile::setPermissions(target, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup));
    const QFile::Permissions before = QFile::permissions(target);
    m_window->openPath(file("link.lua"));
    type("x");
    QVERIFY(page().save());
    QCOMPARE(test::readFile(target), QByteArray("xprint(1)\n"));
    QVERIFY(QFileInfo(file("link.lua")).isSymLink());
    QCOMPARE(QFileInfo(file("link.lua")).canonicalFilePath(), QFileInfo(target).canonicalFilePath());
    QCOMPARE(QFile::permissions(target), before);
    QCOMPARE(QDir(file("real")).entryList(QDir::Files | QDir::Hidden), QStringList{"target.lua"});
  }

  void whatAnotherProgramChangedIsAskedAbout() {
    const QString path = write("shared.lua", "print(1)\n");
    m_window->openPath(path);
    type("mine ");
    test::writeFile(path, "theirs\n");
    answer("Cancel");
    QVERIFY(!page().save());
    QVERIFY(m_asked);
    QCOMPARE(test::readFile(path), QByteArray("theirs\n"));
    QCOMPARE(editor().text(), QString("mine print(1)\n"));
    answer("Replace");
    QVERIFY(page().save());
    QVERIFY(m_asked);
    QCOMPARE(test::readFile(path), QByteArray("mine print(1)\n"));
    // Known by now.
    type("x");
    QVERIFY(page().save());
    QCOMPARE(test::readFile(path), QByteArray("xmine print(1)\n"));
    test::writeFile(path, "theirs again\n");
    type("y");
    answer("Read It Again");
    QVERIFY(page().save());
    QCOMPARE(editor().text(), QString("theirs again\n"));
    QVERIFY(!page().document().isChanged());
  }

  void whatIsNotChangedHereIsReadAgain() {
    const QString path = write("shared.lua", "print(1)\n");
    m_window->openPath(path);
    test::writeFile(path, "print('theirs')\n");
    QVERIFY(page().save());
    QCOMPARE(editor().text(), QString("print('theirs')\n"));
    QVERIFY2(message().text().contains("Another program changed shared.lua"), qPrintable(message().text()));
    // What runs is what is seen.
    test::writeFile(path, "print('newest')\n");
    QSignalSpy finished(&page().scriptRun(), &ui::ScriptRun::finished);
    page().run();
    QVERIFY(finished.size() > 0 || finished.wait(60000));
    QCOMPARE(editor().text(), QString("print('newest')\n"));
    QVERIFY2(page().output().toPlainText().contains("newest"), qPrintable(page().output().toPlainText()));
    QVERIFY(test::settle(m_window->store()));
  }

  void aFileThatWasDeletedIsAskedAbout() {
    const QString path = write("gone.lua", "print(1)\n");
    m_window->openPath(path);
    QVERIFY(QFile::remove(path));
    answer("Cancel");
    QVERIFY(!page().save());
    QVERIFY(m_asked);
    QVERIFY(!QFileInfo::exists(path));
    answer("Save Again");
    QVERIFY(page().save());
    QCOMPARE(test::readFile(path), QByteArray("print(1)\n"));
  }

  void whatIsNoFileIsRefusedAtOnce() {
    QVERIFY(QDir().mkpath(file("folder.lua")));
    QCOMPARE(mkfifo(file("pipe.lua").toLocal8Bit().constData(), 0600), 0);
    QVERIFY(QFile::link("/dev/zero", file("device.lua")));
    QVERIFY(QFile::link("nowhere", file("broken.lua")));
    QFile large(file("large.lua"));
    QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(ui::kMaxScriptBytes + 1));
    m_window->openPath(write("good.lua", "print(1)\n"));
    type("-- mine\n");
    for (const auto &[name, says] : {std::pair("folder.lua", "it is a folder"), std::pair("pipe.lua", "a pipe or a device"),
                                     std::pair("device.lua", "a pipe or a device"), std::pair("broken.lua", "No such file"),
                                     std::pair("missing.lua", "No such file"), std::pair("large.lua", "16 MiB")}) {
      // Nobody is asked about the present script: nothing takes its place.
      QVERIFY(!page().openScript(file(name)));
      QVERIFY2(message().text().contains(name) && message().text().contains(says), qPrintable(message().text()));
      QCOMPARE(editor().text(), QString("-- mine\nprint(1)\n"));
      QCOMPARE(page().path(), file("good.lua"));
    }
    // And a session that says its script is there.
    editor().undo();
    session::SessionInfo info = test::sampleInfo();
    info.scriptPath = file("pipe.lua").toStdString();
    info.scriptText = "print('recorded')\n";
    JS_VERIFY_RESULT(test::writeSession(file("s.jitscope").toStdString(), test::sampleRecording(),
                                        {record::SessionStatus::Finished, "", test::kSampleEndNs}, info));
    QVERIFY(page().newScript());
    QVERIFY(test::openAndSettle(*m_window, file("s.jitscope")));
    QVERIFY(test::showAndSettle(*m_window, "script"));
    QCOMPARE(editor().text(), QString("print('recorded')\n"));
    QCOMPARE(page().path(), QString());
  }

  void unsavedChangesAreAskedAboutBeforeTheyAreLost() {
    const QString path = write("mine.lua", "print(1)\n");
    const QString other = write("other.lua", "print(2)\n");
    m_window->openPath(path);
    type("-- mine\n");
    answer("Cancel");
    QVERIFY(!m_window->close());
    QVERIFY(m_asked);
    answer("Cancel");
    m_window->openPath(other);
    QVERIFY(m_asked);
    QCOMPARE(page().path(), path);
    answer("Save");
    m_window->openPath(other);
    QVERIFY(m_asked);
    QCOMPARE(test::readFile(path), QByteArray("-- mine\nprint(1)\n"));
    QCOMPARE(page().path(), other);
    type("x");
    answer("Discard");
    QVERIFY(m_window->close());
    QCOMPARE(test::readFile(other), QByteArray("print(2)\n"));
  }

  void noFileOfTheUserIsLostToAnExport() {
    JS_VERIFY_RESULT(test::writeSession(file("s.jitscope").toStdString(), test::sampleRecording()));
    const QByteArray session = test::readFile(file("s.jitscope"));
    QVERIFY(QDir().mkpath(file("folder")));
    QCOMPARE(mkfifo(file("pipe").toLocal8Bit().constData(), 0600), 0);
    for (const auto &[name, says] : {std::pair("s.jitscope", "a session"), std::pair("folder", "a folder"),
                                     std::pair("pipe", "a pipe or a device"), std::pair("no/where.csv", "does not exist")}) {
      const base::Result<void> written = ui::writeFile(file(name), "a,b\n");
      QVERIFY(!written);
      QVERIFY2(base::describe(written.error()).find(says) != std::string::npos, base::describe(written.error()).c_str());
    }
    QCOMPARE(test::readFile(file("s.jitscope")), session);
    // A copy of a session leaves its neighbours alone, and those that are being recorded.
    write("copy.jitscope.part", "of somebody else");
    JS_VERIFY_RESULT(ui::copySession(file("s.jitscope"), file("copy.jitscope")));
    QCOMPARE(test::readFile(file("copy.jitscope")), session);
    QCOMPARE(test::readFile(file("copy.jitscope.part")), QByteArray("of somebody else"));
    write("copy.jitscope-wal", "not empty");
    QVERIFY(!ui::copySession(file("s.jitscope"), file("copy.jitscope")));
    {
      const FullDisk full(1000);
      QVERIFY(!ui::copySession(file("s.jitscope"), file("small.jitscope")));
      QVERIFY(!QFileInfo::exists(file("small.jitscope")));
    }
  }

private:
  test::GuiSandbox m_sandbox;
  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<ui::MainWindow> m_window;
  bool m_asked = false;
};

QTEST_MAIN(TestScriptDocument)
#include "tst_script_document.moc"
