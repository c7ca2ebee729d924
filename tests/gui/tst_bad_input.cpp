// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/gui_fixture.h"
#include "support/result_checks.h"
#include "support/sessions/session_files.h"
#include "support/sessions/session_samples.h"
#include "ui/models/template_model.h"
#include "ui/pages/templates_page.h"
#include "ui/pages/timeline/timeline_page.h"
#include "ui/pages/timeline/timeline_view.h"
#include "ui/window/message_bar.h"

#include <QAbstractItemView>
#include <QTextBrowser>

#include <cstdio>

using namespace jitscope;
using event::Outcome;

/// Sessions that are none, that change under the window's hands, or that are out of the ordinary.
class TestBadInput : public QObject {
  Q_OBJECT

private:
  [[nodiscard]] QString file(const QString &name) const { return m_folder->filePath(name); }
  QString sample(const QString &name, const test::Recording &recording = test::sampleRecording()) {
    const base::Result<void> written = test::writeSession(file(name).toStdString(), recording);
    if (!written) {
      qFatal("%s", base::describe(written.error()).c_str());
    }
    return file(name);
  }
  [[nodiscard]] ui::MessageBar &message() const { return *m_window->findChild<ui::MessageBar *>("messageBar"); }
  [[nodiscard]] const charts::TimelineChart &chart() const {
    return qobject_cast<ui::TimelinePage *>(m_window->page("timeline"))->view().timeline();
  }
  /// Goes through all pages, each of which must answer.
  void showEveryPage() {
    for (ui::Page *page : m_window->pages()) {
      QVERIFY2(test::showAndSettle(*m_window, page->objectName()), qPrintable(page->objectName()));
      QVERIFY(page->isVisible());
    }
    QVERIFY2(!message().isVisible(), qPrintable(message().text()));
  }
  static test::Recording calls(std::uint32_t templates, const std::string &name) {
    test::Recording recording;
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(1), name, 1, false});
    for (std::uint32_t i = 1; i <= templates; ++i) {
      recording.events.emplace_back(
          event::TemplateEvent{base::TemplateId(i), base::FunctionId(1), "f32[" + std::to_string(i) + "]"});
      recording.calls.push_back(test::makeCall(i, i, 0, i * 1000, Outcome::Hit, 0, 500));
    }
    return recording;
  }

private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_window = test::showWindow();
  }
  void cleanup() { m_window.reset(); }

  void whatCannotBeOpenedIsToldWithTheRemedy_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("missing") << "missing" << "does not exist";
    QTest::newRow("a text") << "text" << "session";
    QTest::newRow("of a newer version") << "newer" << "upgrade Jitscope";
    QTest::newRow("another database") << "other" << "session";
    QTest::newRow("cut in half") << "half" << "record the run again";
    QTest::newRow("a folder") << "folder" << "session";
  }
  void whatCannotBeOpenedIsToldWithTheRemedy() {
    QFETCH(QString, kind);
    QFETCH(QString, says);
    const QString path = file("bad.jitscope");
    if (kind == "text") {
      test::writeFile(path, "hello, this is no session at all");
    } else if (kind == "newer") {
      sample("bad.jitscope");
      test::executeSql(path, "PRAGMA user_version=7777");
    } else if (kind == "other") {
      test::executeSql(path, "CREATE TABLE other(x)");
    } else if (kind == "half") {
      sample("bad.jitscope");
      const QByteArray whole = test::readFile(path);
      test::writeFile(path, whole.left(whole.size() / 2));
    } else if (kind == "folder") {
      QVERIFY(QDir().mkpath(path));
    }
    m_window->openPath(path);
    QTRY_VERIFY_WITH_TIMEOUT(message().isVisible(), test::kPatienceMs);
    QVERIFY2(message().text().contains(says, Qt::CaseInsensitive), qPrintable(message().text()));
    QVERIFY2(message().text().contains("bad.jitscope"), qPrintable(message().text()));
    QVERIFY(!m_window->store().isOpen());
    // The window is as good as before.
    QVERIFY(test::openAndSettle(*m_window, sample("good.jitscope")));
    showEveryPage();
  }

  void aFileThatIsReplacedWhileOpenIsTold() {
    const QString path = sample("s.jitscope");
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    const QString other = sample("other.jitscope", calls(1, "other"));
    QCOMPARE(std::rename(other.toLocal8Bit().constData(), path.toLocal8Bit().constData()), 0);
    QTRY_VERIFY_WITH_TIMEOUT(message().isVisible(), 20000);
    QVERIFY2(message().text().contains("open the file again"), qPrintable(message().text()));
    QCOMPARE(chart().data().view.calls, std::uint64_t{21});
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QCOMPARE(chart().data().view.calls, std::uint64_t{1});
  }

  void aFileThatIsDeletedWhileOpenIsTold() {
    const QString path = sample("s.jitscope");
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY_WITH_TIMEOUT(message().isVisible(), 20000);
    QVERIFY2(message().text().contains("deleted"), qPrintable(message().text()));
    // What was read stays to be seen, and another session can be opened.
    QCOMPARE(chart().data().view.calls, std::uint64_t{21});
    QVERIFY(test::openAndSettle(*m_window, sample("good.jitscope")));
    showEveryPage();
  }

  void aPageIsReadThoughTheFileWasDeletedBefore() {
    const QString path = sample("s.jitscope");
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(QFile::remove(path));
    QVERIFY(test::showAndSettle(*m_window, "compiles"));
    auto *compiles = m_window->page("compiles")->findChild<QAbstractItemView *>("compileTable");
    QCOMPARE(compiles->model()->rowCount(), 4);
    QVERIFY(test::showAndSettle(*m_window, "latency"));
    QVERIFY(m_window->page("latency")->findChild<QAbstractItemView *>("latencyTable")->model()->rowCount() > 0);
  }

  void aFileThatIsCutWhileOpenLeavesTheWindow() {
    const QString path = sample("s.jitscope", calls(100'000, "f"));
    QVERIFY(test::openAndSettle(*m_window, path));
    QVERIFY(QFile::resize(path, 8192));
    m_window->filter().setFunction(base::FunctionId(1), "f");
    for (const char *name : {"timeline", "templates", "compiles"}) {
      m_window->showPage(name);
      QCoreApplication::processEvents();
    }
    QTRY_VERIFY_WITH_TIMEOUT(message().isVisible(), test::kPatienceMs);
    QVERIFY(test::openAndSettle(*m_window, sample("good.jitscope")));
    m_window->filter().clear();
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QCOMPARE(chart().data().view.calls, std::uint64_t{21});
  }

  void aReadOnlyFolderIsEnough() {
    const QString path = sample("s.jitscope");
    QVERIFY(QFile::setPermissions(path, QFile::ReadOwner));
    QVERIFY(QFile::setPermissions(m_folder->path(), QFile::ReadOwner | QFile::ExeOwner));
    QVERIFY(test::openAndSettle(*m_window, path));
    showEveryPage();
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"s.jitscope"});
    m_window.reset();
    QFile::setPermissions(m_folder->path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }

  void unusualSessionsFillEveryPage_data() {
    QTest::addColumn<QString>("kind");
    for (const char *kind : {"no calls", "one call", "calls of no time", "names of ten kilobytes", "cut off in an early state"}) {
      QTest::newRow(kind) << kind;
    }
  }
  void unusualSessionsFillEveryPage() {
    QFETCH(QString, kind);
    test::Recording recording;
    if (kind == "one call") {
      recording = calls(1, "f");
    } else if (kind == "calls of no time") {
      recording = calls(3, "f");
      for (event::CallEvent &call : recording.calls) {
        call.lookupNs = 0;
        call.executeNs = 0;
      }
    } else if (kind == "names of ten kilobytes") {
      recording = calls(2, std::string(10'000, 'n'));
      recording.events.emplace_back(event::SectionEvent{base::SectionId(1), std::string(10'000, '\n'), 0});
      recording.events.emplace_back(event::BenchCaseEvent{base::CaseId(1), 1, std::string(10'000, 'c'), std::string(10'000, 'i'),
                                                          base::FunctionId(1), 0, 1, 1});
      recording.calls.push_back(test::asSample(test::makeCall(3, 1, 1, 4000, Outcome::Hit, 0, 100), 1, event::Leg::Warm));
    }
    if (kind == "cut off in an early state") {
      auto writer = session::SessionWriter::create(file("s.jitscope").toStdString(), test::sampleInfo());
      JS_VERIFY_RESULT(writer);
    } else {
      sample("s.jitscope", recording);
    }
    QVERIFY(test::openAndSettle(*m_window, file("s.jitscope")));
    showEveryPage();
    // Nothing is so long that it makes the window wider than it was.
    QCOMPARE(m_window->width(), 1280);
  }

  void aHundredThousandTemplatesFillEveryPage() {
    QVERIFY(test::openAndSettle(*m_window, sample("s.jitscope", calls(100'000, "f"))));
    showEveryPage();
    QVERIFY(test::showAndSettle(*m_window, "templates"));
    const ui::TemplateModel &model = qobject_cast<ui::TemplatesPage *>(m_window->page("templates"))->model();
    QCOMPARE(model.rowCount(model.index(0, 0, {})), 100'000);
    QVERIFY(test::showAndSettle(*m_window, "timeline"));
    QCOMPARE(chart().data().view.calls, std::uint64_t{100'000});
  }

  void twoWindowsFollowOneSession() {
    const test::Recording recording = test::sampleRecording();
    auto writer = session::SessionWriter::create(file("s.jitscope").toStdString(), test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    JS_VERIFY_RESULT((*writer)->write({recording.events, std::span(recording.calls).first(5)}));
    ui::MainWindow other;
    other.show();
    for (ui::MainWindow *window : {m_window.get(), &other}) {
      QVERIFY(test::openAndSettle(*window, file("s.jitscope")));
      QVERIFY(test::showAndSettle(*window, "timeline"));
    }
    JS_VERIFY_RESULT((*writer)->write({{}, std::span(recording.calls).subspan(5)}));
    JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Finished, "", test::kSampleEndNs}));
    for (ui::MainWindow *window : {m_window.get(), &other}) {
      const auto &timeline = qobject_cast<ui::TimelinePage *>(window->page("timeline"))->view().timeline();
      QTRY_COMPARE_WITH_TIMEOUT(window->store().row().status, record::SessionStatus::Finished, test::kPatienceMs);
      QTRY_COMPARE_WITH_TIMEOUT(timeline.data().view.calls, std::uint64_t{21}, test::kPatienceMs);
      QVERIFY(!window->findChild<ui::MessageBar *>("messageBar")->isVisible());
    }
  }

private:
  test::GuiSandbox m_sandbox;
  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<ui::MainWindow> m_window;
};

QTEST_MAIN(TestBadInput)
#include "tst_bad_input.moc"
