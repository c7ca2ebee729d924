// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"
#include "support/code/bitcode.h"
#include "support/code/module_samples.h"
#include "support/sanitizers.h"

using namespace jitscope::test;

namespace {

QByteArray bitcodeBytes() { return QByteArray::fromStdString(bitcodeOf(kInnerModule)); }

} // namespace

/// Modules that are not what they should be: one clear error each, and a session that opens.
class ModulesTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void badModulesAreRefused_data();
  void badModulesAreRefused();
  void whatNoPipelineCanImproveIsSaid_data();
  void whatNoPipelineCanImproveIsSaid();
  void flippedBitsLeaveASessionThatOpens_data();
  void flippedBitsLeaveASessionThatOpens();
  void unreadableInputLeavesAnOlderSession();
  void aScriptGoesOnAfterARefusal();
  void aScriptThatFailsOverModulesKeepsItsSession_data();
  void aScriptThatFailsOverModulesKeepsItsSession();
  void tenThousandFunctionsAreStudied();

private:
  CliRunner m_runner;
};

void ModulesTest::badModulesAreRefused_data() {
  QTest::addColumn<QByteArray>("first");
  QTest::addColumn<QByteArray>("second");
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("message");
  const QByteArray inner = kInnerModule;
  const QByteArray outer = kOuterModule;
  const QByteArray bitcode = bitcodeBytes();
  QTest::addRow("missing") << QByteArray() << QByteArray() << QStringList{"nowhere.bc"}
                           << QByteArray("nowhere.bc: No such file or directory");
  QTest::addRow("a folder") << QByteArray() << QByteArray() << QStringList{"."} << QByteArray(".: this is not a regular file");
  QTest::addRow("empty") << QByteArray() << QByteArray() << QStringList{"empty.bc"} << QByteArray("empty.bc: the file is empty");
  QTest::addRow("text named .bc") << QByteArray("Dear reader,\n") << QByteArray() << QStringList{"first.bc"}
                                  << QByteArray("first.bc: this is not bitcode (it does not begin with \"BC\")");
  QTest::addRow("truncated bitcode") << bitcode.left(bitcode.size() / 2) << QByteArray() << QStringList{"first.bc"}
                                     << QByteArray("first.bc: damaged bitcode, or of a newer LLVM: ");
  QTest::addRow("the magic alone") << bitcode.left(4) << QByteArray() << QStringList{"first.bc"} << QByteArray("first.bc: ");
  if (!kIsSanitized) { // which makes an exit status of the crash, and takes minutes for it
    constexpr int kDepth = 300'000;
    QTest::addRow("a type that is nested too deeply for LLVM")
        << "@x = global " + QByteArray(kDepth, '{') + QByteArray(kDepth, '}') + " zeroinitializer\n"
        << QByteArray() << QStringList{"first.ll"}
        << QByteArray("LLVM crashed while it read the modules: the process was ended by signal ");
  }
  QTest::addRow("syntax error") << QByteArray("define i64 @f(i64 %x) {\n  ret i64 %y\n}\n") << QByteArray()
                                << QStringList{"first.ll"}
                                << QByteArray("first.ll:2:11: use of undefined value '%y'\n    ret i64 %y");
  QTest::addRow("module that LLVM refuses")
      << QByteArray(
             "define i64 @f(i64 %x) {\nentry:\n  br label %next\nnext:\n  %y = phi i64 [ %x, %entry ], [ 1, %next ]\n  ret i64 "
             "%y\n}\n")
      << QByteArray() << QStringList{"first.ll"} << QByteArray("first.ll: LLVM refuses the module: ");
  QTest::addRow("two definitions") << inner << inner << QStringList{"first.ll", "second.ll"}
                                   << QByteArray("first.ll and second.ll both define inner");
  QTest::addRow("named twice") << inner << QByteArray() << QStringList{"first.ll", "./first.ll"}
                               << QByteArray("./first.ll: the file is named twice");
  QTest::addRow("two targets") << inner
                               << QByteArray("target triple = \"aarch64-unknown-linux-gnu\"\ndefine void @g() {\n  ret void\n}\n")
                               << QStringList{"first.ll", "second.ll"}
                               << QByteArray("second.ll is for aarch64-unknown-linux-gnu, but first.ll is for x86_64-pc-linux-gnu");
  QTest::addRow("unknown target") << inner << QByteArray() << QStringList{"first.ll", "--triple", "pdp11-dec-unix"}
                                  << QByteArray("no code generator for pdp11-dec-unix");
  QTest::addRow("unknown cpu") << inner << QByteArray() << QStringList{"first.ll", "--cpu", "skylark"}
                               << QByteArray("unknown cpu \"skylark\"; did you mean skylake");
  QTest::addRow("root that is not there") << inner << outer << QStringList{"first.ll", "second.ll", "--root", "outre"}
                                          << QByteArray("there is no function outre; the nearest are outer, inner");
  QTest::addRow("two roots") << inner << QByteArray("define void @g() {\n  ret void\n}\n") << QStringList{"first.ll", "second.ll"}
                             << QByteArray("2 functions could be the root; name one with --root, in a script root = \"NAME\" of "
                                           "modules{}:\n  inner in first.ll\n  g in second.ll\n");
  QTest::addRow("no function") << QByteArray("@x = global i64 0\ndeclare void @f()\n") << QByteArray() << QStringList{"first.ll"}
                               << QByteArray("the modules define no function");
  QTest::addRow("unknown pipeline") << inner << QByteArray() << QStringList{"first.ll", "--pipelines", "deferred,late"}
                                    << QByteArray(
                                           "there is no pipeline 'late'; there are: per-function, deferred, pre-link, separate");
  QTest::addRow("pipeline twice") << inner << QByteArray() << QStringList{"first.ll", "--pipelines", "deferred,deferred"}
                                  << QByteArray("the pipeline deferred is named twice");
  QTest::addRow("unknown option") << inner << QByteArray() << QStringList{"first.ll", "--set", "slpp=false"} << QByteArray("slpp");
}

void ModulesTest::badModulesAreRefused() {
  QFETCH(QByteArray, first);
  QFETCH(QByteArray, second);
  QFETCH(QStringList, arguments);
  QFETCH(QByteArray, message);
  m_runner.write("empty.bc", "");
  m_runner.write("first.ll", first);
  m_runner.write("first.bc", first);
  m_runner.write("second.ll", second);
  const CommandOutcome outcome = m_runner.run(QStringList{"study", "-o", "none.jitscope"} + arguments);
  JS_COMPARE_STATUS(outcome, 2);
  JS_VERIFY_CONTAINS(outcome.errors, message);
  QVERIFY2(!outcome.output.contains("Session:") && !outcome.errors.contains("Session:"), outcome.description().constData());
  QVERIFY(!QFile::exists(m_runner.path("none.jitscope")));
}

void ModulesTest::whatNoPipelineCanImproveIsSaid_data() {
  QTest::addColumn<QByteArray>("module");
  QTest::addColumn<QByteArray>("note");
  QTest::addRow("optnone") << QByteArray("define i64 @f(i64 %x) noinline optnone {\n  ret i64 %x\n}\n")
                           << QByteArray("every function is marked optnone");
  QTest::addRow("noinline") << QByteArray("define i64 @f(i64 %x) {\n  %y = call i64 @g(i64 %x)\n  ret i64 %y\n}\n"
                                          "define internal i64 @g(i64 %x) noinline {\n  ret i64 %x\n}\n")
                            << QByteArray("1 of 2 functions is marked noinline: no pipeline may inline it");
  QTest::addRow("undefined")
      << QByteArray("declare i64 @far(i64)\ndefine i64 @f(i64 %x) {\n  %y = call i64 @far(i64 %x)\n  ret i64 %y\n}\n")
      << QByteArray("1 symbol is defined nowhere (far)");
  QTest::addRow("one module") << QByteArray("define i64 @f(i64 %x) {\n  ret i64 %x\n}\n")
                              << QByteArray("there is one module and nothing to link");
}

void ModulesTest::whatNoPipelineCanImproveIsSaid() {
  QFETCH(QByteArray, module);
  QFETCH(QByteArray, note);
  m_runner.write("first.ll", module);
  const CommandOutcome outcome = m_runner.run({"study", "first.ll", "-o", "s.jitscope", "--overwrite", "--repetitions", "0"});
  JS_COMPARE_STATUS(outcome, 0);
  JS_VERIFY_CONTAINS(m_runner.query("SELECT group_concat(message) FROM study_note").toUtf8(), note);
  JS_VERIFY_CONTAINS(outcome.output, note.left(30));
}

void ModulesTest::flippedBitsLeaveASessionThatOpens_data() {
  QTest::addColumn<int>("bit");
  const int bits = static_cast<int>(bitcodeBytes().size()) * 8;
  for (int i = 0; i < 16; ++i) {
    const int bit = 32 + i * (bits - 64) / 16;
    QTest::addRow("bit %d", bit) << bit;
  }
}

void ModulesTest::flippedBitsLeaveASessionThatOpens() {
  QFETCH(int, bit);
  QByteArray bytes = bitcodeBytes();
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
  m_runner.write("first.bc", bytes);
  QFile::remove(m_runner.path("s.jitscope"));
  const CommandOutcome outcome =
      m_runner.run({"study", "first.bc", "-o", "s.jitscope", "--repetitions", "0", "--pipelines", "deferred", "--timeout", "60"});
  // Some flips are harmless; the others are an error of the input or a crash of LLVM's, told in words.
  QVERIFY2(outcome.exitStatus == 0 || outcome.exitStatus == 1 || outcome.exitStatus == 2, outcome.description().constData());
  QVERIFY2(outcome.exitStatus == 0 || outcome.errors.startsWith("jitscope: "), outcome.description().constData());
  if (QFile::exists(m_runner.path("s.jitscope"))) {
    QVERIFY2(m_runner.status() == (outcome.exitStatus == 0 ? "finished" : "failed"), m_runner.status().toUtf8().constData());
  } else {
    QVERIFY2(outcome.exitStatus != 0 && !outcome.output.contains("Session:"), outcome.description().constData());
  }
}

void ModulesTest::unreadableInputLeavesAnOlderSession() {
  m_runner.write("good.ll", kInnerModule);
  m_runner.write("bad.bc", "no bitcode at all");
  const QString path = m_runner.path("older.jitscope");
  JS_COMPARE_STATUS(m_runner.run({"study", "good.ll", "-o", "older.jitscope", "--repetitions", "0", "--pipelines", "deferred"}), 0);
  const auto bytes = [&path] {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  };
  const QByteArray before = bytes();
  QVERIFY(!before.isEmpty());
  JS_COMPARE_STATUS(m_runner.run({"study", "bad.bc", "-o", "older.jitscope", "--overwrite"}), 2);
  QCOMPARE(bytes(), before);
}

void ModulesTest::aScriptGoesOnAfterARefusal() {
  m_runner.write("first.bc", "no bitcode at all");
  const CommandOutcome outcome = m_runner.runScript(R"lua(
print("before", pcall(study, { modules { "first.bc" } }))
local f = fn("f", function(x) return x + 1 end)
print("after", f(ones({ 2 }, "f32")):to_table()[1])
)lua",
                                                    {"--overwrite"});
  JS_COMPARE_STATUS(outcome, 0);
  JS_VERIFY_CONTAINS(outcome.output, "before\tfalse\t");
  JS_VERIFY_CONTAINS(outcome.output, "this is not bitcode");
  JS_VERIFY_CONTAINS(outcome.output, "after\t2.0");
}

void ModulesTest::aScriptThatFailsOverModulesKeepsItsSession_data() {
  QTest::addColumn<QByteArray>("module");
  QTest::addColumn<QByteArray>("message");
  const QByteArray bitcode = bitcodeBytes();
  QTest::addRow("missing") << QByteArray() << QByteArray("first.bc: No such file or directory");
  QTest::addRow("text") << QByteArray("no bitcode at all") << QByteArray("first.bc: this is not bitcode");
  QTest::addRow("truncated") << bitcode.left(bitcode.size() / 2) << QByteArray("first.bc: damaged bitcode, or of a newer LLVM: ");
}

void ModulesTest::aScriptThatFailsOverModulesKeepsItsSession() {
  QFETCH(QByteArray, module);
  QFETCH(QByteArray, message);
  const CliRunner runner;
  if (!module.isEmpty()) {
    runner.write("first.bc", module);
  }
  const CommandOutcome outcome =
      runner.runScript("local f = fn('f', function(x) return x + 1 end)\nf(ones{2})\nstudy{modules{'first.bc'}}\n");
  JS_COMPARE_STATUS(outcome, 1);
  JS_VERIFY_CONTAINS(outcome.errors, "script.lua:3: " + message);
  JS_VERIFY_CONTAINS(outcome.errors, "Session: s.jitscope");
  QCOMPARE(runner.status(), "failed");
  QCOMPARE(runner.query("SELECT count(*) FROM call"), "2");
  QCOMPARE(runner.query("SELECT count(*) FROM study"), "0");
}

void ModulesTest::tenThousandFunctionsAreStudied() {
  constexpr int kFunctions = kIsSanitized ? 2'000 : 10'000; // the latter take a sanitizer minutes
  m_runner.write("wide.ll", QByteArray::fromStdString(wideModule(kFunctions)));
  const CommandOutcome outcome = m_runner.run(
      {"study", "wide.ll", "-o", "s.jitscope", "--overwrite", "--repetitions", "0", "--pipelines", "deferred", "--root", "first"});
  JS_COMPARE_STATUS(outcome, 0);
  JS_VERIFY_CONTAINS(outcome.output, QByteArray::number(kFunctions + 1) + " functions are too many to record their passes and IR");
  QCOMPARE(m_runner.query("SELECT count(*) FROM function"), QString::number(kFunctions + 1));
  QCOMPARE(m_runner.query("SELECT count(*) FROM ir"), "0");
}

QTEST_GUILESS_MAIN(ModulesTest)
#include "tst_modules.moc"
