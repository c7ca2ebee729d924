// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/recorder.h"
#include "session/file/database.h"
#include "session/session_reader.h"
#include "session/session_writer.h"
#include "support/result_checks.h"
#include "support/sessions/session_files.h"
#include "support/sessions/session_samples.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <csignal>
#include <memory>

#include <sys/resource.h>

using namespace jitscope;
using base::ErrorCode;
using session::SessionReader;
using session::SessionWriter;

namespace {

/// Bounds the size of every file that this process writes while the object lives.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &m_before);
    const rlimit limit{bytes, m_before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }
  FileSizeLimit(const FileSizeLimit &) = delete;
  FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
  void (*m_handler)(int);
  rlimit m_before{};
};

} // namespace

/// What goes wrong while a session is written.
class TestSessionWriteErrors : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_path = m_folder->filePath("s.jitscope");
  }

  void aFullDiskIsReportedAndTheSessionStaysReadable() {
    auto writer = SessionWriter::create(m_path.toStdString(), test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    {
      // No file may grow beyond 1 MiB for now: to the writer that is a full disk.
      const FileSizeLimit limit(1 << 20);
      std::atomic<int> told = 0;
      record::Recorder::Options options;
      options.onFailure = [&told](const base::Error &error) { told += error.code == ErrorCode::StorageWrite ? 1 : 100; };
      auto recorder = record::Recorder::start(*std::move(writer), options);
      JS_VERIFY_RESULT(recorder);
      for (const event::Event &event : namesOf(test::makeCall(1, 1, 1, 0, event::Outcome::Hit, 0, 50))) {
        (*recorder)->record(event);
      }
      for (std::uint64_t id = 1; id <= 500'000; ++id) {
        (*recorder)->call(test::makeCall(id, 1, 1, id * 1000, event::Outcome::Hit, 0, 50));
      }
      const base::Result<void> finished = (*recorder)->finish({});
      JS_COMPARE_ERROR(finished, ErrorCode::StorageWrite);
      QVERIFY2(finished.error().message.find(m_path.toStdString()) != std::string::npos, finished.error().message.c_str());
      QCOMPARE(told.load(), 1);
      QVERIFY((*recorder)->discarded() > 0);
    }
    auto reader = SessionReader::open(m_path.toStdString());
    JS_VERIFY_RESULT(reader);
    const record::SessionStatus ended = (*reader)->session().status;
    QVERIFY(ended == record::SessionStatus::Failed || ended == record::SessionStatus::Interrupted);
    std::uint64_t calls = 0;
    JS_VERIFY_RESULT((*reader)->eachCall({}, [&calls](const event::CallEvent &) -> base::Result<void> {
      ++calls;
      return {};
    }));
    QVERIFY(calls > 0 && calls < 500'000);
  }

  void aDeletedFileIsNoticed_data() {
    QTest::addColumn<bool>("replaced");
    QTest::newRow("deleted") << false;
    QTest::newRow("replaced") << true;
  }
  void aDeletedFileIsNoticed() {
    QFETCH(bool, replaced);
    auto writer = SessionWriter::create(m_path.toStdString(), test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    const test::Recording recording = test::sampleRecording();
    JS_VERIFY_RESULT((*writer)->write({recording.events, {}}));
    QVERIFY(QFile::remove(m_path));
    if (replaced) {
      test::writeFile(m_path, "mine");
    }
    const base::Result<void> written = (*writer)->write({{}, recording.calls});
    JS_COMPARE_ERROR(written, ErrorCode::StorageWrite);
    QVERIFY2(written.error().message.ends_with("it was deleted, moved or replaced while it was recorded"),
             written.error().message.c_str());
    JS_COMPARE_ERROR((*writer)->write({{}, recording.calls}), ErrorCode::StorageWrite);
    JS_COMPARE_ERROR((*writer)->finish({}), ErrorCode::StorageWrite);
    if (replaced) {
      QCOMPARE(test::readFile(m_path), QByteArray("mine"));
    }
  }

  void aFailedBatchIsLostWhole() {
    auto writer = SessionWriter::create(m_path.toStdString(), test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    const auto call = [](std::uint64_t id) { return test::makeCall(id, 1, 1, id, event::Outcome::Hit, 0, 50); };
    const std::vector<event::CallEvent> good{call(1), call(2)};
    const std::vector<event::CallEvent> twice{call(3), call(2)}; // an id that is taken
    JS_VERIFY_RESULT((*writer)->write({namesOf(good[0]), good}));
    QVERIFY(!(*writer)->write({{}, twice}));
    JS_VERIFY_RESULT((*writer)->finish({record::SessionStatus::Failed, "twice", 0}));
    auto reader = SessionReader::open(m_path.toStdString());
    JS_VERIFY_RESULT(reader);
    QCOMPARE(*(*reader)->database().queryInteger("SELECT count(*) FROM call").value(), std::int64_t{2});
  }

private:
  /// What a call refers to.
  static std::vector<event::Event> namesOf(const event::CallEvent &call) { return test::complete({{}, {call}}).events; }

  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_path;
};

QTEST_GUILESS_MAIN(TestSessionWriteErrors)
#include "tst_session_write_errors.moc"
