// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/contrast.h"
#include "support/gui/gui_fixture.h"
#include "ui/models/template_model.h"
#include "ui/pages/templates_page.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/pages/timeline/timeline_view.h"
#include "ui/script/find_program.h"
#include "ui/script/run_output.h"
#include "ui/script/script_editor.h"
#include "ui/script/script_page.h"
#include "ui/widgets/examples.h"
#include "ui/window/message_bar.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>

using namespace jitscope;

/// Runs the command itself, which must be built.
class TestScriptPage : public QObject {
  Q_OBJECT

private:
  ui::ScriptPage &page() { return *qobject_cast<ui::ScriptPage *>(m_window->page("script")); }
  QString script(const QString &name, const QByteArray &text) {
    QFile file(m_sandbox.file(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
      qFatal("cannot write %s", qPrintable(file.fileName()));
    }
    return file.fileName();
  }
  QLineEdit &options() {
    const QList<QLineEdit *> fields = page().findChildren<QLineEdit *>();
    return **std::ranges::find_if(fields, [](const QLineEdit *field) { return field->accessibleName() == "Options"; });
  }
  /// Runs what is in the editor by its key, and waits for the end.
  bool run() {
    QSignalSpy finished(&page().scriptRun(), &ui::ScriptRun::finished);
    page().runAction()->trigger();
    return (finished.size() > 0 || finished.wait(60000)) && test::settle(m_window->store());
  }

private Q_SLOTS:
  void init() {
    m_window = test::showWindow();
    page().setCommand(QStringLiteral(JITSCOPE_COMMAND));
  }
  void cleanup() {
    page().editor().setModified(false);
    m_window.reset();
  }

  void aRunFillsThePagesWithoutAReload() {
    const QString path =
        script("storm.lua", "local f = fn('scale', function(x) return x * 2 end)\n"
                            "section 'shapes'\nfor i = 1, 6 do f(zeros({ i, 4 }, 'f32')) end\nprint('done with it')\n");
    m_window->openPath(path);
    QVERIFY(page().isVisible());
    QVERIFY(run());
    QVERIFY2(page().output().toPlainText().contains("done with it"), qPrintable(page().output().toPlainText()));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->store().isOpen(), test::kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_window->store().row().status, record::SessionStatus::Finished, test::kPatienceMs);
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    auto *timeline = qobject_cast<ui::TimelinePage *>(m_window->page("timeline"));
    QTRY_VERIFY_WITH_TIMEOUT(timeline->view().timeline().data().view.calls >= 6, test::kPatienceMs);
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    const ui::TemplateModel &model = qobject_cast<ui::TemplatesPage *>(m_window->page("templates"))->model();
    QTRY_VERIFY_WITH_TIMEOUT(model.rowCount({}) >= 1, test::kPatienceMs);
    const auto scale = std::ranges::find(model.functions(), "scale", &analysis::FunctionSummary::name);
    QVERIFY(scale != model.functions().end());
    QCOMPARE(scale->templates.size(), std::size_t{6});
    QVERIFY(test::showAndSettle(*m_window, "script"));
    QTRY_COMPARE_WITH_TIMEOUT(page().editor().notes().value(1).section(QLatin1Char(' '), 0, 1), QStringLiteral("6 compiled"),
                              test::kPatienceMs);
  }

  void anErrorGoesToItsLine() {
    m_window->openPath(script("bad.lua", "local a = zeros({ 2, 3 }, 'f32')\n\nlocal b = a:dot(a)\n"));
    QVERIFY(run());
    int line = 0;
    int column = 0;
    page().editor().getCursorPosition(&line, &column);
    QCOMPARE(line, 2);
    QVERIFY2(page().output().toPlainText().contains("bad.lua:3"), qPrintable(page().output().toPlainText()));
    QVERIFY(page().runAction()->isEnabled());
  }

  // The session of the run may be opened before the run has ended, or after.
  void theErrorOfAFastRunIsShownEachTime() {
    const auto *message = m_window->findChild<ui::MessageBar *>("messageBar");
    m_window->openPath(
        script("fast.lua", "local f = fn('f', function(x) return x + 1 end)\nf(zeros({ 2 }, 'f32'))\nerror('at once')\n"));
    for (int i = 0; i < 5; ++i) {
      QVERIFY(run());
      QTRY_COMPARE_WITH_TIMEOUT(m_window->store().path(), page().scriptRun().session(), test::kPatienceMs);
      QVERIFY(test::settle(m_window->store()));
      QVERIFY2(message->isVisible() && message->text().startsWith("fast.lua:3: "), qPrintable(message->text()));
      QVERIFY(page().editor().markersAtLine(2) != 0);
    }
    Q_EMIT m_window->store().opened();
    QVERIFY(message->isVisible());
    // What the user opens next has nothing to do with it, and neither has the next run.
    const QString session = m_window->store().path();
    QVERIFY(test::openAndSettle(*m_window, session));
    QVERIFY(!message->isVisible());
    Q_EMIT page().problem("of the run before");
    m_window->openPath(script("good.lua", "print(1)\n"));
    QVERIFY(run());
    QVERIFY(!message->isVisible());
  }

  void theTriangleOfAnErrorIsNotDrawnOverTheNotes() {
    m_window->openPath(script("bad.lua", "local a = 1\nlocal b = 2\nlocal c = 3\n"));
    ui::ScriptEditor &editor = page().editor();
    editor.setNotes({{1, "3 misses"}, {3, "12 misses"}}, {});
    editor.goToLine(1);
    const auto notes = [&editor] {
      const QImage image = editor.viewport()->grab().toImage();
      return image.copy(editor.marginWidth(0), 0, editor.marginWidth(1), 3 * editor.textHeight(0));
    };
    const QImage before = notes();
    editor.markError(3);
    QVERIFY(editor.marginWidth(2) > 0);
    QCOMPARE(notes(), before);
  }

  void theMessageOfAnErrorSaysWhatItHappenedWithin() {
    m_window->openPath(script("sq.lua", "local sq = fn('sq', function(x, y)\n  return x * y\nend)\n"
                                        "sq(zeros({ 2, 3 }, 'f32'), zeros({ 4, 5 }, 'f32'))\n"));
    QVERIFY(run());
    const QString said = m_window->findChild<ui::MessageBar *>("messageBar")->text();
    QVERIFY2(said.startsWith("sq.lua:2: "), qPrintable(said));
    QVERIFY2(said.contains("while tracing sq") && said.contains("called at line 4"), qPrintable(said));
    QCOMPARE(ui::errorIn("Session: x\njitscope: no\n  a\n  b\n  c\n"), QString("no\n  a\n  b"));
    QCOMPARE(ui::errorIn("Session: x\n"), QString());
  }

  void progressIsToldFromMessages_data() {
    QTest::addColumn<QByteArray>("portion");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("progress");
    QTest::addColumn<QByteArray>("rest");
    QTest::newRow("nothing") << QByteArray() << QString() << QString() << QByteArray();
    QTest::newRow("a message") << QByteArray("jitscope: no\n") << "jitscope: no\n" << QString() << QByteArray();
    QTest::newRow("part of a message") << QByteArray("one\njit") << "one\n" << QString() << QByteArray("jit");
    QTest::newRow("a state") << QByteArray("\r\x1b[K|    0.4 s  one") << QString() << "0.4 s  one"
                             << QByteArray("\r\x1b[K|    0.4 s  one");
    QTest::newRow("the latest of two") << QByteArray("\r\x1b[K|    0.4 s\r\x1b[K/    0.5 s  two") << QString() << "0.5 s  two"
                                       << QByteArray("\r\x1b[K/    0.5 s  two");
    QTest::newRow("taken away") << QByteArray("\r\x1b[K|    0.4 s\r\x1b[K") << QString() << QString() << QByteArray("\r\x1b[K");
    QTest::newRow("a message after a state") << QByteArray("\r\x1b[K|    0.4 s\r\x1b[Kwarning: x\nmore") << "warning: x\n"
                                             << QString() << QByteArray("more");
    QTest::newRow("a state after a message") << QByteArray("warning: x\n\r\x1b[K-   12.0 s  three\r") << "warning: x\n"
                                             << "12.0 s  three" << QByteArray("\r\x1b[K-   12.0 s  three\r");
  }
  void progressIsToldFromMessages() {
    QFETCH(QByteArray, portion);
    const ui::ErrorText errors = ui::readErrors(portion);
    QTEST(errors.text, "text");
    QTEST(errors.progress, "progress");
    QTEST(errors.rest, "rest");
  }

  void aCompileThatTakesLongSaysSo() {
    m_window->openPath(script("slow.lua", "local f = fn('unrolled', function(x, w)\n  local h = x\n"
                                          "  for i = 1, 40 do h = tanh(x + h:dot(w)) end\n  return h\nend)\n"
                                          "f(zeros({ 4, 10 }, 'f32'), zeros({ 10, 10 }, 'f32'))\n"));
    const auto *progress = m_window->findChild<QLabel *>("runProgress");
    QVERIFY(!progress->isVisible());
    QSignalSpy states(&page().scriptRun(), &ui::ScriptRun::progressed);
    QSignalSpy finished(&page().scriptRun(), &ui::ScriptRun::finished);
    page().runAction()->trigger();
    const auto isCompiling = [&states] {
      return std::ranges::any_of(states,
                                 [](const QList<QVariant> &state) { return state[0].toString().contains("compiling unrolled"); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isCompiling() || !finished.isEmpty(), test::kPatienceMs);
    QVERIFY2(isCompiling(), states.isEmpty() ? "no state" : qPrintable(states.last()[0].toString()));
    // The run has opened its session, whose overview says so as well.
    QTRY_VERIFY_WITH_TIMEOUT(m_window->page("overview")->isVisible(), test::kPatienceMs);
    QVERIFY(m_window->findChild<QLabel *>("overviewProgress")->isVisible());
    m_window->showPage("script");
    QVERIFY(progress->isVisible());
    page().scriptRun().stop();
    QVERIFY(!finished.isEmpty() || finished.wait(60000));
    QVERIFY(!progress->isVisible());
    QVERIFY2(!page().output().toPlainText().contains(QChar(0x1b)), qPrintable(page().output().toPlainText()));
  }

  void anErrorOfAnOptionLeavesTheFocusThere() {
    m_window->activateWindow();
    m_window->openPath(script("any.lua", "print(1)\n"));
    options().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(options().hasFocus(), test::kPatienceMs);
    options().setText("bogus=1");
    QSignalSpy finished(&page().scriptRun(), &ui::ScriptRun::finished);
    QTest::keyClick(&options(), Qt::Key_F5);
    QVERIFY(finished.wait(60000));
    QVERIFY(page().output().toPlainText().contains("bogus"));
    QVERIFY(options().hasFocus());
  }

  void enterInTheOptionsRuns() {
    m_window->openPath(script("any.lua", "print('ran')\n"));
    options().setText("opt=1");
    QSignalSpy finished(&page().scriptRun(), &ui::ScriptRun::finished);
    QTest::keyClick(&options(), Qt::Key_Return);
    QVERIFY(finished.wait(60000));
    QVERIFY2(page().output().toPlainText().contains("ran"), qPrintable(page().output().toPlainText()));
    QVERIFY(test::settle(m_window->store()));
  }

  void anotherScriptBeginsWithoutOutputAndSaysWhatIsChosen() {
    m_window->openPath(script("first.lua", "print('of the first')\n"));
    page().findChild<QComboBox *>("pipeline")->setCurrentText("per-function");
    options().setText("opt=1");
    QVERIFY(run());
    const auto output = [this] { return page().output().toPlainText(); };
    QVERIFY(output().contains("of the first"));
    m_window->openPath(m_sandbox.file("first.lua"));
    QVERIFY(output().contains("of the first"));
    m_window->openPath(script("second.lua", "print(2)\n"));
    QCOMPARE(output(), QString());
    const auto hint = [this] { return page().output().placeholderText(); };
    QVERIFY2(hint().contains("per-function") && hint().contains("opt=1"), qPrintable(hint()));
    page().findChild<QComboBox *>("pipeline")->setCurrentIndex(0);
    options().clear();
    QVERIFY2(!hint().contains("per-function") && !hint().contains("opt=1"), qPrintable(hint()));
  }

  void aNewScriptIsEmptyAndStaysSo() {
    m_window->activateWindow();
    m_window->openPath(script("any.lua", "local f = fn('f', function(x) return x + 1 end)\nf(zeros({ 2 }, 'f32'))\n"));
    QVERIFY(run());
    page().editor().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(page().editor().hasFocus(), test::kPatienceMs);
    // What was changed is asked about first.
    page().editor().append("-- mine\n");
    QVERIFY(page().editor().isModified());
    const auto answer = [this](QMessageBox::StandardButton button) {
      m_window->activateWindow();
      page().editor().setFocus();
      QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
      QTimer::singleShot(0, this, [button] {
        if (auto *box = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
          box->button(button)->click();
        }
      });
      QTest::keyClick(&page().editor(), Qt::Key_N, Qt::ControlModifier);
    };
    answer(QMessageBox::Cancel);
    QVERIFY(page().editor().text().startsWith("local f"));
    answer(QMessageBox::Discard);
    QCOMPARE(page().editor().text(), QString());
    QCOMPARE(page().path(), QString());
    QVERIFY(!page().editor().isModified());
    QCOMPARE(page().output().toPlainText(), QString());
    // The open session has a script, which is not what was asked for.
    Q_EMIT m_window->store().changed();
    QVERIFY(test::settle(m_window->store()));
    QCOMPARE(page().editor().text(), QString());
  }

  void aRunThatRecordsNothingLeavesTheOpenSession_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("errorLine"); // 0 for none
    QTest::newRow("a mistake in the syntax") << QByteArray("local a = 1\nlocal b = = 2\n") << 2;
    QTest::newRow("an error before the first function") << QByteArray("print(1)\n\nerror('no')\n") << 3;
    QTest::newRow("nothing but text") << QByteArray("print(1)\n") << 0;
  }
  void aRunThatRecordsNothingLeavesTheOpenSession() {
    QFETCH(QByteArray, text);
    QFETCH(int, errorLine);
    m_window->openPath(script("good.lua", "local f = fn('f', function(x) return x + 1 end)\nf(zeros({ 2 }, 'f32'))\n"));
    QVERIFY(run());
    const QString good = m_window->store().path();
    QVERIFY(QFileInfo::exists(good));
    m_window->openPath(script("empty.lua", text));
    QSignalSpy opened(&m_window->store(), &ui::SessionStore::opening);
    QVERIFY(run());
    QCOMPARE(opened.size(), 0);
    QCOMPARE(m_window->store().path(), good);
    QVERIFY2(page().output().toPlainText().contains("stays open"), qPrintable(page().output().toPlainText()));
    const auto *message = m_window->findChild<ui::MessageBar *>("messageBar");
    QCOMPARE(message->isVisible(), errorLine > 0);
    if (errorLine > 0) {
      QVERIFY2(message->text().startsWith(QString("empty.lua:%1").arg(errorLine)), qPrintable(message->text()));
      int line = 0;
      int column = 0;
      page().editor().getCursorPosition(&line, &column);
      QCOMPARE(line + 1, errorLine);
    }
  }

  // It at least says what went wrong.
  void aRunThatRecordsNothingIsShownWhereNothingIsOpen() {
    m_window->openPath(script("bad.lua", "local b = = 2\n"));
    QVERIFY(run());
    QTRY_VERIFY_WITH_TIMEOUT(m_window->store().isOpen(), test::kPatienceMs);
    QCOMPARE(m_window->store().row().status, record::SessionStatus::Failed);
  }

  void onlyErrorsAreInTheColourOfErrors() {
    m_window->openPath(script("bad.lua", "local a = zeros({ 2, 3 }, 'f32')\nlocal b = a:dot(a)\n"));
    QVERIFY(run());
    const auto colourOf = [this](const QString &text) {
      const QTextCursor found = page().output().document()->find(text);
      return found.isNull() ? QColor(Qt::transparent) : found.charFormat().foreground().color();
    };
    const QColor plain = QTextCharFormat().foreground().color();
    QVERIFY(colourOf("jitscope: bad.lua:2") != plain);
    QCOMPARE(colourOf("Session: "), plain);
  }

  void aChangedExampleSaysWhyItIsSavedElsewhere() {
    m_window->openPath(ui::findExamples().front().path);
    page().editor().append("\n");
    QStringList said;
    const auto answer = [&said] {
      if (auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget())) {
        said << dialog->windowTitle();
        dialog->reject();
      }
    };
    QTimer::singleShot(0, this, answer);
    page().runAction()->trigger();
    QTimer::singleShot(0, this, answer);
    QVERIFY(!page().save());
    QCOMPARE(said.size(), 2);
    QVERIFY2(said[0].contains("to run it") && said[0].contains("examples cannot be changed"), qPrintable(said[0]));
    QVERIFY2(said[1].contains("examples cannot be changed"), qPrintable(said[1]));
    QVERIFY(!page().scriptRun().isRunning());
  }

  void shiftTabLeavesTheEditorForTheControlBefore() {
    m_window->openPath(script("any.lua", "print(1)\n  print(2)\n  print(3)\n"));
    m_window->activateWindow();
    page().editor().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(page().editor().hasFocus(), test::kPatienceMs);
    QTest::keyClick(&page().editor(), Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(qobject_cast<QLineEdit *>(QApplication::focusWidget()) != nullptr);
    QCOMPARE(page().editor().text(), QString("print(1)\n  print(2)\n  print(3)\n"));
    // What Tab does to several lines it takes back.
    page().editor().setFocus();
    page().editor().setSelection(1, 0, 2, 3);
    QTest::keyClick(&page().editor(), Qt::Key_Backtab, Qt::ShiftModifier);
    QVERIFY(page().editor().hasFocus());
    QCOMPARE(page().editor().text(), QString("print(1)\nprint(2)\nprint(3)\n"));
  }

  void escapeLeavesTheEditorForTheListOfPages() {
    m_window->openPath(script("any.lua", "print(1)\n"));
    m_window->activateWindow();
    page().editor().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(page().editor().hasFocus(), test::kPatienceMs);
    QTest::keyClick(&page().editor(), Qt::Key_Tab);
    QVERIFY(page().editor().hasFocus());
    // The find bar is what Escape ends first.
    QTest::keyClick(&page().editor(), Qt::Key_F, Qt::ControlModifier);
    auto *find = m_window->findChild<QWidget *>("findBar");
    QVERIFY(find->isVisible());
    page().editor().setFocus();
    QTest::keyClick(&page().editor(), Qt::Key_Escape);
    QVERIFY(!find->isVisible());
    QVERIFY(page().editor().hasFocus());
    // From within the bar, too; the filter, which Escape removes elsewhere, stays.
    m_window->filter().setRange({0, 1000});
    QTest::keyClick(&page().editor(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!find->isVisible());
    QVERIFY(page().editor().hasFocus());
    QVERIFY(!m_window->filter().selection().isEmpty());
    QTest::keyClick(&page().editor(), Qt::Key_Escape);
    auto *list = m_window->findChild<QWidget *>("pageList");
    QVERIFY(list->hasFocus());
    QTest::keyClick(list, Qt::Key_Down);
    QVERIFY(m_window->page("overview")->isVisible());
  }

  void theKeysAreListedFromTheEditorAsWell() {
    m_window->openPath(script("any.lua", "print(1)\n"));
    m_window->activateWindow();
    page().editor().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(page().editor().hasFocus(), test::kPatienceMs);
    QString said;
    QTimer::singleShot(0, this, [&said] {
      if (auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget())) {
        said = dialog->findChild<QLabel *>()->text();
        dialog->reject();
      }
    });
    QTest::keyClick(&page().editor(), Qt::Key_F1);
    QVERIFY(said.contains("leave the editor"));
    QVERIFY(said.contains("F1"));
  }

  void theLineOfAnErrorStandsOut_data() {
    QTest::addColumn<int>("choice");
    QTest::newRow("light") << static_cast<int>(ui::Theme::Choice::Light);
    QTest::newRow("dark") << static_cast<int>(ui::Theme::Choice::Dark);
  }
  void theLineOfAnErrorStandsOut() {
    QFETCH(int, choice);
    m_window->theme().choose(static_cast<ui::Theme::Choice>(choice));
    m_window->openPath(script("bad.lua", "local a = 1\n\nlocal b = 2\n\n"));
    ui::ScriptEditor &editor = page().editor();
    m_window->activateWindow();
    editor.markError(3);
    QTRY_VERIFY_WITH_TIMEOUT(editor.hasFocus(), test::kPatienceMs);
    QVERIFY(test::settle(m_window->store()));
    const QImage image = editor.viewport()->grab().toImage();
    const int height = editor.textHeight(0);
    const auto yOf = [height](int line) { return (line - 1) * height + height / 2; };
    // Far to the right of the text, where only the ground of a line is: the caret is in line 3.
    const int right = image.width() - 40;
    QVERIFY(test::contrast(image.pixelColor(right, yOf(3)), image.pixelColor(right, yOf(1))) > 1.3);
    const auto strongest = [&](int line) {
      double most = 1;
      for (int x = 0; x < editor.marginWidth(2); ++x) {
        const int left = editor.marginWidth(0) + editor.marginWidth(1);
        most = std::max(most, test::contrast(image.pixelColor(left + x, yOf(line)), image.pixelColor(left, 4 * height + 1)));
      }
      return most;
    };
    QVERIFY2(strongest(3) > 3, qPrintable(QString::number(strongest(3))));
    QVERIFY(strongest(1) < 1.1);
    editor.markError(0);
    QCOMPARE(editor.marginWidth(2), 0);
  }

  void aRunCanBeStopped() {
    m_window->openPath(script("long.lua", "local f = fn('f', function(x) return x + 1 end)\nlocal x = zeros({ 4 }, 'f32')\nf(x)\n"
                                          "bench { warmup = 0, time = 60, legs = { 'warm' }, { 'f', f, x } }\n"));
    QSignalSpy created(&page().scriptRun(), &ui::ScriptRun::sessionCreated);
    QSignalSpy finished(&page().scriptRun(), &ui::ScriptRun::finished);
    page().runAction()->trigger();
    QVERIFY(!page().runAction()->isEnabled());
    QVERIFY(created.wait(20000));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->store().isRecording(), test::kPatienceMs);
    page().stopAction()->trigger();
    QVERIFY(finished.wait(20000));
    QVERIFY(finished[0][1].toString().contains("Stopped"));
    // Where it was when it was stopped is no error.
    for (int line = 0; line < page().editor().lines(); ++line) {
      QCOMPARE(page().editor().markersAtLine(line), 0U);
    }
    QCOMPARE(page().editor().marginWidth(2), 0);
    QVERIFY2(m_window->findChild<ui::MessageBar *>("messageBar")->text().startsWith("Stopped."),
             qPrintable(m_window->findChild<ui::MessageBar *>("messageBar")->text()));
    QTRY_VERIFY_WITH_TIMEOUT(m_window->store().isOpen() && !m_window->store().isRecording(), test::kPatienceMs);
    QVERIFY(test::settle(m_window->store()));
  }

  void aChildThatIsKilledLeavesTheWindow() {
    // A command that dies of a signal, whatever it is told.
    const QString command = script("dies", "#!/bin/sh\nkill -SEGV $$\n");
    QFile::setPermissions(command, QFile::ReadOwner | QFile::ExeOwner);
    page().setCommand(command);
    m_window->openPath(script("any.lua", "print(1)\n"));
    QVERIFY(run());
    QVERIFY(page().output().toPlainText().contains("was killed (signal 11)"));
    QVERIFY(page().runAction()->isEnabled());
  }

  void aChildThatHangsIsEndedAfterAWhile() {
    const QString command = script("hangs", "#!/bin/sh\ntrap '' TERM INT\necho begun\nwhile :; do sleep 0.05; done\n");
    QFile::setPermissions(command, QFile::ReadOwner | QFile::ExeOwner);
    page().setCommand(command);
    page().scriptRun().setPatience(200);
    m_window->openPath(script("any.lua", "print(1)\n"));
    QSignalSpy finished(&page().scriptRun(), &ui::ScriptRun::finished);
    page().runAction()->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(page().output().toPlainText().contains("begun"), test::kPatienceMs);
    page().stopAction()->trigger();
    QVERIFY(finished.size() > 0 || finished.wait(20000));
    QVERIFY2(page().output().toPlainText().contains("did not end by itself"), qPrintable(page().output().toPlainText()));
    QVERIFY(page().runAction()->isEnabled());
  }

  void aFloodOfOutputIsBounded() {
    const QString command = script("floods", "#!/bin/sh\nyes 'a line of some length that repeats and repeats' | head -n 400000\n");
    QFile::setPermissions(command, QFile::ReadOwner | QFile::ExeOwner);
    page().setCommand(command);
    m_window->openPath(script("any.lua", "print(1)\n"));
    QVERIFY(run());
    QVERIFY(page().output().blockCount() <= 10'000);
    QVERIFY(page().output().blockCount() > 100);
  }

  void aCommandThatIsNotThereSaysSo() {
    page().setCommand(m_sandbox.file("no/jitscope"));
    m_window->openPath(script("any.lua", "print(1)\n"));
    QVERIFY(run());
    QVERIFY(page().output().toPlainText().contains("cannot be started"));
    QVERIFY(m_window->findChild<QWidget *>("messageBar")->isVisible());
  }

  void anotherSessionBringsItsScript() {
    const QString first = script("first.lua", "local f = fn('f', function(x) return x + 1 end)\nf(zeros({ 2 }, 'f32'))\n");
    m_window->openPath(first);
    QVERIFY(run());
    const QString session = m_window->store().path();
    m_window->openPath(script("second.lua", "print('second')\n"));
    QVERIFY(run());
    QVERIFY(page().editor().text().contains("second"));
    // As after a run that was seen to end.
    Q_EMIT m_window->store().changed();
    QVERIFY(test::settle(m_window->store()));
    QVERIFY(test::openAndSettle(*m_window, session));
    QVERIFY(test::showAndSettle(*m_window, "script"));
    QVERIFY2(page().editor().text().startsWith("local f = fn('f'"), qPrintable(page().editor().text()));
    // What somebody is writing is left alone.
    page().editor().setText("print('mine')\n");
    page().editor().setModified(true);
    QVERIFY(test::openAndSettle(*m_window, session));
    QCOMPARE(page().editor().text(), QString("print('mine')\n"));
  }

  void withoutTheCommandItIsToldWhatToInstall() {
    // Neither beside the program nor in PATH, so nothing is found …
    QVERIFY(QDir().mkpath(m_sandbox.file("empty")));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", m_sandbox.file("empty").toLocal8Bit());
    const QString found = ui::findProgram("jitscope", m_sandbox.file("empty"));
    qputenv("PATH", path);
    QCOMPARE(found, QString());
    // … and the page says so, keeps the script and goes on.
    page().setCommand(found);
    m_window->openPath(script("any.lua", "print(1)\n"));
    page().runAction()->trigger();
    QVERIFY(!page().scriptRun().isRunning());
    const auto *message = m_window->findChild<ui::MessageBar *>("messageBar");
    QVERIFY(message->isVisible());
    QVERIFY2(message->text().contains("Install it"), qPrintable(message->text()));
    QCOMPARE(page().editor().text(), QString("print(1)\n"));
    page().setCommand(QStringLiteral(JITSCOPE_COMMAND));
    QVERIFY(run());
    QVERIFY(page().output().toPlainText().contains("1"));
  }

  void linesAreFoundInMessages_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("line");
    QTest::newRow("error") << "jitscope: my script.lua:12: shapes differ" << 12;
    QTest::newRow("none") << "jitscope: no such option" << 0;
    QTest::newRow("other file") << "other.lua:3: no" << 0;
  }
  void linesAreFoundInMessages() {
    QFETCH(QString, text);
    QFETCH(int, line);
    QCOMPARE(ui::lineIn(text, "my script.lua"), line);
  }

  void examplesAreInTheMenu() {
    auto *menu = m_window->findChild<QMenu *>("examplesMenu");
    QVERIFY(menu != nullptr);
    QVERIFY(menu->actions().size() >= 5);
    menu->actions()[0]->trigger();
    QVERIFY(page().editor().text().startsWith("--"));
    QVERIFY(!page().editor().isModified());
    const ui::Example example = ui::describeExample("/x/two_words.lua", "-- Says this. And\n-- more.\nlocal a = 1\n-- not this\n");
    QCOMPARE(example.title, QStringLiteral("Two words"));
    QCOMPARE(example.summary, QStringLiteral("Says this."));
  }

private:
  test::GuiSandbox m_sandbox;
  std::unique_ptr<ui::MainWindow> m_window;
};

QTEST_MAIN(TestScriptPage)
#include "tst_script_page.moc"
