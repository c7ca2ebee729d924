// SPDX-License-Identifier: GPL-3.0-or-later
// First, since moc of Qt 6.4 cannot parse some standard headers otherwise.
#include <QtTest>

#include "support/cli_runner.h"
#include "support/code/module_samples.h"

using namespace jitscope::test;

namespace {

/// A loop over a function of two results: vectorizing the function first keeps the loop scalar.
constexpr const char *kScript = R"lua(
local inner = fn("inner", function(a, b, c)
  return exp((a / b) / b), exp(((a / b) * c) / b)
end)
local outer = fn("outer", function(a, b, c)
  return map(inner, a, b, c)
end)
local a, b, c = normal({ 1000 }, "f64", 1), normal({ 1000 }, "f64", 2), normal({ 1000 }, "f64", 3)
local found = study { outer, a, b, c, repetitions = 2 }
for _, one in ipairs(found) do print("found", one.pipeline, one.vectorized_loops, one.equal, one.compile_ns > 0, one.execute_ns > 0) end
expect.vectorized { outer, min_width = 4, pipeline = "deferred" }
expect.vectorized { outer, pipeline = "pre-link" }
)lua";

} // namespace

/// The same functions under four pipelines, from scripts and from modules, and what sessions say of it.
class StudiesTest : public QObject {
  Q_OBJECT
private Q_SLOTS:
  void aScriptStudiesItsFunction();
  void theCalleesVectorsKeepTheCallersLoopScalar();
  void resultsAgreeAndAreTimed();
  void whatWasAskedForIsRecorded();
  void aStudyLeavesTheCacheAlone();
  void anUnmetExpectationFailsTheRun();
  void modulesShowTheSame_data();
  void modulesShowTheSame();
  void modulesFromAScriptBelongToItsSection();
  void aRootNarrowsTheStudy();
  void modulesForAnotherMachineAreCompiledForIt();
  void aModuleWithoutTargetGetsThisMachines();
  void modulesThatNeedEachOtherAreOne();
  void copiesInSeveralModulesAreKeptOnce();
  void thePipelineIsChosenForARunOrFromThereOn();

private:
  void loopsOf(const char *pipeline, const QString &kinds);
  [[nodiscard]] CommandOutcome study(const QStringList &arguments) const;

  CliRunner m_runner;
};

/// The remarks of the loop vectorizer about `outer` under a pipeline.
void StudiesTest::loopsOf(const char *pipeline, const QString &kinds) {
  const QByteArray sql =
      QByteArray("SELECT group_concat(message, ' | ') FROM (SELECT DISTINCT r.message FROM remark r JOIN compile c "
                 "ON c.id = r.compile_id JOIN function f ON f.id = r.function_id WHERE r.pass = 'loop-vectorize' "
                 "AND f.name = 'outer' AND c.pipeline = '") +
      pipeline + "' AND (r.name = 'Vectorized' OR r.name LIKE 'Cant%') ORDER BY r.id)";
  QCOMPARE(m_runner.query(sql.constData()), kinds);
}

CommandOutcome StudiesTest::study(const QStringList &arguments) const {
  return m_runner.run(QStringList{"study", "-o", "s.jitscope", "--overwrite", "--repetitions", "1"} + arguments);
}

void StudiesTest::aScriptStudiesItsFunction() {
  const CommandOutcome outcome = m_runner.runScript(kScript);
  JS_COMPARE_STATUS(outcome, 0);
  QCOMPARE(m_runner.status(), "finished");
  JS_VERIFY_CONTAINS(outcome.output, "found\tper-function\t0\ttrue\ttrue\ttrue");
  JS_VERIFY_CONTAINS(outcome.output, "found\tdeferred\t1\ttrue\ttrue\ttrue");
  JS_VERIFY_CONTAINS(outcome.output, "found\tpre-link\t1\ttrue\ttrue\ttrue");
  JS_VERIFY_CONTAINS(outcome.output, "found\tseparate\t0\ttrue\ttrue\ttrue");
  QCOMPARE(m_runner.query("SELECT name, is_modules, line FROM study"), "outer|0|9");
  QCOMPARE(m_runner.query("SELECT group_concat(pipeline) FROM (SELECT pipeline FROM study_result ORDER BY position)"),
           "per-function,deferred,pre-link,separate");
  QCOMPARE(m_runner.query("SELECT count(*), sum(passed) FROM expectation"), "3|3");
}

void StudiesTest::theCalleesVectorsKeepTheCallersLoopScalar() {
  loopsOf("per-function", "loop not vectorized: instruction return type cannot be vectorized");
  loopsOf("deferred", "vectorized loop (vectorization width: 4, interleaved count: 1)");
  loopsOf("pre-link", "vectorized loop (vectorization width: 4, interleaved count: 1)");
  loopsOf("separate", "loop not vectorized: call instruction cannot be vectorized");
  // The callee's own vectors are the reason.
  QCOMPARE(m_runner.query("SELECT count(*) > 0 FROM remark r JOIN compile c ON c.id = r.compile_id JOIN function f ON f.id = "
                          "r.function_id WHERE c.pipeline = 'per-function' AND r.pass = 'slp-vectorizer' AND r.kind = 'passed' AND "
                          "f.name = 'inner' AND r.unit_id = f.id AND r.line = 3"),
           "1");
  // A remark names the function that was inlined by its id.
  QCOMPARE(m_runner.query("SELECT count(*) > 0, count(DISTINCT f.name), min(f.name) FROM remark r JOIN function f ON f.id = "
                          "r.callee_id WHERE r.pass = 'inline' AND r.kind = 'passed'"),
           "1|1|inner");
  QCOMPARE(m_runner.query("SELECT i.text LIKE '%<2 x double>%' FROM ir_snapshot s JOIN ir i ON i.id = s.ir_id JOIN compile c ON "
                          "c.id = s.compile_id JOIN function f ON f.id = s.function_id WHERE c.pipeline = 'per-function' AND "
                          "s.stage = 'final' AND f.name = 'inner'"),
           "1");
}

void StudiesTest::resultsAgreeAndAreTimed() {
  QCOMPARE(
      m_runner.query("SELECT count(*), sum(is_executed), sum(is_equal), max(max_ulp <= ulp_bound), max(error) FROM study_result"),
      "4|4|4|1|");
  QCOMPARE(m_runner.query("SELECT count(DISTINCT pipeline), min(calls) >= 1, min(execute_ns) > 0 FROM study_run"), "4|1|1");
  // One in detail and two timed, in turns.
  QCOMPARE(
      m_runner.query("SELECT group_concat(pipeline || repetition, ' ') FROM (SELECT * FROM compile ORDER BY id)"),
      "per-function0 deferred0 pre-link0 separate0 per-function1 deferred1 pre-link1 separate1 per-function2 deferred2 pre-link2 "
      "separate2");
}

void StudiesTest::whatWasAskedForIsRecorded() {
  QCOMPARE(m_runner.query("SELECT count(*) FROM pass p JOIN compile c ON c.id = p.compile_id WHERE c.repetition > 0"), "0");
  QCOMPARE(
      m_runner.query("SELECT count(*) FROM compile c WHERE repetition = 0 AND optimize_ns <> (SELECT sum(duration_ns) FROM pass p "
                     "WHERE p.compile_id = c.id)"),
      "0");
  QCOMPARE(m_runner.query("SELECT count(DISTINCT compile_id) FROM function_work"), "4");
  QCOMPARE(
      m_runner.query("SELECT count(*) FROM pass WHERE changed = 1 AND function_id IS NOT NULL AND fingerprint IS NULL AND name NOT "
                     "LIKE '(%'"),
      "0");
  QCOMPARE(
      m_runner.query("SELECT min(instructions_before) > 0, min(instructions_after) > 0, min(code_bytes) > 0 FROM study_result"),
      "1|1|1");
}

void StudiesTest::aStudyLeavesTheCacheAlone() {
  const CommandOutcome outcome = m_runner.runScript(R"lua(
local f = fn("f", function(x) return x * 2 end)
local x = ones({ 8 }, "f32")
local before = stats().compiles
study { f, x, pipelines = { "deferred", "separate" }, repetitions = 0 }
print("known", cache.contains(f, x), stats().compiles - before)
print("then", time("t", f, x).outcome)
)lua",
                                                    {"--overwrite"});
  JS_COMPARE_STATUS(outcome, 0);
  JS_VERIFY_CONTAINS(outcome.output, "known\tfalse\t0");
  JS_VERIFY_CONTAINS(outcome.output, "then\tmiss");
}

void StudiesTest::anUnmetExpectationFailsTheRun() {
  const CommandOutcome outcome = m_runner.runScript(R"lua(
local f = fn("f", function(x) return x * 2 end)
f(ones({ 1000 }, "f32"))
expect.vectorized { f, min_width = 4096 }
)lua",
                                                    {"--overwrite"});
  JS_COMPARE_STATUS(outcome, 1);
  JS_VERIFY_CONTAINS(outcome.output,
                     "expect.vectorized failed: expected a vectorized loop of width 4096 or more in f, got a loop of "
                     "width ");
}

void StudiesTest::modulesShowTheSame_data() {
  QTest::addColumn<QStringList>("files");
  QTest::addRow("callee first") << QStringList{"inner.ll", "outer.ll"};
  QTest::addRow("caller first") << QStringList{"outer.ll", "inner.ll"};
  const QString old = QStringLiteral(JITSCOPE_SOURCE_DIR "/tests/support/code/old_bitcode/");
  QTest::addRow("bitcode with typed pointers") << QStringList{old + "inner.bc", old + "outer.bc"};
}

void StudiesTest::modulesShowTheSame() {
  QFETCH(QStringList, files);
  m_runner.write("inner.ll", kInnerModule);
  m_runner.write("outer.ll", kOuterModule);
  const CommandOutcome outcome = study(files);
  JS_COMPARE_STATUS(outcome, 0);
  loopsOf("per-function", "loop not vectorized: instruction return type cannot be vectorized");
  loopsOf("deferred", "vectorized loop (vectorization width: 4, interleaved count: 1)");
  loopsOf("pre-link", "vectorized loop (vectorization width: 4, interleaved count: 1)");
  QCOMPARE(m_runner.query("SELECT name, is_modules, triple FROM study"), "outer|1|x86_64-pc-linux-gnu");
  QCOMPARE(m_runner.query("SELECT sum(is_executed), count(*) FROM study_result"), "0|4");
  QCOMPARE(m_runner.query("SELECT count(*) FROM compile"), "8");
}

void StudiesTest::modulesFromAScriptBelongToItsSection() {
  m_runner.write("inner.ll", kInnerModule);
  m_runner.write("outer.ll", kOuterModule);
  const CommandOutcome outcome = m_runner.runScript(R"lua(
section "from elsewhere"
local found = study { modules { "inner.ll", "outer.ll" }, pipelines = { "per-function", "deferred" }, repetitions = 1 }
for _, one in ipairs(found) do print("found", one.pipeline, one.vectorized_loops, one.compile_ns > 0, one.execute_ns) end
)lua",
                                                    {"--overwrite"});
  JS_COMPARE_STATUS(outcome, 0);
  JS_VERIFY_CONTAINS(outcome.output, "found\tper-function\t0\ttrue\tnil");
  JS_VERIFY_CONTAINS(outcome.output, "found\tdeferred\t1\ttrue\tnil");
  QCOMPARE(m_runner.query("SELECT s.name, t.name, t.line FROM study t JOIN section s ON s.id = t.section_id"),
           "from elsewhere|outer|3");
}

void StudiesTest::aRootNarrowsTheStudy() {
  m_runner.write("inner.ll", kInnerModule);
  m_runner.write("outer.ll", kOuterModule);
  const CommandOutcome outcome = study({"inner.ll", "outer.ll", "--root", "inner", "--pipelines", "deferred"});
  JS_COMPARE_STATUS(outcome, 0);
  QCOMPARE(m_runner.query("SELECT name FROM study"), "inner");
  JS_VERIFY_CONTAINS(m_runner.query("SELECT group_concat(message) FROM study_note").toUtf8(), "outer.ll: left out");
}

void StudiesTest::modulesForAnotherMachineAreCompiledForIt() {
  m_runner.write("a.ll",
                 "target triple = \"aarch64-unknown-linux-gnu\"\ndefine i64 @f(i64 %x) {\n  %y = add i64 %x, 1\n  ret i64 %y\n}\n");
  const CommandOutcome outcome = study({"a.ll"});
  JS_COMPARE_STATUS(outcome, 0);
  QCOMPARE(m_runner.query("SELECT triple FROM study"), "aarch64-unknown-linux-gnu");
  QCOMPARE(m_runner.query("SELECT min(code_bytes) > 0 FROM study_result"), "1");
}

void StudiesTest::aModuleWithoutTargetGetsThisMachines() {
  m_runner.write("a.ll", "define i64 @f(i64 %x) {\n  ret i64 %x\n}\n");
  JS_COMPARE_STATUS(study({"a.ll"}), 0);
  QCOMPARE(m_runner.query("SELECT triple <> '' AND cpu <> '' FROM study"), "1");
  JS_VERIFY_CONTAINS(m_runner.query("SELECT group_concat(message) FROM study_note").toUtf8(),
                     "a.ll without a target: compiled for ");
}

void StudiesTest::modulesThatNeedEachOtherAreOne() {
  m_runner.write("even.ll",
                 "declare i1 @odd(i64)\ndefine i1 @even(i64 %x) {\n  %z = icmp eq i64 %x, 0\n  br i1 %z, label %t, label %f\n"
                 "t:\n  ret i1 true\nf:\n  %y = sub i64 %x, 1\n  %r = call i1 @odd(i64 %y)\n  ret i1 %r\n}\n");
  m_runner.write("odd.ll",
                 "declare i1 @even(i64)\ndefine i1 @odd(i64 %x) {\n  %z = icmp eq i64 %x, 0\n  br i1 %z, label %t, label %f\n"
                 "t:\n  ret i1 false\nf:\n  %y = sub i64 %x, 1\n  %r = call i1 @even(i64 %y)\n  ret i1 %r\n}\n");
  const CommandOutcome unnamed = study({"even.ll", "odd.ll"});
  JS_COMPARE_STATUS(unnamed, 2);
  JS_VERIFY_CONTAINS(unnamed.errors,
                     "every function is referred to by another one, so none is the root by itself; name one with --root");
  JS_COMPARE_STATUS(study({"even.ll", "odd.ll", "--root", "even"}), 0);
  JS_VERIFY_CONTAINS(m_runner.query("SELECT group_concat(message) FROM study_note").toUtf8(),
                     "even.ll and odd.ll need each other: taken as one module");
  QCOMPARE(m_runner.query("SELECT sum(error <> '') FROM study_result"), "0");
}

void StudiesTest::copiesInSeveralModulesAreKeptOnce() {
  const QByteArray helper = "define linkonce_odr i64 @helper(i64 %x) {\n  %y = mul i64 %x, 3\n  ret i64 %y\n}\n";
  m_runner.write("a.ll", helper + "define i64 @a(i64 %x) {\n  %y = call i64 @helper(i64 %x)\n  ret i64 %y\n}\n");
  m_runner.write("b.ll", helper + "declare i64 @a(i64)\ndefine i64 @b(i64 %x) {\n  %y = call i64 @helper(i64 %x)\n  %z = call i64 "
                                  "@a(i64 %y)\n  ret i64 %z\n}\n");
  JS_COMPARE_STATUS(study({"a.ll", "b.ll"}), 0);
  QCOMPARE(m_runner.query("SELECT sum(error <> ''), count(*) FROM study_result"), "0|4");
  JS_VERIFY_CONTAINS(m_runner.query("SELECT group_concat(message) FROM study_note").toUtf8(),
                     "1 definition is a copy (linkonce, weak or common) of what another module has");
}

void StudiesTest::thePipelineIsChosenForARunOrFromThereOn() {
  const CommandOutcome outcome = m_runner.runScript(R"lua(
local f = fn("f", function(x) return x + 1 end)
f(tensor({ 1.5 }, "f32"))
options { pipeline = "pre-link" }
f(tensor({ 1.5 }, "f32"))
)lua",
                                                    {"--overwrite", "--pipeline", "per-function"});
  JS_COMPARE_STATUS(outcome, 0);
  QCOMPARE(
      m_runner.query("SELECT group_concat(c.pipeline || ' ' || c.reason || ' ' || c.difference, ', ') FROM (SELECT * FROM compile "
                     "ORDER BY id) c JOIN template t ON t.id = c.template_id JOIN function f ON f.id = t.function_id WHERE "
                     "f.name = 'f'"),
      "per-function new-function , pre-link options pipeline: per-function -> pre-link");
}

QTEST_GUILESS_MAIN(StudiesTest)
#include "tst_studies.moc"
