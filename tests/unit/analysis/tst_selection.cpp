// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "analysis/query/selection.h"
#include "analysis/summary.h"
#include "session/session_reader.h"
#include "support/result_checks.h"
#include "support/sessions/session_samples.h"

#include <QTemporaryDir>

using namespace jitscope;
using analysis::Selection;
using analysis::Summary;
using event::Outcome;
using test::kMs;

Q_DECLARE_METATYPE(jitscope::analysis::Selection)

/// Summaries of parts of the sample session, whose numbers can be read off its source.
class TestSelection : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void initTestCase() {
    m_path = m_folder.filePath("sample.jitscope").toStdString();
    JS_VERIFY_RESULT(test::writeSession(m_path, test::sampleRecording()));
  }

  void aSummaryCountsWhatIsSelected_data() {
    QTest::addColumn<Selection>("selection");
    QTest::addColumn<quint64>("calls");
    QTest::addColumn<quint64>("misses");
    QTest::addColumn<quint64>("compiles");
    QTest::addColumn<int>("functions");
    QTest::addColumn<int>("sections");
    const auto row = [](const char *name, const Selection &selection, quint64 calls, quint64 misses, quint64 compiles,
                        int functions,
                        int sections) { QTest::newRow(name) << selection << calls << misses << compiles << functions << sections; };
    row("everything", {}, 21, 4, 4, 2, 3);
    Selection selection;
    selection.sectionId = base::SectionId(2);
    row("section", selection, 5, 2, 2, 1, 1);
    selection = {};
    selection.functionId = base::FunctionId(1);
    row("function", selection, 1, 1, 1, 1, 1);
    selection = {};
    selection.templateId = base::TemplateId(3);
    row("template", selection, 6, 2, 2, 1, 2);
    selection = {};
    selection.caseId = base::CaseId(1);
    row("case", selection, 4, 1, 1, 1, 1);
    selection = {};
    selection.caseId = base::CaseId();
    row("outside of cases", selection, 7, 3, 3, 2, 3);
    selection = {};
    selection.outcome = Outcome::Miss;
    row("outcome", selection, 4, 4, 4, 2, 3);
    selection = {};
    selection.range = analysis::TimeRange{10 * kMs, 1030 * kMs};
    row("range without its end", selection, 2, 1, 1, 1, 1);
    selection.range = analysis::TimeRange{10 * kMs, 1030 * kMs + 1};
    row("range", selection, 3, 2, 2, 1, 1);
    selection.outcome = Outcome::Hit;
    row("both", selection, 1, 0, 0, 1, 1);
    selection = {};
    selection.templateId = base::TemplateId(99);
    row("nothing", selection, 0, 0, 0, 0, 0);
  }
  void aSummaryCountsWhatIsSelected() {
    QFETCH(Selection, selection);
    auto reader = session::SessionReader::open(m_path);
    JS_VERIFY_RESULT(reader);
    analysis::SummaryOptions options;
    options.selection = selection;
    const base::Result<Summary> summary = summarize(**reader, options);
    JS_VERIFY_RESULT(summary);
    QTEST(static_cast<quint64>(summary->calls), "calls");
    quint64 misses = 0;
    for (const analysis::OutcomeSummary &outcome : summary->outcomes) {
      misses += outcome.outcome == Outcome::Miss ? outcome.count : 0;
    }
    QTEST(misses, "misses");
    QTEST(static_cast<quint64>(summary->compiles), "compiles");
    QTEST(static_cast<int>(summary->functions.size()), "functions");
    QTEST(static_cast<int>(summary->sections.size()), "sections");
  }

private:
  QTemporaryDir m_folder;
  std::filesystem::path m_path;
};

QTEST_GUILESS_MAIN(TestSelection)
#include "tst_selection.moc"
