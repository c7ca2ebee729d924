// SPDX-License-Identifier: GPL-3.0-or-later
// What is said about files that are no sessions, and places where none can be written.
#include "session/file/schema.h"
#include "session/session_reader.h"
#include "session/session_writer.h"
#include "support/result_checks.h"
#include "support/sessions/session_files.h"
#include "support/sessions/session_samples.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace jitscope;
using base::ErrorCode;
using session::SessionReader;
using session::SessionWriter;

Q_DECLARE_METATYPE(ErrorCode)

namespace {

/// Root reads and writes everywhere, so tests of permissions go on as nobody.
bool becomeNobody() { return getuid() != 0 || (setgid(65534) == 0 && setuid(65534) == 0); }

} // namespace

class TestSessionErrors : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_path = m_folder->filePath("s.jitscope");
  }

  // ---- opening

  void whatIsNoSessionIsNamedForWhatItIs_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing") << "missing" << ErrorCode::StorageOpen << "it does not exist";
    QTest::newRow("missing folder") << "missing folder" << ErrorCode::StorageOpen << "it does not exist";
    QTest::newRow("folder") << "folder" << ErrorCode::StorageOpen << "it is a folder; name a session file (*.jitscope) in it";
    QTest::newRow("empty") << "empty" << ErrorCode::StorageFormat << "the file is empty";
    QTest::newRow("text") << "text" << ErrorCode::StorageFormat << "it is not a Jitscope session";
    QTest::newRow("short text") << "short text" << ErrorCode::StorageFormat << "it is not a Jitscope session";
    QTest::newRow("device") << "device" << ErrorCode::StorageOpen << "it is not a regular file";
    QTest::newRow("pipe") << "pipe" << ErrorCode::StorageOpen << "it is not a regular file";
    QTest::newRow("other database") << "other database" << ErrorCode::StorageFormat
                                    << "it is an SQLite database of another program, not a Jitscope session";
    QTest::newRow("newer")
        << "newer" << ErrorCode::StorageNewer
        << QString("it was written by a newer Jitscope (session format 7, this version reads up to %1); upgrade Jitscope")
               .arg(session::kSchemaVersion);
    QTest::newRow("header only") << "header only" << ErrorCode::StorageCorrupt << "the file is damaged (it ends within its header)";
    QTest::newRow("half") << "half" << ErrorCode::StorageCorrupt << "the file is damaged (cut short: ";
    QTest::newRow("holes") << "holes" << ErrorCode::StorageCorrupt << "the file is damaged (";
    QTest::newRow("no tables")
        << "no tables" << ErrorCode::StorageFormat
        << QString("its schema is not that of session format %1 (it has the table \"other\", which is not part of a session)")
               .arg(session::kSchemaVersion);
    QTest::newRow("no row") << "no row" << ErrorCode::StorageCorrupt << "table session is empty";
    QTest::newRow("unknown status") << "unknown status" << ErrorCode::StorageCorrupt
                                    << "\"dancing\" in column \"status\" is no status";
  }
  void whatIsNoSessionIsNamedForWhatItIs() {
    QFETCH(QString, kind);
    QFETCH(ErrorCode, code);
    QFETCH(QString, message);
    makeFile(kind);
    const auto reader = SessionReader::open(m_path.toStdString());
    JS_COMPARE_ERROR(reader, code);
    const QString actual = QString::fromStdString(reader.error().message);
    QVERIFY2(actual.startsWith(QString("cannot open the session \"%1\": ").arg(m_path)), qPrintable(actual));
    QVERIFY2(actual.contains(message), qPrintable(actual));
  }

  void aFileThatMayNotBeReadIsSaidToBeSo() {
    JS_VERIFY_RESULT(test::writeSession(m_path.toStdString(), test::sampleRecording()));
    std::filesystem::permissions(m_path.toStdString(), std::filesystem::perms(0200));
    std::filesystem::permissions(m_folder->path().toStdString(), std::filesystem::perms(0755));
    const int status = test::statusOfChild([this] {
      if (!becomeNobody()) {
        return 2;
      }
      const auto reader = SessionReader::open(m_path.toStdString());
      return !reader && reader.error().code == ErrorCode::StorageOpen &&
                     reader.error().message.ends_with("no permission to read it")
                 ? 0
                 : 3;
    });
    QCOMPARE(status, 0);
  }

  void openingDoesNotChangeWhatItRefuses_data() {
    QTest::addColumn<QString>("kind");
    for (const char *kind : {"empty", "text", "other database", "newer", "half", "holes"}) {
      QTest::newRow(kind) << kind;
    }
  }
  void openingDoesNotChangeWhatItRefuses() {
    QFETCH(QString, kind);
    makeFile(kind);
    const QByteArray before = test::readFile(m_path);
    QVERIFY(!SessionReader::open(m_path.toStdString()));
    QCOMPARE(test::readFile(m_path), before);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
  }

  // ---- creating

  void placesWhereNoSessionCanBeMade_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("message");
    QTest::newRow("no folder") << "%1/missing/s.jitscope"
                               << "the folder \"%1/missing\" does not exist; create it or choose another place";
    QTest::newRow("a file as folder") << "%1/file/s.jitscope" << "\"%1/file\" is not a folder";
    QTest::newRow("a folder's name with slash") << "%1/" << "that names a folder; add a file name, such as run.jitscope";
    QTest::newRow("kernel's folder") << "/proc/s.jitscope" << "nothing can be written in \"/proc\"";
    QTest::newRow("long name") << "%1/" + QString(300, 'x') << "the name is too long; choose a shorter one";
  }
  void placesWhereNoSessionCanBeMade() {
    QFETCH(QString, path);
    QFETCH(QString, message);
    test::writeFile(m_folder->filePath("file"), "x");
    const QString place = path.contains("%1") ? path.arg(m_folder->path()) : path;
    const auto writer = SessionWriter::create(place.toStdString(), test::sampleInfo());
    JS_COMPARE_ERROR(writer, ErrorCode::StorageOpen);
    const QString actual = QString::fromStdString(writer.error().message);
    QVERIFY2(actual.startsWith(QString("cannot create the session \"%1\": ").arg(place)), qPrintable(actual));
    const QString expected = message.contains("%1") ? message.arg(m_folder->path()) : message;
    QVERIFY2(actual.contains(expected), qPrintable(actual));
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{"file"});
  }

  void aFolderWithoutPermissionIsSaidToBeSo() {
    std::filesystem::permissions(m_folder->path().toStdString(), std::filesystem::perms(0555));
    const int status = test::statusOfChild([this] {
      if (!becomeNobody()) {
        return 2;
      }
      const auto writer = SessionWriter::create(m_path.toStdString(), test::sampleInfo());
      return !writer && writer.error().code == ErrorCode::StorageOpen &&
                     writer.error().message.find("no permission to write in the folder") != std::string::npos
                 ? 0
                 : 3;
    });
    std::filesystem::permissions(m_folder->path().toStdString(), std::filesystem::perms(0755));
    QCOMPARE(status, 0);
  }

  void anExistingFileIsKept_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("overwrite");
    QTest::addColumn<QString>("message");
    QTest::newRow("a session") << "session" << false << "it exists already; choose another name, or remove it first";
    QTest::newRow("text") << "text" << false << "it exists already";
    QTest::newRow("text, overwriting") << "text" << true << "is not a Jitscope session, so it is not replaced";
    QTest::newRow("empty, overwriting") << "empty" << true << "is not a Jitscope session, so it is not replaced";
    QTest::newRow("other database, overwriting") << "other database" << true << "is not a Jitscope session, so it is not replaced";
  }
  void anExistingFileIsKept() {
    QFETCH(QString, kind);
    QFETCH(bool, overwrite);
    QFETCH(QString, message);
    makeFile(kind);
    const QByteArray before = test::readFile(m_path);
    const auto writer = SessionWriter::create(m_path.toStdString(), test::sampleInfo(), {.overwrite = overwrite});
    JS_COMPARE_ERROR(writer, ErrorCode::StorageExists);
    const QString actual = QString::fromStdString(writer.error().message);
    QVERIFY2(actual.contains(message) && actual.contains(m_path), qPrintable(actual));
    QCOMPARE(test::readFile(m_path), before);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
  }

  void aFolderIsNeverReplaced() {
    QVERIFY(QDir(m_folder->path()).mkdir("s.jitscope"));
    for (const bool overwrite : {false, true}) {
      const auto writer = SessionWriter::create(m_path.toStdString(), test::sampleInfo(), {.overwrite = overwrite});
      JS_COMPARE_ERROR(writer, ErrorCode::StorageExists);
      QVERIFY(writer.error().message.ends_with("a folder has that name; choose another name"));
    }
  }

  void aSessionIsReplacedWhenAskedTo() {
    JS_VERIFY_RESULT(test::writeSession(m_path.toStdString(), test::sampleRecording()));
    {
      auto writer = SessionWriter::create(m_path.toStdString(), test::sampleInfo(), {.overwrite = true});
      JS_VERIFY_RESULT(writer);
      JS_VERIFY_RESULT((*writer)->finish({}));
    }
    auto reader = SessionReader::open(m_path.toStdString());
    JS_VERIFY_RESULT(reader);
    QVERIFY((*reader)->functions().value().empty());
  }

  void aSessionBeingRecordedIsNotReplaced() {
    auto first = SessionWriter::create(m_path.toStdString(), test::sampleInfo());
    JS_VERIFY_RESULT(first);
    const auto second = SessionWriter::create(m_path.toStdString(), test::sampleInfo(), {.overwrite = true});
    JS_COMPARE_ERROR(second, ErrorCode::StorageExists);
    QVERIFY(second.error().message.find("is recording into it") != std::string::npos);
    JS_VERIFY_RESULT((*first)->finish({}));
  }

  void theLogOfADeletedSessionIsNotTakenForTheNewOnes() {
    // A process was killed, and somebody removed its session but not the log beside it.
    const int status = test::statusOfChild([this] {
      auto writer = SessionWriter::create(m_path.toStdString(), test::sampleInfo());
      const test::Recording recording = test::sampleRecording();
      if (!writer || !(*writer)->write({recording.events, recording.calls})) {
        return 2;
      }
      _exit(0);
    });
    QCOMPARE(status, 0);
    QVERIFY(QFile::exists(m_path + "-wal"));
    QVERIFY(QFile::remove(m_path));
    JS_VERIFY_RESULT(test::writeSession(m_path.toStdString(), {}));
    auto reader = SessionReader::open(m_path.toStdString());
    JS_VERIFY_RESULT(reader);
    QVERIFY((*reader)->functions().value().empty());
  }

private:
  void makeFile(const QString &kind) {
    if (kind == "missing folder") {
      m_path = m_folder->filePath("nowhere/s.jitscope");
    } else if (kind == "folder") {
      QVERIFY(QDir(m_folder->path()).mkdir("s.jitscope"));
    } else if (kind == "empty") {
      test::writeFile(m_path, "");
    } else if (kind == "text") {
      test::writeFile(m_path, QByteArray("This is no session.\n").repeated(50));
    } else if (kind == "short text") {
      test::writeFile(m_path, "no");
    } else if (kind == "device") {
      m_path = "/dev/full";
    } else if (kind == "pipe") {
      QCOMPARE(mkfifo(m_path.toUtf8().constData(), 0600), 0);
    } else if (kind == "other database") {
      test::executeSql(m_path, "CREATE TABLE session(x); INSERT INTO session VALUES(1)");
    } else if (kind != "missing") {
      JS_VERIFY_RESULT(test::writeSession(m_path.toStdString(), test::sampleRecording()));
      spoil(kind);
    }
  }

  void spoil(const QString &kind) {
    if (kind == "newer") {
      test::executeSql(m_path, "PRAGMA user_version=7");
    } else if (kind == "header only") {
      test::writeFile(m_path, test::readFile(m_path).left(60));
    } else if (kind == "half") {
      const QByteArray whole = test::readFile(m_path);
      test::writeFile(m_path, whole.left(whole.size() / 2));
    } else if (kind == "holes") {
      QByteArray content = test::readFile(m_path);
      constexpr qsizetype kPage = 4096;
      for (qsizetype at = 5 * kPage; at + kPage <= content.size(); at += 3 * kPage) {
        content.replace(at, kPage, QByteArray(kPage, '\x5a'));
      }
      test::writeFile(m_path, content);
    } else if (kind == "no tables") {
      test::writeFile(m_path, "");
      test::executeSql(m_path, QString("PRAGMA application_id=1249145699; PRAGMA user_version=%1; CREATE TABLE other(x)")
                                   .arg(session::kSchemaVersion)
                                   .toUtf8()
                                   .constData());
    } else if (kind == "no row") {
      test::executeSql(m_path, "DELETE FROM session");
    } else if (kind == "unknown status") {
      test::executeSql(m_path, "UPDATE session SET status='dancing'");
    }
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  QString m_path;
};

QTEST_GUILESS_MAIN(TestSessionErrors)
#include "tst_session_errors.moc"
