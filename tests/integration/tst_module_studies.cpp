// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"

using namespace jitscope::test;

namespace {

QString sample(const char *name) { return QStringLiteral(JITSCOPE_SOURCE_DIR "/tests/support/code/ir/modules/") + name; }

} // namespace

/// What a study of modules compiles, for which CPU, and what it says about that.
class ModuleStudiesTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void visibleVariablesStayUnderEveryPipeline_data();
  void visibleVariablesStayUnderEveryPipeline();
  void theNotesSayWhatWasAssumed();
  void onlyWhatTheRootReachesIsCompiled();
  void whatIsLeftOutIsNamedAndCounted();
  void stateOfAModuleStaysOne();
  void functionsWithoutACpuTakeTheOneOfTheOthers();
  void cpusThatDifferAreNamedWithTheirFunctions();
  void anAskedCpuDecidesForAll();
  void aForeignTargetHasNoEmptyFields();
  void refusedInliningIsInTheNotes();
  void vendorsAreNoDifference();
  void instructionCountsAgreeWithEqualCode();
  void candidatesForTheRootAreListed();
  void aWrapperIsNoCandidate();

private:
  [[nodiscard]] CommandOutcome study(const QStringList &arguments) const {
    return m_runner.run(QStringList{"study", "-o", "s.jitscope", "--overwrite", "--repetitions", "0"} + arguments);
  }
  [[nodiscard]] QByteArray notes() const {
    return m_runner.query("SELECT group_concat(message, '\n') FROM (SELECT message FROM study_note ORDER BY id)").toUtf8();
  }
  /// The code of a function in the end, under a pipeline.
  [[nodiscard]] QString code(const QString &pipeline, const char *function) const {
    return m_runner.query(QStringLiteral("SELECT i.text FROM ir_snapshot s JOIN ir i ON i.id = s.ir_id JOIN compile c ON c.id = "
                                         "s.compile_id JOIN function f ON f.id = s.function_id WHERE s.stage = 'final' AND "
                                         "c.pipeline = '%1' AND f.name = '%2'")
                              .arg(pipeline, function)
                              .toUtf8()
                              .constData());
  }
  static QStringList pipelines() { return {"per-function", "deferred", "pre-link", "separate"}; }

  CliRunner m_runner;
};

void ModuleStudiesTest::visibleVariablesStayUnderEveryPipeline_data() {
  QTest::addColumn<QString>("pipeline");
  for (const QString &pipeline : pipelines()) {
    QTest::newRow(qPrintable(pipeline)) << pipeline;
  }
}

void ModuleStudiesTest::visibleVariablesStayUnderEveryPipeline() {
  QFETCH(QString, pipeline);
  JS_COMPARE_STATUS(study({sample("shared_state.ll"), "--root", "root", "--pipelines", pipeline}), 0);
  const QString root = code(pipeline, "root");
  QVERIFY2(root.contains(QRegularExpression("store <\\d+ x i64> ")), qPrintable(root));
  for (const char *variable : {"@table", "@elsewhere", "@tentative", "@zero", "@weak", "@perthread", "@setting", "@operations"}) {
    QVERIFY2(root.contains(variable), qPrintable(variable + (" is gone:\n" + root)));
  }
  QCOMPARE(m_runner.query("SELECT count(*) FROM remark WHERE pass = 'loop-vectorize' AND kind = 'passed'"), "1");
}

void ModuleStudiesTest::theNotesSayWhatWasAssumed() {
  JS_COMPARE_STATUS(study({sample("shared_state.ll"), "--root", "root", "--pipelines", "deferred"}), 0);
  JS_VERIFY_CONTAINS(notes(),
                     "1 variable of one module alone is treated as visible, because code that was left out uses it: setting");
  JS_VERIFY_CONTAINS(notes(), "6 variables are visible outside and stay so under every pipeline: operations, perthread, table");
  JS_VERIFY_CONTAINS(notes(), "1 symbol is defined nowhere (elsewhere): what it stands for stays unknown to every pipeline");
  JS_COMPARE_STATUS(study({sample("reach.ll"), "--root", "root", "--pipelines", "deferred"}), 0);
  JS_VERIFY_CONTAINS(notes(), "deferred and pre-link assume that nothing outside these modules calls 3 functions (aliased, direct "
                              "and virtual): they become internal there");
}

void ModuleStudiesTest::onlyWhatTheRootReachesIsCompiled() {
  const CommandOutcome outcome = study({sample("reach.ll"), "--root", "root"});
  JS_COMPARE_STATUS(outcome, 0);
  for (const QString &pipeline : pipelines()) {
    QCOMPARE(
        m_runner.query(QStringLiteral("SELECT group_concat(name) FROM (SELECT DISTINCT f.name FROM function_work w JOIN function "
                                      "f ON f.id = w.function_id JOIN compile c ON c.id = w.compile_id WHERE c.pipeline = '%1' "
                                      "ORDER BY f.name)")
                           .arg(pipeline)
                           .toUtf8()
                           .constData()),
        "aliased,construct,direct,kept,root,virtual");
    // Both stay what they are under every pipeline: nothing calls them.
    QVERIFY2(!code(pipeline, "virtual").isEmpty(), qPrintable(pipeline));
    QVERIFY2(!code(pipeline, "kept").isEmpty(), qPrintable(pipeline));
  }
  QCOMPARE(m_runner.query("SELECT count(*) FROM function WHERE name LIKE 'unused%'"), "0");
  QCOMPARE(m_runner.query("SELECT count(*) FROM remark WHERE pass = 'loop-vectorize'"), "0");
  QCOMPARE(m_runner.query("SELECT count(DISTINCT instructions_before) FROM study_result"), "1");
}

void ModuleStudiesTest::whatIsLeftOutIsNamedAndCounted() {
  const CommandOutcome outcome = study({sample("reach.ll"), "--root", "root", "--pipelines", "separate"});
  JS_COMPARE_STATUS(outcome, 0);
  JS_VERIFY_CONTAINS(outcome.output, "2 functions that the root does not reach were left out: unused and unused_helper");
  JS_VERIFY_CONTAINS(notes(), "2 functions that the root does not reach are compiled anyway, because llvm.used or a list of "
                              "constructors names them: kept and construct");
  JS_COMPARE_STATUS(study({sample("reach.ll"), "--root", "unused_helper", "--pipelines", "separate"}), 0);
  JS_VERIFY_CONTAINS(notes(), "5 functions that the root does not reach were left out: root, virtual, aliased, direct and unused");
  QCOMPARE(m_runner.query("SELECT code_bytes > 0 FROM study_result"), "1"); // though it is seen in its module alone
}

void ModuleStudiesTest::stateOfAModuleStaysOne() {
  JS_COMPARE_STATUS(study({sample("state_of_callee.ll"), sample("state_of_caller.ll")}), 0);
  QCOMPARE(m_runner.query("SELECT name FROM study"), "caller");
  QCOMPARE(m_runner.query("SELECT sum(error <> '') FROM study_result"), "0");
  for (const QString &pipeline : {QStringLiteral("per-function"), QStringLiteral("deferred")}) {
    // Both counters are still there, and are two.
    const QString caller = code(pipeline, "caller");
    QCOMPARE(caller.count("store i64"), 2);
    QCOMPARE(caller.count(QRegularExpression("load i64, ptr @counter\\b")), 2);
  }
}

void ModuleStudiesTest::functionsWithoutACpuTakeTheOneOfTheOthers() {
  const CommandOutcome outcome = study({sample("cpu_none.ll"), sample("cpu_x86_64.ll")});
  JS_COMPARE_STATUS(outcome, 0);
  QCOMPARE(m_runner.query("SELECT cpu, cpu_features FROM study"), "x86-64|");
  JS_VERIFY_CONTAINS(outcome.output, " · x86-64 · opt=3 ");
  JS_VERIFY_CONTAINS(notes(),
                     "1 of 2 functions names the CPU x86-64; the 1 that names none is compiled for it, too; --cpu decides for all");
  QVERIFY2(!notes().contains("never inlined"), notes().constData());
  QVERIFY(code("deferred", "caller").contains("mul i64"));
}

void ModuleStudiesTest::cpusThatDifferAreNamedWithTheirFunctions() {
  const CommandOutcome outcome = study({sample("cpu_haswell.ll"), sample("cpu_x86_64.ll")});
  JS_COMPARE_STATUS(outcome, 0);
  QCOMPARE(m_runner.query("SELECT cpu, cpu_features FROM study"), "haswell (callee), x86-64 (caller)|");
  JS_VERIFY_CONTAINS(notes(), "the functions name different CPUs, which they keep: haswell (callee) and x86-64 (caller)");
  JS_VERIFY_CONTAINS(notes(), "never inlined, since the callee is for haswell and the caller for x86-64, which lacks ");
  JS_VERIFY_CONTAINS(notes(), "avx2");
  JS_VERIFY_CONTAINS(notes(), ": callee into caller");
  QVERIFY(code("deferred", "caller").contains("call"));
  // The same is what the inliner says.
  QVERIFY(m_runner.query("SELECT count(*) FROM remark WHERE pass = 'inline' AND message LIKE '%conflicting attributes%'") != "0");
}

void ModuleStudiesTest::anAskedCpuDecidesForAll() {
  JS_COMPARE_STATUS(study({sample("cpu_haswell.ll"), sample("cpu_x86_64.ll"), "--cpu", "x86-64-v3"}), 0);
  QCOMPARE(m_runner.query("SELECT cpu, cpu_features FROM study"), "x86-64-v3|");
  JS_VERIFY_CONTAINS(notes(), "2 of 2 functions name a CPU of their own, which --cpu x86-64-v3 overrides");
  QVERIFY2(!notes().contains("never inlined"), notes().constData());
}

void ModuleStudiesTest::aForeignTargetHasNoEmptyFields() {
  m_runner.write("a.ll", "target triple = \"aarch64-unknown-linux-gnu\"\ndefine i64 @f(i64 %x) {\n  ret i64 %x\n}\n");
  const CommandOutcome outcome = study({"a.ll"});
  JS_COMPARE_STATUS(outcome, 0);
  JS_VERIFY_CONTAINS(outcome.output, "aarch64-unknown-linux-gnu · generic · opt=3 ");
}

void ModuleStudiesTest::refusedInliningIsInTheNotes() {
  JS_COMPARE_STATUS(study({sample("refused.ll"), "--pipelines", "deferred"}), 0);
  JS_VERIFY_CONTAINS(notes(), "never inlined, since the callee is marked noinline: marked into root");
  JS_VERIFY_CONTAINS(notes(), "never inlined, since the call is marked noinline: plain into root");
  JS_VERIFY_CONTAINS(notes(),
                     "never inlined, since the callee is marked sanitize_address and the caller is not: sanitized into root");
  JS_VERIFY_CONTAINS(notes(),
                     "never inlined, since the callee is marked null_pointer_is_valid and the caller is not: strict into root");
  // Nothing else is refused.
  QCOMPARE(notes().count("never inlined"), 4);
}

void ModuleStudiesTest::vendorsAreNoDifference() {
  // One is for "unknown", one for "pc".
  JS_COMPARE_STATUS(study({sample("cpu_none.ll"), sample("cpu_x86_64.ll"), "--triple", "x86_64-redhat-linux-gnu"}), 0);
  QVERIFY2(!notes().contains("is for x86_64"), notes().constData());
}

void ModuleStudiesTest::instructionCountsAgreeWithEqualCode() {
  const CommandOutcome outcome = study({sample("state_of_caller.ll"), "--root", "helper", "--json"});
  JS_COMPARE_STATUS(outcome, 0);
  const QJsonArray studied = QJsonDocument::fromJson(outcome.output)["optimizer"]["studies"][0]["pipelines"].toArray();
  QCOMPARE(studied.size(), 4);
  for (const QJsonValue &pipeline : studied) {
    // There is one function: LLVM's own count is that of its text.
    QCOMPARE(pipeline["root_instructions"].toInt(), pipeline["instructions_after"].toInt());
    QVERIFY(pipeline["root_instructions"].toInt() > 0);
  }
  const CommandOutcome two = study({sample("reach.ll"), "--root", "root"});
  JS_COMPARE_STATUS(two, 0);
  JS_VERIFY_CONTAINS(two.output, "per-function and separate produced the same instructions for root");
  QCOMPARE(m_runner.query("SELECT count(DISTINCT instructions_after) FROM study_result WHERE pipeline IN ('per-function', "
                          "'separate')"),
           "1");
}

void ModuleStudiesTest::candidatesForTheRootAreListed() {
  const CommandOutcome outcome = m_runner.run({"study", "-o", "none.jitscope", sample("shared_state.ll"), sample("cpu_none.ll")});
  JS_COMPARE_STATUS(outcome, 2);
  JS_VERIFY_CONTAINS(outcome.errors, "3 functions could be the root; name one with --root");
  for (const char *line : {"\n  root in ", "\n  configure in ", "\n  callee in "}) {
    JS_VERIFY_CONTAINS(outcome.errors, line);
  }
  QVERIFY(!QFile::exists(m_runner.path("none.jitscope")));
}

void ModuleStudiesTest::aWrapperIsNoCandidate() {
  m_runner.write("wrapped.ll",
                 "define i64 @_ZN3lib1fEv(i64 %x) {\n  %y = mul i64 %x, 3\n  ret i64 %y\n}\n"
                 "define i64 @_ZN7wrapper3lib1fEv(i64 %x) {\n  %y = call i64 @_ZN3lib1fEv(i64 %x)\n  ret i64 %y\n}\n");
  JS_COMPARE_STATUS(study({"wrapped.ll", "--pipelines", "deferred"}), 0);
  QCOMPARE(m_runner.query("SELECT name FROM study"), "lib::f");
  JS_COMPARE_STATUS(study({"wrapped.ll", "--pipelines", "deferred", "--root", "f"}), 0);
  QCOMPARE(m_runner.query("SELECT name FROM study"), "lib::f");
  m_runner.write("overloaded.ll", "define i64 @_Z1gi(i64 %x) {\n  ret i64 %x\n}\ndefine i64 @_Z1gd(i64 %x) {\n  ret i64 %x\n}\n");
  const CommandOutcome outcome = study({"overloaded.ll", "--root", "g"});
  JS_COMPARE_STATUS(outcome, 2);
  JS_VERIFY_CONTAINS(outcome.errors, "2 functions have the name g; name one by its symbol:\n  _Z1gi in overloaded.ll\n  _Z1gd in ");
}

QTEST_GUILESS_MAIN(ModuleStudiesTest)
#include "tst_module_studies.moc"
