// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "script/script_source.h"

#include <filesystem>
#include <fstream>
#include <string>

using namespace jitscope;
using script::ScriptSource;

class TestScriptSource : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void refusesWhatIsNoScript_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("message");
    QTest::newRow("empty") << QByteArray() << "s.lua: the file is empty";
    QTest::newRow("only a byte order mark") << QByteArray("\xEF\xBB\xBF") << "s.lua: the file is empty";
    QTest::newRow("bytecode") << QByteArray("\x1BLua") << "s.lua: this is compiled Lua; graph scripts are source text";
    QTest::newRow("zero byte") << QByteArray("a = 1\0b", 7) << "s.lua: a binary file (a zero byte at offset 5), not a script";
    QTest::newRow("latin 1") << QByteArray("-- a\n-- caf\xE9\n")
                             << "s.lua:2: not UTF-8: byte 0xE9 at offset 11; save the script as UTF-8";
    QTest::newRow("cut off sequence") << QByteArray("-- \xC3")
                                      << "s.lua:1: not UTF-8: byte 0xC3 at offset 3; save the script as UTF-8";
    QTest::newRow("surrogate") << QByteArray("-- \xED\xA0\x80")
                               << "s.lua:1: not UTF-8: byte 0xED at offset 3; save the script as UTF-8";
    QTest::newRow("overlong") << QByteArray("-- \xC0\xAF") << "s.lua:1: not UTF-8: byte 0xC0 at offset 3; save the script as UTF-8";
  }
  void refusesWhatIsNoScript() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, message);
    const base::Result<ScriptSource> source = script::makeScript("s.lua", bytes.toStdString());
    QVERIFY(!source);
    QCOMPARE(QString::fromStdString(source.error().message), message);
    QCOMPARE(source.error().code, base::ErrorCode::ScriptUnreadable);
  }

  void namesAMissingFile() {
    const base::Result<ScriptSource> source = script::loadScript("/nowhere/at/all.lua");
    QVERIFY(!source);
    QCOMPARE(source.error().message, std::string("/nowhere/at/all.lua: cannot be opened: No such file or directory"));
  }

  void refusesAFolder() {
    const QTemporaryDir folder;
    const base::Result<ScriptSource> source = script::loadScript(folder.path().toStdString());
    QVERIFY(!source);
    QCOMPARE(source.error().message, folder.path().toStdString() + ": a folder, not a script");
  }

  void refusesALargeFileWithoutReadingItWhole() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("large.lua").toStdString();
    std::ofstream(path) << "x";
    std::filesystem::resize_file(path, std::uintmax_t{100} << 20U);
    const base::Result<ScriptSource> source = script::loadScript(path);
    QVERIFY(!source);
    QCOMPARE(source.error().message, path.string() + ": larger than 16.0 MiB, the maximum for a graph script; is it a script?");
  }

  void refusesADeviceThatNeverEnds() { QVERIFY(!script::loadScript("/dev/zero")); }

  void theBoundIsAnOption() {
    QVERIFY(script::makeScript("s.lua", "x = 1", {.maxBytes = 5}));
    const base::Result<ScriptSource> source = script::makeScript("s.lua", "x = 12", {.maxBytes = 5});
    QVERIFY(!source);
    QVERIFY(source.error().message.starts_with("s.lua: larger than 5 bytes"));
  }

  void readsAFileUnchangedAndNamesIt() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("mine.lua").toStdString();
    std::ofstream(path) << "print 'ä'\r\n";
    const base::Result<ScriptSource> source = script::loadScript(path);
    QVERIFY(source);
    QCOMPARE(source->text, std::string("print 'ä'\r\n"));
    QCOMPARE(source->name, std::string("mine.lua"));
    QCOMPARE(source->path, path);
  }

  void hashesTheText() {
    // The digest of "abc" in FIPS 180-2.
    QCOMPARE(script::makeScript("s.lua", "abc")->sha256,
             std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  }

  void luaSeesNeitherMarkNorInterpreterLine_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("seen");
    QTest::newRow("plain") << QByteArray("x = 1\n") << QByteArray("x = 1\n");
    QTest::newRow("mark") << QByteArray("\xEF\xBB\xBFx = 1") << QByteArray("x = 1");
    QTest::newRow("interpreter line") << QByteArray("#!/usr/bin/jitscope\nx = 1") << QByteArray("\nx = 1");
    QTest::newRow("both") << QByteArray("\xEF\xBB\xBF#!j\nx = 1") << QByteArray("\nx = 1");
    QTest::newRow("nothing else") << QByteArray("#!j") << QByteArray("");
  }
  void luaSeesNeitherMarkNorInterpreterLine() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, seen);
    const base::Result<ScriptSource> source = script::makeScript("s.lua", text.toStdString());
    QVERIFY(source);
    QCOMPARE(QByteArray::fromStdString(std::string(luaTextOf(*source))), seen);
    QCOMPARE(source->text, text.toStdString());
  }
};

QTEST_GUILESS_MAIN(TestScriptSource)
#include "tst_script_source.moc"
