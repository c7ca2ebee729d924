// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/compiles/remark_groups.h"
#include "analysis/statistics/sample_series.h"
#include "analysis/summary.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/studied_session.h"
#include "ui/diff/fold_rows.h"
#include "ui/pages/diff/diff_tables.h"
#include "ui/script/script_notes.h"
#include "ui/widgets/storm_label.h"
#include "ui/widgets/text.h"

#include <QTemporaryDir>

#include <numeric>

using namespace jitscope;
using analysis::SeriesSample;
using event::Outcome;
using ui::ShownRow;

namespace {

analysis::TextDiff diffOf(const char *kinds) {
  analysis::TextDiff diff;
  for (const char *kind = kinds; *kind != '\0'; ++kind) {
    analysis::DiffRow row;
    row.kind = *kind == '=' ? analysis::RowKind::Equal : *kind == '~' ? analysis::RowKind::Changed : analysis::RowKind::LeftOnly;
    diff.changed += *kind == '~' ? 1 : 0;
    diff.leftOnly += *kind == '-' ? 1 : 0;
    diff.rows.push_back(row);
  }
  return diff;
}

} // namespace

/// What views are made of, as plain functions.
class TestViewData : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void runOrderKeepsExtremesAndOrder() {
    std::vector<SeriesSample> samples;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      samples.push_back({base::CallId(i + 1), 100 + i % 7, Outcome::Hit});
    }
    samples[500].totalNs = 9000;
    const auto columns = analysis::runOrder(samples, 64);
    QCOMPARE(columns.size(), std::size_t{64});
    std::size_t next = 0;
    for (const analysis::RunOrderColumn &column : columns) {
      QCOMPARE(column.first, next);
      next += column.count;
      QCOMPARE(column.minNs, std::uint64_t{100});
      QCOMPARE(column.maxNs, std::uint64_t{column.first <= 500 && 500 < next ? 9000U : 106U});
    }
    QCOMPARE(next, std::size_t{1000});
    QCOMPARE(analysis::runOrder({samples[0]}, 64).size(), std::size_t{1});
    QVERIFY(analysis::runOrder({}, 64).empty());
  }

  void aHistogramCountsEveryValueOnce() {
    const std::vector<std::uint64_t> values{0, 1, 9, 10, 11, 99, 100, 5'000'000};
    const auto bins = analysis::logHistogram(values, 10, 1000, 2);
    QCOMPARE(bins.size(), std::size_t{2});
    QVERIFY(std::abs(bins[0].toNs - 100) < 1e-9);
    QCOMPARE(bins[0].count, std::uint64_t{6}); // what is shorter goes to the first
    QCOMPARE(bins[1].count, std::uint64_t{2}); // and what is longer to the last
    QVERIFY(analysis::logHistogram(values, 10, 10, 5).empty());
  }

  void samplesComeInTheOrderTheyWereTaken() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("s.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::sampleRecording()));
    auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    const auto cold = analysis::readSampleSeries((*reader)->database(), {}, base::CaseId(1), event::Leg::Cold);
    JS_VERIFY_RESULT(cold);
    QCOMPARE(cold->size(), std::size_t{4});
    QCOMPARE(cold->front().outcome, Outcome::Miss);
    QCOMPARE(cold->back().totalNs, std::uint64_t{700'000});
    // The warm leg's warm-up call is no sample.
    const auto warm = analysis::readSampleSeries((*reader)->database(), {}, base::CaseId(2), event::Leg::Warm);
    JS_VERIFY_RESULT(warm);
    QCOMPARE(warm->size(), std::size_t{9});
    analysis::Selection selection;
    selection.range = analysis::TimeRange{0, 6013 * test::kMs};
    const auto first = analysis::readSampleSeries((*reader)->database(), selection, base::CaseId(2), event::Leg::Warm);
    JS_VERIFY_RESULT(first);
    QCOMPARE(first->size(), std::size_t{3});
  }

  void equalLinesAreFolded_data() {
    QTest::addColumn<QByteArray>("kinds");
    QTest::addColumn<QList<int>>("counts");
    QTest::newRow("in the middle") << QByteArray("~==========~") << QList<int>{1, 1, 1, 6, 1, 1, 1};
    QTest::newRow("at both ends") << QByteArray("=====~=====") << QList<int>{3, 1, 1, 1, 1, 1, 3};
    QTest::newRow("too few to fold") << QByteArray("==~====~==") << QList<int>(10, 1);
    QTest::newRow("equal texts are shown whole") << QByteArray("==========") << QList<int>(10, 1);
    QTest::newRow("nothing") << QByteArray("") << QList<int>{};
  }
  void equalLinesAreFolded() {
    QFETCH(QByteArray, kinds);
    QFETCH(QList<int>, counts);
    const analysis::TextDiff diff = diffOf(kinds.constData());
    QList<int> found;
    std::size_t next = 0;
    for (const ShownRow &row : ui::foldRows(diff, 2, {})) {
      QCOMPARE(row.first, next);
      next += row.count;
      found << static_cast<int>(row.count);
    }
    QCOMPARE(next, diff.rows.size());
    QCOMPARE(found, counts);
  }

  void aFoldCanBeOpened() {
    const analysis::TextDiff diff = diffOf("~==========~");
    QCOMPARE(ui::foldRows(diff, 2, {3}).size(), std::size_t{12});
    QCOMPARE(ui::changeStarts(diffOf("=~-=~~=")), (std::vector<std::size_t>{1, 4}));
  }

  void stormsAreFunctionsThatCompileForMostOfTheirTime_data() {
    QTest::addColumn<quint64>("again");
    QTest::addColumn<quint64>("compileNs");
    QTest::addColumn<bool>("isStorm");
    QTest::newRow("storm") << quint64{6} << quint64{600} << true;
    QTest::newRow("few compiles") << quint64{4} << quint64{900} << false;
    QTest::newRow("cheap compiles") << quint64{6} << quint64{400} << false;
  }
  void stormsAreFunctionsThatCompileForMostOfTheirTime() {
    QFETCH(quint64, again);
    QFETCH(quint64, compileNs);
    QFETCH(bool, isStorm);
    analysis::FunctionSummary function;
    function.id = base::FunctionId(1);
    function.name = "f";
    analysis::TemplateSummary entry;
    entry.id = base::TemplateId(1);
    entry.callNs = 1000;
    entry.compileNs = compileNs;
    function.templates = {entry};
    const std::map<base::TemplateId, analysis::ReasonCounts> reasons{
        {base::TemplateId(1), {{event::MissReason::NewFunction, 1}, {event::MissReason::NewShape, again}}}};
    const auto storms = analysis::findStorms({function}, reasons);
    QCOMPARE(!storms.empty(), isStorm);
    if (isStorm) {
      QCOMPARE(storms[0].reason, event::MissReason::NewShape);
      QCOMPARE(storms[0].compiles, again + 1);
      QVERIFY(ui::stormSentence(storms[0]).contains("calls; compiling took"));
      QVERIFY(ui::stormSentence(storms[0]).contains("Reason: new-shape."));
    }
  }

  void aStormOfSeveralReasonsSaysHowOftenItsOwnWas() {
    analysis::FunctionSummary function;
    function.id = base::FunctionId(1);
    analysis::TemplateSummary entry;
    entry.id = base::TemplateId(1);
    entry.callNs = 1000;
    entry.compileNs = 900;
    function.templates = {entry};
    const auto storms = analysis::findStorms(
        {function}, {{base::TemplateId(1),
                      {{event::MissReason::NewFunction, 1}, {event::MissReason::NewShape, 3}, {event::MissReason::Evicted, 7}}}});
    QCOMPARE(storms.size(), std::size_t{1});
    QVERIFY2(ui::stormSentence(storms[0]).contains("Reason: mostly evicted (7 of 10)."), qPrintable(ui::stormSentence(storms[0])));
  }

  void templatesForAllSizesAreNoStormOfSizes() {
    analysis::FunctionSummary function;
    function.id = base::FunctionId(1);
    std::map<base::TemplateId, analysis::ReasonCounts> reasons;
    for (std::uint32_t id = 1; id <= 7; ++id) {
      analysis::TemplateSummary entry;
      entry.id = base::TemplateId(id);
      entry.signature = id == 7 ? "f32[?,?], \"f32\"" : "f32[" + std::to_string(id) + ",2], \"[?]\"";
      entry.calls = id == 7 ? 12 : 2;
      entry.callNs = 100;
      entry.compileNs = 90;
      function.templates.push_back(entry);
      reasons[entry.id] = {{id == 1 ? event::MissReason::NewFunction : event::MissReason::NewShape, 1}};
    }
    auto storms = analysis::findStorms({function}, reasons);
    QCOMPARE(storms.size(), std::size_t{1});
    QCOMPARE(storms[0].compiles, std::uint64_t{6});
    QCOMPARE(storms[0].calls, std::uint64_t{12});
    QCOMPARE(storms[0].compileNs, std::uint64_t{540});
    QCOMPARE(ui::stormAdvice(storms[0]),
             QStringLiteral("With options{template=\"rank\"}, as elsewhere in this script, one compile served 12 calls."));
    QVERIFY(ui::stormSentence(storms[0]).contains("6 times for 12 calls (only templates of certain sizes counted); compiling"));
    // Without it the advice is to have it, and with nothing else it would be no advice.
    function.templates.pop_back();
    storms = analysis::findStorms({function}, reasons);
    QVERIFY(ui::stormAdvice(storms.at(0)).startsWith("With options{template=\"rank\"} one executable serves all sizes"));
    for (analysis::TemplateSummary &entry : function.templates) {
      entry.signature = "f32[?]";
    }
    storms = analysis::findStorms({function}, reasons);
    QVERIFY(storms.at(0).isForAllSizes);
    QCOMPARE(ui::stormAdvice(storms[0]), QString());
  }

  void remarksThatSayTheSameAreOne() {
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("s.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(path, test::studiedRecording()));
    auto reader = session::SessionReader::open(path);
    JS_VERIFY_RESULT(reader);
    const auto groups = analysis::readRemarkGroups((*reader)->database(), {});
    JS_VERIFY_RESULT(groups);
    QCOMPARE(groups->size(), std::size_t{3});
    const auto inlined = std::ranges::find(*groups, "Inlined", &analysis::RemarkGroup::name);
    QCOMPARE(inlined->count, std::uint64_t{2});
    QCOMPARE(inlined->pipelines, (std::vector<std::string>{"deferred", "per-function"}));
    QVERIFY(inlined->isIn("deferred") && !inlined->isIn("separate"));
    const auto ofOne = analysis::readRemarkGroups((*reader)->database(), {}, base::CompileId(6));
    JS_VERIFY_RESULT(ofOne);
    QCOMPARE(ofOne->size(), std::size_t{2});
  }

  void costsOfTheInlinerAreNoDifferenceBetweenSides() {
    analysis::RemarkGroup cheap;
    cheap.pass = "inline";
    cheap.message = "'f' inlined into 'g' with (cost=-15, threshold=225)";
    analysis::RemarkGroup dear = cheap;
    dear.message = "'f' inlined into 'g' with (cost=20, threshold=225)";
    analysis::RemarkGroup other = cheap;
    other.message = "'f' inlined into 'h' with (cost=20, threshold=225)";
    const std::vector<ui::SideRemark> rows = ui::differing({cheap}, {dear, other});
    QCOMPARE(rows.size(), std::size_t{1});
    QVERIFY(!rows[0].isLeft);
    QCOMPARE(rows[0].remark.message, other.message);
  }

  void notesStandAtTheirLines() {
    analysis::FunctionSummary function;
    function.name = "f";
    function.line = 3;
    analysis::TemplateSummary entry;
    entry.calls = 5;
    entry.outcomes.add(Outcome::Miss, 2);
    function.templates = {entry};
    analysis::RemarkGroup remark;
    remark.line = 4;
    remark.pass = "loop-vectorize";
    remark.message = "not vectorized";
    const ui::ScriptNotes notes = ui::scriptNotes({function}, {remark, remark});
    QCOMPARE(notes.notes.value(3), QStringLiteral("2 compiled"));
    QCOMPARE(notes.notes.value(4), QStringLiteral("2⚑"));
    QVERIFY(notes.tips.value(4).startsWith("2 different remarks\n"));
    QVERIFY(notes.tips.value(4).contains("not vectorized"));
    QVERIFY(!notes.notes.contains(5));
  }

  void differencesAreToldInWords_data() {
    QTest::addColumn<QByteArray>("difference");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("two fields") << QByteArray("arg 0 dim 1: 64 -> 256; arg 1 dtype: f32 -> f64")
                                << QStringList{"argument 0, dimension 1: was 64, is 256",
                                               "argument 1, element type: was f32, is f64"};
    QTest::newRow("every size") << QByteArray("arg 0 dim 0: 28 -> ?")
                                << QStringList{"argument 0, dimension 0: was 28, is any size"};
    QTest::newRow("none") << QByteArray() << QStringList{};
    QTest::newRow("unknown form") << QByteArray("something else") << QStringList{"something else"};
  }
  void differencesAreToldInWords() {
    QFETCH(QByteArray, difference);
    QTEST(ui::differenceInWords(difference.toStdString()), "words");
  }

  void longAndStrangeNamesStayOnALine() {
    QVERIFY(ui::lineText(std::string(10'000, 'x')).size() <= 300);
    QVERIFY(!ui::lineText("two\nlines").contains(QLatin1Char('\n')));
    QCOMPARE(ui::functionText("f", 3, false), QStringLiteral("f:3"));
    QCOMPARE(ui::caseText("c", "large"), QStringLiteral("c [large]"));
  }
};

QTEST_GUILESS_MAIN(TestViewData)
#include "tst_view_data.moc"
