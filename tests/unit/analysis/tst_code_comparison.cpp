// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/code/code_comparison.h"
#include "analysis/query/near_names.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/study_samples.h"

#include <functional>

using namespace jitscope;
using analysis::CodeComparison;
using analysis::CodeRequest;
using event::CompileEvent;
using test::kInner;
using test::kOuter;

namespace {

void addCompile(test::Recording &recording, CompileEvent compile, std::uint32_t id, std::uint32_t study) {
  compile.id = base::CompileId(id);
  compile.studyId = base::StudyId(study);
  recording.events.emplace_back(std::move(compile));
}

/// The function's code after each of three passes; the second changed nothing.
CompileEvent compileWithEachPass() {
  CompileEvent compile = test::makeStudyCompile(50, "deferred", 0, test::kMs);
  compile.passes = test::PassList()
                       .add("function", kInner, kInner, "SROAPass", 1, 1)
                       .add("function", kInner, kInner, "LICMPass", 1)
                       .add("module", kInner, kInner, "SLPVectorizerPass", 1, 2)
                       .passes();
  compile.remarks = {
      test::makeRemark(event::RemarkKind::Missed, "licm", "X", kInner, kInner, "function", 2, 3, "not moved"),
      test::makeRemark(event::RemarkKind::Passed, "slp-vectorizer", "Y", kInner, kInner, "module", 3, 4, "vectorized")};
  compile.snapshots = {
      test::makeSnapshot(kInner, "before", "inner_before"), test::makeSnapshot(kInner, "function", "inner_before_attributes", 1),
      test::makeSnapshot(kInner, "module", "inner_per_function", 3), test::makeSnapshot(kInner, "final", "inner_per_function")};
  return compile;
}

} // namespace

class TestCodeComparison : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void functionsAreFoundByWhatPeopleCallThem_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("found");
    QTest::newRow("whole") << "__main__::outer_logp_wrapper" << "__main__::outer_logp_wrapper";
    QTest::newRow("last part") << "outer_logp_wrapper" << "__main__::outer_logp_wrapper";
    QTest::newRow("whole of the longer") << "cpython::__main__::outer_logp_wrapper" << "cpython::__main__::outer_logp_wrapper";
    QTest::newRow("symbol") << test::kInnerSymbol << "__main__::inner";
    QTest::newRow("part") << "inne" << "__main__::inner";
    QTest::newRow("the only one of a line") << "twice:9" << "twice";
  }
  void functionsAreFoundByWhatPeopleCallThem() {
    QFETCH(QString, name);
    QFETCH(QString, found);
    CodeRequest request;
    request.function = name.toStdString();
    const auto comparison = compare(withMoreFunctions(), request);
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(QString::fromStdString(comparison->function.name), found);
  }

  void namesThatAreNobodysAreAnsweredWithWhatThereIs_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("message");
    QTest::newRow("nobody's") << "__main__::iner"
                              << "the session has no function \"__main__::iner\"; the nearest ones with recorded code: "
                                 "__main__::inner, ";
    QTest::newRow("several by a part") << "__main__"
                                       << "\"__main__\" may be any of: __main__::inner, __main__::outer_logp_wrapper, "
                                          "cpython::__main__::outer_logp_wrapper; name one of them";
    QTest::newRow("several of one name") << "twice" << "\"twice\" may be any of: twice:3, twice:9; name one of them";
    QTest::newRow("without code") << "silent" << "the session holds no code of \"silent\"; it has that of: ";
    QTest::newRow("nothing") << "" << "the session has no function \"\"";
  }
  void namesThatAreNobodysAreAnsweredWithWhatThereIs() {
    QFETCH(QString, name);
    QFETCH(QString, message);
    CodeRequest request;
    request.function = name.toStdString();
    const auto comparison = compare(withMoreFunctions(), request);
    JS_COMPARE_ERROR(comparison, base::ErrorCode::RuntimeOption);
    const QString actual = QString::fromStdString(comparison.error().message);
    QVERIFY2(actual.startsWith(message), qPrintable(actual));
  }

  void aSessionWithoutCodeSaysSo() {
    CodeRequest request;
    request.function = "Matmul.dot";
    const auto comparison = compare(test::sampleRecording(), request);
    JS_COMPARE_ERROR(comparison, base::ErrorCode::RuntimeOption);
    QVERIFY(comparison.error().message.starts_with("the session holds no code"));
  }

  void perFunctionAndDeferredAreComparedByThemselves() {
    const auto comparison = compare(test::studyRecording(), outer());
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->left.pipeline, std::string("per-function"));
    QCOMPARE(comparison->left.compileId.value, 1U);
    QCOMPARE(comparison->left.point.describe(), std::string("final"));
    QCOMPARE(comparison->right.compileId.value, 2U);
    QCOMPARE(comparison->studyId.value, 1U);
    QCOMPARE(comparison->signature, std::string("i64, ptr, ptr, ptr"));
    QVERIFY(comparison->divergence.has_value());
    QCOMPARE(comparison->remarks.size(), std::size_t{1});
  }

  void sidesMayBeSwapped() {
    CodeRequest request = outer();
    request.left = "deferred";
    request.right = "per-function";
    const auto there = compare(test::studyRecording(), outer());
    const auto back = compare(test::studyRecording(), request);
    JS_VERIFY_RESULT(there);
    JS_VERIFY_RESULT(back);
    QCOMPARE(back->diff.leftOnly, there->diff.rightOnly);
    QCOMPARE(back->diff.rightOnly, there->diff.leftOnly);
    QCOMPARE(back->diff.changed, there->diff.changed);
  }

  void symbolsAreShownByTheirNames() {
    const auto comparison = compare(test::studyRecording(), outer());
    JS_VERIFY_RESULT(comparison);
    QVERIFY(comparison->diff.rows.front().left.starts_with("define i32 @__main__::outer_logp_wrapper("));
  }

  /// The latest study that has both; an ordinary compile only where no study has.
  void theLatestStudyIsPreferred() {
    test::Recording recording = test::studyRecording();
    addCompile(recording, test::perFunctionCompile(), 20, 2);
    addCompile(recording, test::deferredCompile(), 21, 2);
    addCompile(recording, test::perFunctionCompile(), 30, 3); // deferred is missing there
    addCompile(recording, test::deferredCompile(), 40, 0);
    const auto latest = compare(recording, outer());
    JS_VERIFY_RESULT(latest);
    QCOMPARE(latest->left.compileId.value, 20U);
    QCOMPARE(latest->right.compileId.value, 21U);
    QCOMPARE(latest->studyId.value, 2U);
    CodeRequest request = outer();
    request.study = 1;
    const auto first = compare(recording, request);
    JS_VERIFY_RESULT(first);
    QCOMPARE(first->left.compileId.value, 1U);
    request.study = 3;
    const auto half = compare(recording, request);
    JS_COMPARE_ERROR(half, base::ErrorCode::RuntimeOption);
    QVERIFY2(half.error().message.find("compiled under per-function, and two are needed") != std::string::npos,
             half.error().message.c_str());
  }

  void withoutStudiesTheLatestCompilesAreCompared() {
    test::Recording recording = test::studyRecording();
    std::erase_if(recording.events, [](const event::Event &event) { return std::holds_alternative<CompileEvent>(event); });
    addCompile(recording, test::perFunctionCompile(), 60, 0);
    addCompile(recording, test::deferredCompile(), 61, 0);
    addCompile(recording, test::perFunctionCompile(), 62, 0);
    const auto comparison = compare(recording, outer());
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(comparison->left.compileId.value, 62U);
    QCOMPARE(comparison->right.compileId.value, 61U);
    QVERIFY(!comparison->studyId.isValid());
  }

  void aPipelineThatIsNotThereIsAnsweredWithThoseThatAre() {
    CodeRequest request = outer();
    request.left = "per-function";
    request.right = "separate";
    const auto comparison = compare(test::studyRecording(), request);
    JS_COMPARE_ERROR(comparison, base::ErrorCode::RuntimeOption);
    QCOMPARE(QString::fromStdString(comparison.error().message),
             QString("the session holds no code of \"__main__::outer_logp_wrapper\" under \"separate\"; it has compile 1 under "
                     "per-function in study 1, compile 2 under deferred in study 1"));
  }

  void aStageThatIsNotThereIsAnsweredWithThoseThatAre() {
    CodeRequest request = outer();
    request.point = "cheap";
    const auto comparison = compare(test::studyRecording(), request);
    JS_COMPARE_ERROR(comparison, base::ErrorCode::RuntimeOption);
    QCOMPARE(QString::fromStdString(comparison.error().message),
             QString("the code of \"__main__::outer_logp_wrapper\" at \"cheap\" was not recorded under per-function; there is: "
                     "module, final"));
    request.point = "module,final";
    const auto mixed = compare(test::studyRecording(), request);
    JS_VERIFY_RESULT(mixed);
    QCOMPARE(mixed->left.point.describe(), std::string("stage module"));
    QCOMPARE(mixed->right.point.describe(), std::string("final"));
  }

  /// It has no code of its own in the end, and its last code is what callers got.
  void ofAFunctionThatWasInlinedEverywhereTheLastCodeIsShown() {
    CodeRequest request;
    request.function = "__main__::inner";
    const auto comparison = compare(test::studyRecording(), request);
    JS_VERIFY_RESULT(comparison);
    QVERIFY(comparison->left.point.note.empty());
    QVERIFY(comparison->right.point.note.find("inlined everywhere") != std::string::npos);
    QCOMPARE(comparison->right.point.stage, event::Stage::Before);
    QVERIFY(comparison->signature.empty()); // the template is outer's
  }

  void pointsOfOneCompileAreCompared_data() {
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("right");
    QTest::addColumn<QString>("leftText");
    QTest::addColumn<QString>("rightText");
    QTest::addColumn<bool>("equal");
    QTest::addColumn<QStringList>("remarks");
    QTest::newRow("stages") << "stage:before" << "stage:final" << "before" << "final" << false
                            << QStringList{"licm", "slp-vectorizer"};
    QTest::newRow("passes by number") << "pass:1" << "pass:3" << "pass 1, SROAPass" << "pass 3, SLPVectorizerPass" << false
                                      << QStringList{"licm", "slp-vectorizer"};
    QTest::newRow("passes by name") << "pass:LICMPass" << "pass:SLPVectorizerPass" << "pass 2, LICMPass"
                                    << "pass 3, SLPVectorizerPass" << false << QStringList{"slp-vectorizer"};
    QTest::newRow("a pass that changed nothing")
        << "pass:1" << "pass:2" << "pass 1, SROAPass" << "pass 2, LICMPass" << true << QStringList{"licm"};
    QTest::newRow("a stage and a pass") << "stage:before" << "pass:3" << "before" << "pass 3, SLPVectorizerPass" << false
                                        << QStringList{"licm", "slp-vectorizer"};
  }
  void pointsOfOneCompileAreCompared() {
    QFETCH(QString, left);
    QFETCH(QString, right);
    QFETCH(QString, leftText);
    QFETCH(QString, rightText);
    QFETCH(bool, equal);
    QFETCH(QStringList, remarks);
    CodeRequest request;
    request.function = "__main__::inner";
    request.left = left.toStdString();
    request.right = right.toStdString();
    request.pipeline = "deferred";
    const auto comparison = compare(withEachPass(), request);
    JS_VERIFY_RESULT(comparison);
    QCOMPARE(QString::fromStdString(comparison->left.point.describe()), leftText);
    QCOMPARE(QString::fromStdString(comparison->right.point.describe()), rightText);
    QCOMPARE(comparison->left.compileId.value, 50U);
    QCOMPARE(comparison->right.compileId.value, 50U);
    QCOMPARE(comparison->diff.isEqual(), equal);
    QVERIFY(!comparison->divergence.has_value());
    QStringList said;
    for (const analysis::RemarkDifference &difference : comparison->remarks) {
      said << QString::fromStdString(difference.pass);
    }
    QCOMPARE(said, remarks);
  }

  void pointsThatAreNotThereAreExplained_data() {
    QTest::addColumn<QString>("left");
    QTest::addColumn<QString>("right");
    QTest::addColumn<QString>("pipeline");
    QTest::addColumn<QString>("message");
    QTest::newRow("a pass too many") << "pass:1" << "pass:9" << "deferred"
                                     << "there is no pass 9 under deferred; passes count from 1 to 3";
    QTest::newRow("an unknown pass") << "pass:1" << "pass:GVNPass" << "deferred"
                                     << "the code of \"__main__::inner\" at \"GVNPass\" was not recorded under deferred; there is: "
                                        "before, final, and after 2 passes";
    QTest::newRow("passes not recorded") << "pass:1" << "pass:2" << "per-function"
                                         << "the code of \"__main__::inner\" after each pass was not recorded under per-function; "
                                            "there is: before, final";
    QTest::newRow("several pipelines")
        << "pass:1" << "pass:2" << ""
        << "\"__main__::inner\" was compiled under per-function, deferred; choose one with --pipeline";
    QTest::newRow("an unknown pipeline")
        << "pass:1" << "pass:2" << "separate"
        << "the session holds no such code of \"__main__::inner\"; it has compile 1 under "
           "per-function in study 1, compile 2 under deferred in study 1, compile 50 under deferred "
           "in study 1";
    QTest::newRow("a point and a pipeline")
        << "pass:1" << "deferred" << ""
        << "\"pass:1\" and \"deferred\" are of different kinds: compare two pipelines, or two points "
           "(pass:N, stage:NAME) of one";
  }
  void pointsThatAreNotThereAreExplained() {
    QFETCH(QString, left);
    QFETCH(QString, right);
    QFETCH(QString, pipeline);
    QFETCH(QString, message);
    CodeRequest request;
    request.function = "__main__::inner";
    request.left = left.toStdString();
    request.right = right.toStdString();
    request.pipeline = pipeline.toStdString();
    const auto comparison = compare(withEachPass(), request);
    JS_COMPARE_ERROR(comparison, base::ErrorCode::RuntimeOption);
    QCOMPARE(QString::fromStdString(comparison.error().message), message);
  }

  void nearNamesAreNear() {
    QCOMPARE(analysis::nearNames("iner", {"outer", "inner", "first", "inner"}, 1), (std::vector<std::string>{"inner"}));
    QVERIFY(analysis::nearNames("x", {}).empty());
    QCOMPARE(analysis::nearNames("", {"b", "a"}), (std::vector<std::string>{"a", "b"}));
  }

private:
  static CodeRequest outer() {
    CodeRequest request;
    request.function = "__main__::outer_logp_wrapper";
    return request;
  }

  /// The sample with code of more functions, two of one name among them, and one without code.
  static test::Recording withMoreFunctions() {
    test::Recording recording = test::studyRecording();
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(4), "twice", 3, false, ""});
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(5), "twice", 9, false, ""});
    recording.events.emplace_back(event::FunctionEvent{base::FunctionId(6), "silent", 10, false, ""});
    for (event::Event &event : recording.events) {
      auto *compile = std::get_if<CompileEvent>(&event);
      if (compile != nullptr && compile->repetition == 0) {
        for (const base::FunctionId id : {test::kCpythonOuter, base::FunctionId(4), base::FunctionId(5)}) {
          compile->snapshots.push_back(test::makeSnapshot(id, "final", "inner_before"));
        }
      }
    }
    return recording;
  }

  static test::Recording withEachPass() {
    test::Recording recording = test::studyRecording();
    recording.events.emplace_back(compileWithEachPass());
    return recording;
  }

  base::Result<CodeComparison> compare(const test::Recording &recording, const CodeRequest &request) {
    const std::string path = m_folder.filePath("session.jitscope").toStdString();
    std::filesystem::remove(path);
    if (base::Result<void> written = test::writeSession(path, recording); !written) {
      return std::unexpected(written.error());
    }
    const auto reader = session::SessionReader::open(path);
    if (!reader) {
      return std::unexpected(reader.error());
    }
    return analysis::compareCode(**reader, request);
  }

  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCodeComparison)
#include "tst_code_comparison.moc"
