// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

/// Files that are no scripts are named for what they are, before anything is recorded.
class TestScriptFiles : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void filesThatAreNoScriptsAreRefused_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("message");
    QTest::newRow("missing") << "missing" << "script.lua: cannot be opened: No such file or directory";
    QTest::newRow("empty") << "empty" << "script.lua: the file is empty";
    QTest::newRow("byte order mark only") << "bom" << "script.lua: the file is empty";
    QTest::newRow("binary") << "binary" << "script.lua: a binary file (a zero byte at offset 7), not a script";
    QTest::newRow("compiled Lua") << "compiled" << "script.lua: this is compiled Lua; graph scripts are source text";
    QTest::newRow("100 MB") << "huge"
                            << "script.lua: larger than 16.0 MiB, the maximum for a graph script; is it a script?";
    QTest::newRow("100 MB of text") << "huge text"
                                    << "script.lua: larger than 16.0 MiB, the maximum for a graph script; is it a script?";
    QTest::newRow("not UTF-8") << "latin1" << "script.lua:2: not UTF-8: byte 0xE9 at offset 22; save the script as UTF-8";
    QTest::newRow("folder") << "folder" << "script.lua: a folder, not a script";
    QTest::newRow("no permission") << "secret" << "script.lua: cannot be opened: Permission denied";
    QTest::newRow("link to nowhere") << "link" << "script.lua: cannot be opened: No such file or directory";
  }
  void filesThatAreNoScriptsAreRefused() {
    QFETCH(QString, kind);
    QFETCH(QString, message);
    const CliRunner runner;
    make(runner, kind);
    const QStringList before = runner.files();
    const CommandOutcome outcome = runner.run({"run", "script.lua", "-o", "s.jitscope"}, {.withoutRootsRights = true});
    JS_COMPARE_STATUS(outcome, 2);
    QCOMPARE(QString::fromUtf8(outcome.errors), "jitscope: " + message + "\n");
    QCOMPARE(outcome.output, QByteArray());
    QCOMPARE(runner.files(), before);
  }

  void theWholePathIsNamed() {
    const CliRunner runner;
    const CommandOutcome outcome = runner.run({"run", runner.path("no/where.lua")});
    JS_COMPARE_STATUS(outcome, 2);
    QCOMPARE(QString::fromUtf8(outcome.errors),
             QString("jitscope: %1: cannot be opened: No such file or directory\n").arg(runner.path("no/where.lua")));
  }

  void theSizeIsAnOption() {
    const CliRunner runner;
    runner.write("script.lua", "print('read')\n--" + QByteArray(2 << 20, 'x'));
    const CommandOutcome small = runner.run({"run", "script.lua", "-o", "s.jitscope", "--set", "script_mib=1"});
    JS_COMPARE_STATUS(small, 2);
    JS_VERIFY_CONTAINS(small.errors, "larger than 1.0 MiB");
    const CommandOutcome large = runner.run({"run", "script.lua", "-o", "s.jitscope", "--set", "script_mib=4"});
    JS_COMPARE_STATUS(large, 0);
    QVERIFY(large.output.startsWith("read\n"));
  }

  void oddButSoundFilesRun_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("blank") << QByteArray("  \n\n");
    QTest::newRow("comment without line break") << QByteArray("-- nothing");
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFlocal x = 1");
    QTest::newRow("first line for the shell") << QByteArray("#!/usr/bin/env -S jitscope run\nlocal x = 1");
    QTest::newRow("line breaks of Windows") << QByteArray("local x = 1\r\nlocal y = 2\r\n");
    QTest::newRow("UTF-8 in strings") << QByteArray("section 'Größe → 2'");
  }
  void oddButSoundFilesRun() {
    QFETCH(QByteArray, content);
    const CliRunner runner;
    const CommandOutcome outcome = runner.runScript(content);
    JS_COMPARE_STATUS(outcome, 0);
    QCOMPARE(runner.status(), "finished");
    QCOMPARE(QString::fromUtf8(outcome.errors), "Session: s.jitscope\n");
  }

private:
  static void make(const CliRunner &runner, const QString &kind) {
    const QString path = runner.path("script.lua");
    if (kind == "empty") {
      runner.write("script.lua", "");
    } else if (kind == "bom") {
      runner.write("script.lua", "\xEF\xBB\xBF");
    } else if (kind == "binary") {
      runner.write("script.lua", QByteArray("\x7f"
                                            "ELF\x02\x01\x01\x00\x00",
                                            9));
    } else if (kind == "compiled") {
      runner.write("script.lua", QByteArray("\x1bLuaT\x00\x19\x93", 8));
    } else if (kind == "huge") {
      runner.write("script.lua", "");
      QVERIFY(QFile::resize(path, 100'000'000));
    } else if (kind == "huge text") {
      runner.write("script.lua", QByteArray(100'000'000, '\n'));
    } else if (kind == "latin1") {
      runner.write("script.lua", "print('a')\nlocal x = '\xe9'\n");
    } else if (kind == "folder") {
      QVERIFY(QDir(runner.folder()).mkdir("script.lua"));
    } else if (kind == "secret") {
      runner.write("script.lua", "print('a')\n");
      QVERIFY(QFile::setPermissions(path, QFileDevice::WriteOwner));
    } else if (kind == "link") {
      QVERIFY(QFile::link(runner.path("nowhere"), path));
    }
  }
};

QTEST_GUILESS_MAIN(TestScriptFiles)
#include "tst_script_files.moc"
