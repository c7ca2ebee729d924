// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "support/gui/gui_fixture.h"
#include "support/result_checks.h"
#include "support/sessions/big_session.h"
#include "support/sessions/session_files.h"
#include "support/sessions/session_samples.h"
#include "ui/store/session_store.h"

using namespace jitscope;
using ui::SessionStore;
using Lane = SessionStore::Lane;

namespace {

base::Result<std::int64_t> countCalls(session::SessionReader &reader) {
  const auto count = reader.database().queryInteger("SELECT count(*) FROM call_record");
  if (!count) {
    return std::unexpected(count.error());
  }
  return count->value_or(0);
}

} // namespace

class TestSessionStore : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void answersArriveOnTheWindowsThread_data() {
    QTest::addColumn<int>("lane");
    QTest::newRow("quick") << static_cast<int>(Lane::Quick);
    QTest::newRow("bulk") << static_cast<int>(Lane::Bulk);
  }
  void answersArriveOnTheWindowsThread() {
    QFETCH(int, lane);
    JS_VERIFY_RESULT(test::writeSession(path(), test::sampleRecording()));
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
    QThread *answered = nullptr;
    std::int64_t calls = 0;
    std::atomic<QThread *> worked = nullptr;
    store.ask(
        static_cast<Lane>(lane), "count", this,
        [&worked](session::SessionReader &reader) {
          worked = QThread::currentThread();
          return countCalls(reader);
        },
        [&](std::int64_t count) {
          answered = QThread::currentThread();
          calls = count;
        });
    QTRY_COMPARE_WITH_TIMEOUT(calls, std::int64_t{21}, test::kPatienceMs);
    QCOMPARE(answered, thread());
    QVERIFY(worked != thread());
    QTRY_COMPARE_WITH_TIMEOUT(store.pending(), 0, test::kPatienceMs);
  }

  void aNewerQuestionReplacesTheOlder() {
    test::BigSession shape;
    shape.calls = 300'000;
    JS_VERIFY_RESULT(test::writeBigSession(path(), shape));
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
    QList<int> answers;
    for (int i = 0; i < 20; ++i) {
      store.ask(
          Lane::Bulk, "slow", this,
          [](session::SessionReader &reader) {
            return reader.database().queryInteger(
                "SELECT sum(a.start_ns * b.id) FROM call_record a, (SELECT id FROM call_record LIMIT 20) b");
          },
          [&answers, i](std::optional<std::int64_t>) { answers << i; });
    }
    QVERIFY(test::settle(store));
    QCOMPARE(answers, QList<int>{19});
  }

  void nobodyIsToldAfterTheSessionWasClosed() {
    JS_VERIFY_RESULT(test::writeSession(path(), test::sampleRecording()));
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    QSignalSpy closed(&store, &SessionStore::closed);
    QSignalSpy failed(&store, &SessionStore::queryFailed);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
    bool told = false;
    store.ask(Lane::Bulk, "count", this, countCalls, [&told](std::int64_t) { told = true; });
    store.close();
    QCOMPARE(closed.size(), 1);
    QVERIFY(test::settle(store));
    QVERIFY(!told);
    QCOMPARE(failed.size(), 0);
    QVERIFY(!store.isOpen());
  }

  void aReceiverThatIsGoneIsNotTold() {
    JS_VERIFY_RESULT(test::writeSession(path(), test::sampleRecording()));
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
    bool told = false;
    auto receiver = std::make_unique<QObject>();
    store.ask(Lane::Bulk, "count", receiver.get(), countCalls, [&told](std::int64_t) { told = true; });
    receiver.reset();
    QVERIFY(test::settle(store));
    QVERIFY(!told);
  }

  void whatIsNoSessionIsRefused_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("says");
    QTest::newRow("missing") << QByteArray() << "does not exist";
    QTest::newRow("text") << QByteArray("hello, this is no session at all") << "session";
    QTest::newRow("cut off") << QByteArray("SQLite format 3\0", 16) << "session";
  }
  void whatIsNoSessionIsRefused() {
    QFETCH(QByteArray, content);
    QFETCH(QString, says);
    if (!content.isEmpty()) {
      QFile file(name());
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }
    SessionStore store;
    QSignalSpy failed(&store, &SessionStore::openFailed);
    store.open(name());
    QVERIFY(failed.wait(test::kPatienceMs));
    QVERIFY2(failed[0][1].toString().contains(says), qPrintable(failed[0][1].toString()));
    QVERIFY(failed[0][1].toString().contains(name()));
    QVERIFY(!store.isOpen() && !store.isOpening());
    // The store is as good as before.
    QFile::remove(name());
    JS_VERIFY_RESULT(test::writeSession(path(), test::sampleRecording()));
    QSignalSpy opened(&store, &SessionStore::opened);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
  }

  void whatIsOpenStaysWhereTheNextIsNoSession() {
    JS_VERIFY_RESULT(test::writeSession(path(), test::sampleRecording()));
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    QSignalSpy closed(&store, &SessionStore::closed);
    QSignalSpy failed(&store, &SessionStore::openFailed);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
    store.open(m_folder->filePath("nothing.jitscope"));
    QVERIFY(store.isOpening());
    QVERIFY(failed.wait(test::kPatienceMs));
    QVERIFY(store.isOpen() && !store.isOpening());
    QCOMPARE(store.path(), name());
    QCOMPARE(closed.size(), 0);
    for (const Lane lane : {Lane::Quick, Lane::Bulk}) {
      std::int64_t calls = 0;
      store.ask(lane, "count", this, countCalls, [&calls](std::int64_t count) { calls = count; });
      QTRY_COMPARE_WITH_TIMEOUT(calls, std::int64_t{21}, test::kPatienceMs);
    }
  }

  void ofTwoThatAreOpenedAtOnceTheLaterIsShown() {
    JS_VERIFY_RESULT(test::writeSession(path(), test::sampleRecording()));
    const QString other = m_folder->filePath("other.jitscope");
    test::Recording recording = test::sampleRecording();
    recording.calls.resize(5);
    std::erase_if(recording.events, [](const event::Event &event) {
      const auto *compile = std::get_if<event::CompileEvent>(&event);
      return std::holds_alternative<event::RetrievalEvent>(event) || (compile != nullptr && compile->callId.value > 5);
    });
    JS_VERIFY_RESULT(test::writeSession(other.toStdString(), recording));
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    store.open(name());
    store.open(other);
    QVERIFY(test::settle(store));
    QCOMPARE(opened.size(), 1);
    QCOMPARE(store.path(), other);
    for (const Lane lane : {Lane::Quick, Lane::Bulk}) {
      std::int64_t calls = 0;
      store.ask(lane, "count", this, countCalls, [&calls](std::int64_t count) { calls = count; });
      QTRY_COMPARE_WITH_TIMEOUT(calls, std::int64_t{5}, test::kPatienceMs);
    }
  }

  void aSessionIsFollowedWhileItIsRecorded() {
    test::Recording recording = test::sampleRecording();
    auto writer = session::SessionWriter::create(path(), test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    JS_VERIFY_RESULT((*writer)->write({recording.events, std::span(recording.calls).first(5)}));
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    QSignalSpy changed(&store, &SessionStore::changed);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
    QVERIFY(store.isRecording());
    JS_VERIFY_RESULT((*writer)->write({{}, std::span(recording.calls).subspan(5)}));
    QVERIFY(changed.wait(test::kPatienceMs));
    for (const Lane lane : {Lane::Quick, Lane::Bulk}) {
      std::int64_t calls = 0;
      store.ask(lane, "count", this, countCalls, [&calls](std::int64_t count) { calls = count; });
      QTRY_COMPARE_WITH_TIMEOUT(calls, std::int64_t{21}, test::kPatienceMs);
    }
    JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Finished, "", test::kSampleEndNs}));
    QTRY_COMPARE_WITH_TIMEOUT(store.row().status, record::SessionStatus::Finished, test::kPatienceMs);
    QVERIFY(store.isOpen() && !store.isRecording());
    std::int64_t calls = 0;
    store.ask(Lane::Bulk, "count", this, countCalls, [&calls](std::int64_t count) { calls = count; });
    QTRY_COMPARE_WITH_TIMEOUT(calls, std::int64_t{21}, test::kPatienceMs);
  }

  void aSessionThatEndedWhileItWasFollowedIsOnePlainFile_data() {
    QTest::addColumn<int>("stores");
    QTest::newRow("by one") << 1;
    QTest::newRow("by two") << 2;
  }
  void aSessionThatEndedWhileItWasFollowedIsOnePlainFile() {
    QFETCH(int, stores);
    const test::Recording recording = test::sampleRecording();
    auto writer = session::SessionWriter::create(path(), test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    JS_VERIFY_RESULT((*writer)->write({recording.events, recording.calls}));
    std::vector<std::unique_ptr<SessionStore>> all;
    for (int i = 0; i < stores; ++i) {
      SessionStore &store = *all.emplace_back(std::make_unique<SessionStore>());
      QSignalSpy opened(&store, &SessionStore::opened);
      store.open(name());
      QVERIFY(opened.wait(test::kPatienceMs));
      std::int64_t calls = 0;
      store.ask(Lane::Bulk, "count", this, countCalls, [&calls](std::int64_t count) { calls = count; });
      QTRY_COMPARE_WITH_TIMEOUT(calls, std::int64_t{21}, test::kPatienceMs);
    }
    JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Finished, "", test::kSampleEndNs}));
    for (const std::unique_ptr<SessionStore> &store : all) {
      QTRY_COMPARE_WITH_TIMEOUT(store->row().status, record::SessionStatus::Finished, test::kPatienceMs);
      QVERIFY(test::settle(*store));
    }
    if (stores == 1) {
      // Once the store has seen the end; it need not be closed for that.
      QTRY_COMPARE_WITH_TIMEOUT(filesBeside(), QStringList{"s.jitscope"}, test::kPatienceMs);
    }
    for (const std::unique_ptr<SessionStore> &store : all) {
      std::int64_t calls = 0;
      store->ask(Lane::Bulk, "count", this, countCalls, [&calls](std::int64_t count) { calls = count; });
      QTRY_COMPARE_WITH_TIMEOUT(calls, std::int64_t{21}, test::kPatienceMs);
    }
    all.clear();
    QCOMPARE(filesBeside(), QStringList{"s.jitscope"});
  }

  void aSessionThatWasLeftOpenToTheLogIsPlainOnceItIsClosed() {
    JS_VERIFY_RESULT(test::writeSession(path(), test::sampleRecording()));
    test::executeSql(name(), "PRAGMA journal_mode=WAL");
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
    store.ask(Lane::Bulk, "count", this, countCalls, [](std::int64_t) {});
    QVERIFY(test::settle(store));
    store.close();
    QTRY_COMPARE_WITH_TIMEOUT(filesBeside(), QStringList{"s.jitscope"}, test::kPatienceMs);
  }

  void aReplacedFileIsNoticed() {
    JS_VERIFY_RESULT(test::writeSession(path(), test::sampleRecording()));
    SessionStore store;
    QSignalSpy opened(&store, &SessionStore::opened);
    QSignalSpy failed(&store, &SessionStore::queryFailed);
    store.open(name());
    QVERIFY(opened.wait(test::kPatienceMs));
    QVERIFY(QFile::remove(name()));
    QVERIFY(failed.wait(10000));
    QVERIFY(failed[0][0].toString().contains("deleted"));
    QVERIFY(store.isOpen());
  }

private:
  [[nodiscard]] QString name() const { return m_folder->filePath("s.jitscope"); }
  /// The session and what SQLite put beside it.
  [[nodiscard]] QStringList filesBeside() const { return QDir(m_folder->path()).entryList(QDir::Files); }
  [[nodiscard]] std::filesystem::path path() const { return name().toStdString(); }

  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestSessionStore)
#include "tst_session_store.moc"
