// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions through time: followed while they are written, killed at any moment, read where nothing can be written.
#include "record/recorder.h"
#include "session/file/database.h"
#include "session/session_reader.h"
#include "session/session_writer.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace jitscope;
using namespace std::chrono_literals;
using record::Recorder;
using record::SessionStatus;
using session::SessionReader;
using session::SessionWriter;

namespace {

std::uint64_t nowNs() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                    1ns); // CLOCK_MONOTONIC: one for all processes
}

/// Runs `body`, which starts no threads, in a copy of this process; its answer is the copy's exit status.
pid_t inChild(const std::function<int()> &body) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(body());
  }
  return child;
}

int exitStatusOf(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// What the recording process tells about itself, in memory that both see.
struct Progress {
  std::atomic<std::uint64_t> calls;
  std::atomic<std::uint64_t> started; ///< set once recording runs
};

/// A `Progress` in a file, for this process and those that it starts.
class SharedProgress {
public:
  explicit SharedProgress(const std::string &path) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    static_cast<void>(ftruncate(descriptor, sizeof(Progress)));
    m_memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
  }
  ~SharedProgress() { munmap(m_memory, sizeof(Progress)); }
  SharedProgress(const SharedProgress &) = delete;
  SharedProgress &operator=(const SharedProgress &) = delete;
  Progress *operator->() const { return static_cast<Progress *>(m_memory); }

private:
  void *m_memory = nullptr;
};

constexpr const char *kRecordArgument = "--record";

/// Records a call each `pause` until killed, with the present time as its start.
int recordForever(const std::string &path, const SharedProgress &progress, std::chrono::microseconds pause) {
  auto writer = SessionWriter::create(path, test::sampleInfo());
  if (!writer) {
    return 2;
  }
  auto recorder = Recorder::start(*std::move(writer));
  if (!recorder) {
    return 3;
  }
  (*recorder)->record(event::FunctionEvent{base::FunctionId(1), "f", 1, false});
  (*recorder)->record(event::TemplateEvent{base::TemplateId(1), base::FunctionId(1), "f32[]"});
  (*recorder)->record(event::SectionEvent{base::SectionId(1), "all", 0});
  progress->started = 1;
  for (std::uint64_t id = 1;; ++id) {
    (*recorder)->call(test::makeCall(id, 1, 1, nowNs(), event::Outcome::Hit, 0, 50));
    progress->calls = id;
    if (pause.count() > 0) {
      std::this_thread::sleep_for(pause);
    }
  }
}

struct LastCall {
  std::uint64_t count = 0;
  std::uint64_t startNs = 0;
};

LastCall lastCallOf(SessionReader &reader) {
  LastCall last;
  static_cast<void>(reader.eachCall({}, [&last](const event::CallEvent &call) -> base::Result<void> {
    ++last.count;
    last.startNs = call.startNs;
    return {};
  }));
  return last;
}

/// This program again, in a process of its own that only records; see `main`.
class RecordingProcess {
public:
  RecordingProcess(const std::string &path, std::chrono::microseconds pause)
      : m_progressPath(path + ".progress"), m_progress(m_progressPath) {
    std::vector<std::string> arguments{QCoreApplication::applicationFilePath().toStdString(), kRecordArgument, path, m_progressPath,
                                       std::to_string(pause.count())};
    std::vector<char *> pointers;
    for (std::string &argument : arguments) {
      pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    posix_spawn(&m_pid, pointers[0], nullptr, nullptr, pointers.data(), environ);
  }
  ~RecordingProcess() {
    killNow();
    std::filesystem::remove(m_progressPath);
  }
  RecordingProcess(const RecordingProcess &) = delete;
  RecordingProcess &operator=(const RecordingProcess &) = delete;

  [[nodiscard]] std::uint64_t calls() const { return m_progress->calls; }
  [[nodiscard]] bool hasStarted() const { return m_progress->started != 0; }
  /// Kills the process as nothing can be guarded against, and waits until it is gone.
  void killNow() {
    if (m_pid > 0) {
      kill(m_pid, SIGKILL);
      exitStatusOf(m_pid);
      m_pid = 0;
    }
  }

private:
  std::string m_progressPath;
  SharedProgress m_progress;
  pid_t m_pid = 0;
};

bool hasSideFiles(const std::string &path) {
  return std::filesystem::exists(path + "-wal") || std::filesystem::exists(path + "-shm");
}

} // namespace

class TestSessionLifecycle : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    QVERIFY(m_folder.isValid());
    m_path = m_folder.filePath("run.jitscope").toStdString();
    for (const char *suffix : {"", "-wal", "-shm"}) {
      std::filesystem::remove(m_path + suffix);
    }
  }

  void aKilledRunOpensAsInterruptedWithAllButItsLastMoment_data() {
    QTest::addColumn<int>("pauseUs");
    QTest::addColumn<int>("runMs");
    QTest::newRow("a slow run") << 2000 << 400;
    QTest::newRow("a fast run") << 0 << 700;
    QTest::newRow("killed early") << 100 << 120;
  }
  void aKilledRunOpensAsInterruptedWithAllButItsLastMoment() {
    QFETCH(int, pauseUs);
    QFETCH(int, runMs);
    RecordingProcess process(m_path, std::chrono::microseconds(pauseUs));
    QTRY_VERIFY_WITH_TIMEOUT(process.hasStarted(), test::kPatienceMs);
    std::this_thread::sleep_for(std::chrono::milliseconds(runMs));
    const std::uint64_t killedNs = nowNs();
    process.killNow();

    auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    QVERIFY((*reader)->session().status == SessionStatus::Interrupted);
    const LastCall last = lastCallOf(**reader);
    QVERIFY(last.count > 0);
    QVERIFY(last.count <= process.calls() + 1);
    // 100 ms are promised on a machine that has a CPU for the writer thread; the rest is for one that tests are run on.
    QVERIFY2(killedNs - last.startNs < 100'000'000 + 150'000'000,
             qPrintable(QString::number((killedNs - last.startNs) / 1'000'000)));
    QCOMPARE((*reader)->functions().value().size(), std::size_t{1});
    QCOMPARE((*reader)->session().durationNs, last.startNs + 150); // lookup 100 and execute 50

    // Reading has left one plain file that says what it is to everybody.
    QVERIFY(!hasSideFiles(m_path));
    QCOMPARE(QString::fromStdString(*(*reader)->database().queryText("SELECT status FROM session").value()),
             QString("interrupted"));
    QCOMPARE(QString::fromStdString(*(*reader)->database().queryText("PRAGMA integrity_check").value()), QString("ok"));
  }

  void aRunIsReadableWhileItIsWritten() {
    RecordingProcess process(m_path, 200us);
    QTRY_VERIFY_WITH_TIMEOUT(process.calls() > 100, test::kPatienceMs);
    std::this_thread::sleep_for(200ms);
    {
      auto reader = SessionReader::open(m_path);
      JS_VERIFY_RESULT(reader);
      QVERIFY((*reader)->session().status == SessionStatus::Running);
      const LastCall before = lastCallOf(**reader);
      QVERIFY(before.count > 0);
      std::this_thread::sleep_for(300ms);
      JS_VERIFY_RESULT((*reader)->refresh());
      QVERIFY((*reader)->session().status == SessionStatus::Running);
      const LastCall after = lastCallOf(**reader);
      QVERIFY(after.count > before.count);
      QVERIFY((*reader)->session().durationNs > 0);

      // A snapshot stands still, however much is written meanwhile.
      const auto held = (*reader)->snapshot();
      JS_VERIFY_RESULT(held);
      const std::uint64_t first = lastCallOf(**reader).count;
      std::this_thread::sleep_for(200ms);
      QCOMPARE(lastCallOf(**reader).count, first);
    }
  }

  void aFollowerSeesTheRunDie() {
    RecordingProcess process(m_path, 200us);
    QTRY_VERIFY_WITH_TIMEOUT(process.calls() > 100, test::kPatienceMs);
    std::this_thread::sleep_for(150ms);
    auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    QVERIFY((*reader)->session().status == SessionStatus::Running);
    process.killNow();
    JS_VERIFY_RESULT((*reader)->refresh());
    QVERIFY((*reader)->session().status == SessionStatus::Interrupted);
    QVERIFY(lastCallOf(**reader).count > 0);
    QVERIFY(!hasSideFiles(m_path));
  }

  void aRunThatEndsWhileItIsFollowedBecomesOnePlainFile_data() {
    QTest::addColumn<bool>("closesLast");
    QTest::newRow("one who saw the end closes it first") << false;
    QTest::newRow("one who saw the end closes it last") << true;
  }
  void aRunThatEndsWhileItIsFollowedBecomesOnePlainFile() {
    QFETCH(bool, closesLast);
    auto writer = SessionWriter::create(m_path, test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    const test::Recording recording = test::sampleRecording();
    JS_VERIFY_RESULT((*writer)->write({recording.events, recording.calls}));
    auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    auto second = SessionReader::open(m_path);
    JS_VERIFY_RESULT(second);
    QCOMPARE(lastCallOf(**reader).count, std::uint64_t{21});
    // The readers keep the writer from leaving one file behind; it must neither fail nor wait for long.
    const std::uint64_t begin = nowNs();
    JS_VERIFY_RESULT((*writer)->finish({SessionStatus::Finished, "", test::kSampleEndNs}));
    QVERIFY(nowNs() - begin < 2'000'000'000);
    JS_VERIFY_RESULT((*reader)->refresh());
    QVERIFY((*reader)->session().status == SessionStatus::Finished);
    QCOMPARE(lastCallOf(**reader).count, std::uint64_t{21});
    (closesLast ? second : reader)->reset();
    (closesLast ? reader : second)->reset();
    QVERIFY(!hasSideFiles(m_path));
    auto again = SessionReader::open(m_path);
    JS_VERIFY_RESULT(again);
    QCOMPARE(lastCallOf(**again).count, std::uint64_t{21});
  }

  void whatIsDerivedIsThereBeforeAFollowerSeesTheEnd() {
    std::unique_ptr<SessionReader> follower;
    bool sawTheEndEarly = true;
    session::SessionWriter::Options options;
    options.beforeEnd = [&](session::Database &database) -> base::Result<void> {
      if (auto followed = follower->refresh(); !followed) {
        return followed;
      }
      sawTheEndEarly = follower->session().status != SessionStatus::Running;
      return database.execute("INSERT INTO case_statistic(case_id, leg, name, value) VALUES(1, 'warm', 'median', 7)");
    };
    auto writer = SessionWriter::create(m_path, test::sampleInfo(), options);
    JS_VERIFY_RESULT(writer);
    const test::Recording recording = test::sampleRecording();
    JS_VERIFY_RESULT((*writer)->write({recording.events, recording.calls}));
    auto opened = SessionReader::open(m_path);
    JS_VERIFY_RESULT(opened);
    follower = *std::move(opened);
    JS_VERIFY_RESULT((*writer)->finish({SessionStatus::Finished, "", test::kSampleEndNs}));
    QVERIFY(!sawTheEndEarly);
    JS_VERIFY_RESULT(follower->refresh());
    QVERIFY(follower->session().status == SessionStatus::Finished);
    const auto value = follower->database().queryText("SELECT value FROM case_statistic");
    JS_VERIFY_RESULT(value);
    QCOMPARE(value->value_or(""), std::string("7.0"));
  }

  void aSessionWhoseDerivedRowsFailIsCompleteOtherwise() {
    session::SessionWriter::Options options;
    options.beforeEnd = [](session::Database &) -> base::Result<void> {
      return base::fail(base::ErrorCode::StorageWrite, "no room for them");
    };
    auto writer = SessionWriter::create(m_path, test::sampleInfo(), options);
    JS_VERIFY_RESULT(writer);
    const test::Recording recording = test::sampleRecording();
    JS_VERIFY_RESULT((*writer)->write({recording.events, recording.calls}));
    JS_COMPARE_ERROR((*writer)->finish({SessionStatus::Finished, "", test::kSampleEndNs}), base::ErrorCode::StorageWrite);
    QVERIFY(!hasSideFiles(m_path));
    auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    QVERIFY((*reader)->session().status == SessionStatus::Finished);
    QCOMPARE(lastCallOf(**reader).count, std::uint64_t{21});
  }

  void aProcessThatDiesBetweenBatchesLosesNone() {
    const pid_t child = inChild([&] {
      auto writer = SessionWriter::create(m_path, test::sampleInfo());
      const test::Recording recording = test::sampleRecording();
      if (!writer || !(*writer)->write({recording.events, recording.calls})) {
        return 2;
      }
      kill(getpid(), SIGKILL);
      return 3;
    });
    QCOMPARE(exitStatusOf(child), -1);
    auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    QVERIFY((*reader)->session().status == SessionStatus::Interrupted);
    QCOMPARE(lastCallOf(**reader).count, std::uint64_t{21});
  }

  /// Runs as another user where the tests run as root, whom no permission stops.
  void aKilledRunInAFolderThatCannotBeWrittenIsReadable() {
    {
      RecordingProcess process(m_path, 100us);
      QTRY_VERIFY_WITH_TIMEOUT(process.calls() > 500, test::kPatienceMs);
      std::this_thread::sleep_for(200ms);
    }
    QVERIFY(hasSideFiles(m_path));
    // As left on a medium: the index of the log is gone, and nothing may be made here.
    std::filesystem::remove(m_path + "-shm");
    const std::filesystem::path folder(m_folder.path().toStdString());
    std::filesystem::permissions(m_path, std::filesystem::perms(0444));
    std::filesystem::permissions(m_path + "-wal", std::filesystem::perms(0444));
    std::filesystem::permissions(folder, std::filesystem::perms(0555));
    const pid_t reading = inChild([&] {
      if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
        return 2;
      }
      auto reader = SessionReader::open(m_path);
      if (!reader) {
        fputs(base::describe(reader.error()).c_str(), stderr);
        return 3;
      }
      if ((*reader)->session().status != SessionStatus::Interrupted) {
        return 4;
      }
      return lastCallOf(**reader).count > 0 ? 0 : 5;
    });
    const int status = exitStatusOf(reading);
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    QCOMPARE(status, 0);
  }

  void aFinishedSessionInAFolderThatCannotBeWrittenIsReadable() {
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
    const std::filesystem::path folder(m_folder.path().toStdString());
    std::filesystem::permissions(m_path, std::filesystem::perms(0444));
    std::filesystem::permissions(folder, std::filesystem::perms(0555));
    const pid_t reading = inChild([&] {
      if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
        return 2;
      }
      auto reader = SessionReader::open(m_path);
      return reader && (*reader)->session().status == SessionStatus::Finished && lastCallOf(**reader).count == 21 ? 0 : 3;
    });
    const int status = exitStatusOf(reading);
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    QCOMPARE(status, 0);
  }

  void aFailingSessionSaysSo() {
    auto writer = SessionWriter::create(m_path, test::sampleInfo());
    JS_VERIFY_RESULT(writer);
    writer->reset(); // its owner went away
    auto reader = SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    QVERIFY((*reader)->session().status == SessionStatus::Failed);
    QCOMPARE((*reader)->session().error, std::string("the session was not finished"));
  }

private:
  QTemporaryDir m_folder;
  std::string m_path;
};

/// With the argument, records until killed: a process that was started again has no threads or locks left over from the tests.
int main(int argc, char **argv) {
  if (argc == 5 && std::string_view(argv[1]) == kRecordArgument) {
    const SharedProgress progress(argv[3]);
    return recordForever(argv[2], progress, std::chrono::microseconds(std::stoll(argv[4])));
  }
  const QCoreApplication application(argc, argv);
  TestSessionLifecycle test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_session_lifecycle.moc"
