// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/compare_tables.h"
#include "report/document/comparison_document.h"

#include "analysis/statistics/rank_test.h"
#include "base/units.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

namespace jitscope::ui {

namespace {

using analysis::changeText;
using analysis::CompileComparison;
using analysis::CountComparison;
using analysis::LegComparison;
using analysis::RemarkChange;
using analysis::Verdict;

QString compareWords(const char *text) { return QCoreApplication::translate("compare", text); }

QString verdictText(Verdict verdict) {
  switch (verdict) {
  case Verdict::Worse:
    return QStringLiteral("▲ ") + toText(nameOf(verdict));
  case Verdict::Better:
    return QStringLiteral("▼ ") + toText(nameOf(verdict));
  default:
    return toText(nameOf(verdict));
  }
}

/// "3 / 1": of the base and of the contender.
QString pairText(std::size_t base, std::size_t contender) {
  return QStringLiteral("%1 / %2").arg(countText(base), countText(contender));
}

} // namespace

std::vector<Column<LegComparison>> comparedLegColumns(const analysis::CompareOptions &options) {
  using Row = LegComparison;
  return {
      {compareWords("Case"), {}, false, [](const Row &row) { return caseText(row.name, row.input); }, {}, {}, {}},
      {compareWords("Leg"), {}, false, [](const Row &row) { return toText(nameOf(row.leg)); }, {}, {}, {}},
      {compareWords("Verdict"),
       compareWords("Slower or faster if the change is significant, over the threshold and over the noise of the base; equal if "
                    "its interval lies within the threshold. Otherwise the comparison cannot tell: the row's tip says why"),
       false,
       [](const Row &row) { return verdictText(row.verdict); },
       {},
       {},
       [options](const Row &row) { return toText(report::legRemark(row, options)); }},
      {compareWords("Base"),
       compareWords("Median of the samples that no compile held up"),
       true,
       [](const Row &row) { return durationText(row.baseMedianNs); },
       [](const Row &row) { return QVariant(row.baseMedianNs); },
       {},
       {},
       QStringLiteral("ns")},
      {compareWords("Contender"),
       compareWords("Median of the samples that no compile held up"),
       true,
       [](const Row &row) { return durationText(row.contenderMedianNs); },
       [](const Row &row) { return QVariant(row.contenderMedianNs); },
       {},
       {},
       QStringLiteral("ns")},
      {compareWords("Change"),
       compareWords("Of the median"),
       true,
       [](const Row &row) { return row.shift ? toText(changeText(row.change())) : QString(); },
       [](const Row &row) { return row.shift ? QVariant(row.change()) : QVariant(); },
       {},
       {}},
      {compareWords("p"),
       compareWords("Mann-Whitney's rank test, adjusted for all legs by Holm"),
       true,
       [](const Row &row) { return row.shift ? toText(analysis::pValueText(row.adjustedPValue)) : QString(); },
       [](const Row &row) { return QVariant(row.adjustedPValue); },
       {},
       {}},
      {compareWords("Noise"),
       compareWords("How far the base's own median varies"),
       true,
       [](const Row &row) { return QStringLiteral("±") + toText(base::formatShare(row.noise)); },
       [](const Row &row) { return QVariant(row.noise); },
       {},
       {}},
      {compareWords("Samples"),
       compareWords("Of the base and of the contender"),
       true,
       [](const Row &row) { return pairText(row.baseSamples, row.contenderSamples); },
       [](const Row &row) { return numberValue(row.contenderSamples); },
       {},
       {}},
  };
}

std::vector<Column<CountComparison>> comparedCountColumns() {
  using Row = CountComparison;
  const auto count = [](const std::optional<std::uint64_t> &value) { return value ? countText(*value) : QString(); };
  const auto bare = [](const std::optional<std::uint64_t> &value) { return value ? numberValue(*value) : QVariant(); };
  return {
      {compareWords("What"),
       {},
       false,
       [](const Row &row) { return toText(nameOf(row.key.count)); },
       {},
       {},
       [](const Row &row) {
         return row.key.count == analysis::Count::CodeBytes
                    ? compareWords(
                          "Bytes of machine code of all compiles; repeated compiles count each time, compiles of studies do not")
                    : QString();
       }},
      {compareWords("Function"), {}, false, [](const Row &row) { return lineText(report::countSubject(row.key)); }, {}, {}, {}},
      {compareWords("Verdict"), {}, false, [](const Row &row) { return toText(row.word()); }, {}, {}, {}},
      {compareWords("Base"),
       {},
       true,
       [count](const Row &row) { return count(row.base); },
       [bare](const Row &row) { return bare(row.base); },
       {},
       {}},
      {compareWords("Contender"),
       {},
       true,
       [count](const Row &row) { return count(row.contender); },
       [bare](const Row &row) { return bare(row.contender); },
       {},
       {}},
  };
}

std::vector<Column<RemarkChange>> remarkChangeColumns() {
  using Row = RemarkChange;
  return {
      {compareWords("Change"), {}, false, [](const Row &row) { return toText(nameOf(row.kind)); }, {}, {}, {}},
      {compareWords("Function"), {}, false, [](const Row &row) { return lineText(row.remark.functionName); }, {}, {}, {}},
      {compareWords("Line"),
       {},
       true,
       [](const Row &row) { return row.remark.line == 0 ? QString() : QString::number(row.remark.line); },
       [](const Row &row) { return QVariant(row.remark.line); },
       {},
       {}},
      {compareWords("Kind"), {}, false, [](const Row &row) { return toText(nameOf(row.remark.kind)); }, {}, {}, {}},
      {compareWords("Pass"), {}, false, [](const Row &row) { return lineText(row.remark.pass); }, {}, {}, {}},
      {compareWords("Message"), {}, false, [](const Row &row) { return lineText(row.remark.message, 1000); }, {}, {}, {}},
  };
}

std::vector<Column<CompileComparison>> comparedCompileColumns() {
  using Row = CompileComparison;
  const QString tip = compareWords("Median over the compiles of the templates that both sessions compiled, all phases together");
  const auto duration = [](std::size_t compiles, double ns) { return compiles == 0 ? QString() : durationText(ns); };
  return {
      {compareWords("Function"),
       {},
       false,
       [](const Row &row) { return functionText(row.key.function, 0, row.key.eager); },
       {},
       {},
       {}},
      {compareWords("Pipeline"),
       compareWords("Pipelines of the base / of the contender, if they differ"),
       false,
       [](const Row &row) { return lineText(row.pipelineLabel()); },
       {},
       {},
       {}},
      {compareWords("Templates"),
       compareWords("That both sessions compiled"),
       true,
       [](const Row &row) { return countText(row.templates); },
       [](const Row &row) { return numberValue(row.templates); },
       {},
       {}},
      {compareWords("Compiles"),
       compareWords("Of the base and of the contender"),
       true,
       [](const Row &row) { return pairText(row.baseCompiles, row.contenderCompiles); },
       [](const Row &row) { return numberValue(row.contenderCompiles); },
       {},
       {}},
      {compareWords("Base median"),
       tip,
       true,
       [duration](const Row &row) { return duration(row.baseCompiles, row.baseMedianNs); },
       [](const Row &row) { return QVariant(row.baseMedianNs); },
       {},
       {},
       QStringLiteral("ns")},
      {compareWords("Contender median"),
       tip,
       true,
       [duration](const Row &row) { return duration(row.contenderCompiles, row.contenderMedianNs); },
       [](const Row &row) { return QVariant(row.contenderMedianNs); },
       {},
       {},
       QStringLiteral("ns")},
      {compareWords("Ratio"),
       compareWords("The contender's median relative to the base's. It is not judged, because most functions compile only once"),
       true,
       [](const Row &row) {
         const std::optional<double> ratio = row.ratio();
         return ratio ? QStringLiteral("%1×").arg(*ratio, 0, 'f', 2) : toText(row.whyNoRatio());
       },
       [](const Row &row) { return row.ratio() ? QVariant(*row.ratio()) : QVariant(); },
       {},
       {}},
  };
}

} // namespace jitscope::ui
