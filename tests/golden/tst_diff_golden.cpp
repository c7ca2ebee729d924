// SPDX-License-Identifier: GPL-3.0-or-later
// What `jitscope diff` prints of a study made by hand, whose code is LLVM's own, compared with what was read and committed.
#include "report/diff/diff_json.h"
#include <QtTest>

#include "analysis/code/code_comparison.h"
#include "report/diff/diff_text.h"
#include "session/session_reader.h"
#include "support/golden_file.h"
#include "support/result_checks.h"
#include "support/sessions/study_samples.h"

#include <nlohmann/json.hpp>

using namespace jitscope;

class TestDiffGolden : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    const std::string path = m_folder.filePath("study.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::studyRecording()));
    auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    m_reader = *std::move(reader);
  }

  void theDiffIsAsCommitted_data() {
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("sideBySide");
    QTest::addColumn<bool>("colour");
    QTest::addColumn<bool>("full");
    QTest::addColumn<QString>("golden");
    QTest::newRow("one column") << "outer_logp_wrapper" << 100 << false << false << false << "diff.txt";
    QTest::newRow("two columns") << "outer_logp_wrapper" << 160 << true << false << false << "diff_side_by_side.txt";
    QTest::newRow("coloured") << "inner" << 80 << false << true << false << "diff_colour.txt";
    QTest::newRow("in full") << "inner" << 80 << false << false << true << "diff_full.txt";
  }
  void theDiffIsAsCommitted() {
    QFETCH(QString, function);
    QFETCH(int, width);
    QFETCH(bool, sideBySide);
    QFETCH(bool, colour);
    QFETCH(bool, full);
    QFETCH(QString, golden);
    report::DiffTextOptions options;
    options.width = static_cast<std::size_t>(width);
    options.isSideBySide = sideBySide;
    options.colour = colour;
    options.isFull = full;
    const auto comparison = analysis::compareCode(*m_reader, requestFor(function));
    JS_VERIFY_RESULT(comparison);
    test::compareWithGolden(report::renderDiff(*comparison, options), golden);
  }

  /// Why the loop stays scalar is said before any code, within the first screen of the smallest terminal.
  void theReasonComesFirst() {
    const auto comparison = analysis::compareCode(*m_reader, requestFor("outer_logp_wrapper"));
    JS_VERIFY_RESULT(comparison);
    const QStringList lines = QString::fromStdString(report::renderDiff(*comparison, {})).split('\n');
    const QString screen = lines.mid(0, 24).join(' ').simplified().replace("  ", " ");
    for (const char *part : {"had run SLPVectorizerPass (stage module, pass 3) on it, and deferred had not",
                             "instruction return type cannot be vectorized", "vectorized loop (vectorization width: 4"}) {
      QVERIFY2(screen.contains(part), qPrintable(screen));
    }
  }

  void linesFitTheWidth_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<bool>("sideBySide");
    for (const int width : {60, 80, 101, 160, 250}) {
      QTest::addRow("%d in one column", width) << width << false;
      QTest::addRow("%d in two columns", width) << width << true;
    }
  }
  void linesFitTheWidth() {
    QFETCH(int, width);
    QFETCH(bool, sideBySide);
    const auto comparison = analysis::compareCode(*m_reader, requestFor("outer_logp_wrapper"));
    JS_VERIFY_RESULT(comparison);
    report::DiffTextOptions options;
    options.width = static_cast<std::size_t>(width);
    options.isSideBySide = sideBySide;
    const QStringList lines = QString::fromStdString(report::renderDiff(*comparison, options)).split('\n');
    for (const QString &line : lines) {
      QVERIFY2(line.size() <= width, qPrintable(line));
    }
  }

  void theJsonHoldsEveryLine() {
    const auto comparison = analysis::compareCode(*m_reader, requestFor("outer_logp_wrapper"));
    JS_VERIFY_RESULT(comparison);
    const nlohmann::json json = nlohmann::json::parse(report::renderDiffJson(*comparison));
    std::string left;
    std::size_t changed = 0;
    for (const nlohmann::json &row : json.at("rows")) {
      left += row.contains("left") ? row.at("left").get<std::string>() + '\n' : std::string();
      changed += row.at("kind") == "changed" ? 1U : 0U;
      QCOMPARE(row.contains("left_spans"), row.at("kind") == "changed");
    }
    QCOMPARE(std::ranges::count(left, '\n'), 94);
    QCOMPARE(json.at("changed").get<std::size_t>(), changed);
    QCOMPARE(json.at("left").at("pipeline").get<std::string>(), std::string("per-function"));
    QCOMPARE(json.at("right").at("compile_id").get<int>(), 2);
    QCOMPARE(json.at("divergence").at("callees").at(0).at("pass").at("name").get<std::string>(), std::string("SLPVectorizerPass"));
    QCOMPARE(json.at("remarks").size(), std::size_t{1});
  }

private:
  static analysis::CodeRequest requestFor(const QString &function) {
    analysis::CodeRequest request;
    request.function = function.toStdString();
    return request;
  }

  QTemporaryDir m_folder;
  std::unique_ptr<session::SessionReader> m_reader;
};

QTEST_GUILESS_MAIN(TestDiffGolden)
#include "tst_diff_golden.moc"
