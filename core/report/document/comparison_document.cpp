// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/comparison_document.h"

#include "analysis/compare/comparison.h"
#include "analysis/statistics/rank_test.h"
#include "base/units.h"
#include "report/document/bench_text.h"
#include "report/document/bounded_rows.h"
#include "report/document/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace jitscope::report {

namespace {

using analysis::changeText;
using analysis::Comparison;
using analysis::CountComparison;
using analysis::LegComparison;
using analysis::Verdict;

Tone verdictTone(Verdict verdict) {
  switch (verdict) {
  case Verdict::Better:
    return Tone::Good;
  case Verdict::Worse:
    return Tone::Bad;
  case Verdict::CannotTell:
  case Verdict::NotJudged:
    return Tone::Notable;
  case Verdict::Equal:
    break;
  }
  return Tone::Plain;
}

std::string nameOfLeg(const LegComparison &leg) { return event::caseName(leg.name, leg.input); }

DocumentText sideLine(const char *which, const analysis::ComparedSession &side) {
  const session::SessionInfo &info = side.session.info;
  std::string text = fmt::format("{} {}: {} {}", which, side.path,
                                 info.scriptPath.empty() ? "session" : std::filesystem::path(info.scriptPath).filename().string(),
                                 nameOf(side.session.status));
  if (!info.startedUtc.empty()) {
    text += ", started " + info.startedUtc;
  }
  if (!info.llvmVersion.empty()) {
    text += " · LLVM " + info.llvmVersion;
  }
  return {text + " · " + info.cpu, Tone::Dim};
}

DocumentSection timesSection(const Comparison &comparison) {
  DocumentSection section;
  section.title = "Times: " + legVerdictsText(comparison.legVerdicts());
  DocumentTable table;
  table.columns = {{"Name", false, 12},
                   {"Leg", false},
                   {"Base"},
                   {"Contender"},
                   {"Change"},
                   {"95 %"},
                   {"p"},
                   {"Noise"},
                   {"is", false},
                   {"Remark", false, 0, ColumnLayout::Below}};
  DocumentList notes;
  for (const LegComparison &leg : comparison.legs) {
    std::vector<DocumentCell> row{nameOfLeg(leg), legName(leg.leg), base::formatDuration(leg.baseMedianNs),
                                  base::formatDuration(leg.contenderMedianNs)};
    if (leg.shift) {
      const analysis::Interval &interval = leg.shift->ratioInterval;
      row.insert(row.end(), {{changeText(leg.change()), verdictTone(leg.verdict)},
                             fmt::format("{} to {}", changeText(interval.lower - 1), changeText(interval.upper - 1)),
                             analysis::pValueText(leg.adjustedPValue),
                             "±" + base::formatShare(leg.noise)});
    } else {
      row.resize(table.columns.size() - 2, "");
    }
    row.emplace_back(std::string(nameOf(leg.verdict)), verdictTone(leg.verdict));
    row.emplace_back(legRemark(leg, comparison.options), verdictTone(leg.verdict));
    table.rows.push_back(std::move(row));
    if (leg.baseCompileNs > 0 || leg.contenderCompileNs > 0) {
      notes.items.emplace_back(fmt::format("{}, {}: the longest sample that a compile held up took {}, in the base {}",
                                           nameOfLeg(leg), legName(leg.leg),
                                           leg.contenderCompileNs > 0 ? base::formatDuration(leg.contenderCompileNs) : "nothing",
                                           leg.baseCompileNs > 0 ? base::formatDuration(leg.baseCompileNs) : "nothing"));
    }
    if (leg.breakEven && (leg.verdict == Verdict::Better || leg.verdict == Verdict::Worse)) {
      notes.items.back().text += fmt::format("; the longer compile is paid back after {} calls", base::formatCount(*leg.breakEven));
    }
  }
  if (!comparison.legs.empty()) {
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(DocumentText{
        fmt::format(
            "Medians over samples that neither compiled nor waited for a compile. A leg is slower or faster if the change is "
            "significant (p < {:g} by Mann-Whitney, adjusted by Holm), more than {:g} % and more than the noise of the base; "
            "slower "
            "also needs the other leg of the case to be slower. It is equal if the 95 % interval lies within {:g} %. Otherwise the "
            "comparison cannot tell.",
            comparison.options.significance, comparison.options.threshold * 100, comparison.options.threshold * 100),
        Tone::Dim});
  }
  if (!notes.items.empty()) {
    section.blocks.emplace_back(std::move(notes));
  }
  return section;
}

std::string countText(const std::optional<std::uint64_t> &count) { return count ? base::formatCount(*count) : std::string("-"); }

DocumentSection countsSection(const Comparison &comparison) {
  DocumentSection section;
  DocumentTable table;
  table.columns = {{"Count", false}, {"of", false, 12}, {"Base"}, {"Contender"}, {"is", false}};
  std::size_t equal = 0;
  for (const CountComparison &count : comparison.counts) {
    if (count.base == count.contender) {
      ++equal;
      continue;
    }
    table.rows.push_back({std::string(nameOf(count.key.count)),
                          countSubject(count.key),
                          countText(count.base),
                          countText(count.contender),
                          {std::string(count.word()), verdictTone(count.verdict)}});
  }
  section.title = fmt::format("Counts: {} differ, {} equal", table.rows.size(), equal);
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  } else if (equal > 0) {
    section.blocks.emplace_back(
        DocumentText{"Compiles, calls that compiled, and the templates, compiles, code and vectorized loops of each "
                     "function are the same, as far as they were recorded.",
                     Tone::Dim});
  }
  return section;
}

/// Of a function that only one side compiled, or for other templates, there is a time and nothing to hold it against.
std::string changeOf(const analysis::CompileComparison &compile) {
  if (const std::optional<double> ratio = compile.ratio()) {
    return changeText(*ratio - 1);
  }
  return std::string(compile.whyNoRatio());
}

DocumentSection compilesSection(const Comparison &comparison) {
  constexpr std::size_t kMost = 20;
  DocumentSection section;
  section.title = "Compile times";
  DocumentTable table;
  table.columns = {{"Function", false, 12}, {"Pipeline", false}, {"Compiles"}, {"Base"}, {"Contender"}, {"Change"}};
  const auto longer = [](const analysis::CompileComparison &compile) {
    return std::max(compile.baseMedianNs, compile.contenderMedianNs);
  };
  const BoundedRows<analysis::CompileComparison> rows = boundedRows(comparison.compiles, kMost, longer, RowOrder::GivenIfAllFit);
  table.more =
      leftOutText(rows.leftOut.size(), "function", "functions",
                  {fmt::format("{} / {} compiles", base::formatCount(rows.sumLeftOut(&analysis::CompileComparison::baseCompiles)),
                               base::formatCount(rows.sumLeftOut(&analysis::CompileComparison::contenderCompiles)))});
  for (const analysis::CompileComparison *row : rows.shown) {
    const analysis::CompileComparison &compile = *row;
    const auto duration = [](std::size_t compiles, double ns) {
      return compiles == 0 ? std::string("-") : base::formatDuration(ns);
    };
    table.rows.push_back(
        {functionText(compile.key.function, 0, compile.key.eager), compile.pipelineLabel(),
         fmt::format("{} / {}", base::formatCount(compile.baseCompiles), base::formatCount(compile.contenderCompiles)),
         duration(compile.baseCompiles, compile.baseMedianNs), duration(compile.contenderCompiles, compile.contenderMedianNs),
         changeOf(compile)});
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(DocumentText{"Medians over the compiles of the templates that both sessions compiled, all phases "
                                             "together. They are shown and not judged: most functions compile once.",
                                             Tone::Dim});
    if (std::ranges::any_of(comparison.compiles, [](const auto &compile) { return !compile.contenderPipeline.empty(); })) {
      section.blocks.emplace_back(DocumentText{
          "Of two pipelines the first is the base's: each session compiled the function under one of its own.", Tone::Dim});
    }
  }
  return section;
}

DocumentSection listSection(std::string title, const std::vector<std::string> &items, Tone tone) {
  DocumentSection section{std::move(title), {}};
  DocumentList list;
  for (const std::string &item : items) {
    list.items.emplace_back(item, tone);
  }
  if (!list.items.empty()) {
    section.blocks.emplace_back(std::move(list));
  }
  return section;
}

} // namespace

std::string legVerdictsText(const analysis::LegVerdicts &verdicts) {
  std::string text = fmt::format("{} of {} leg{} slower", verdicts.slower, verdicts.all, verdicts.all == 1 ? "" : "s");
  if (verdicts.faster > 0) {
    text += fmt::format(", {} faster", verdicts.faster);
  }
  if (verdicts.equal > 0) {
    text += fmt::format(", {} equal", verdicts.equal);
  }
  if (verdicts.cannotTell > 0) {
    text += fmt::format(", {} cannot tell (noise {}±{})", verdicts.cannotTell, verdicts.cannotTell > 1 ? "up to " : "",
                        base::formatShare(verdicts.noise));
  }
  return text;
}

std::string legRemark(const LegComparison &leg, const analysis::CompareOptions &options) {
  std::string text = doubtText(leg, options);
  if (!text.empty()) {
    text = fmt::format("{}: {}", nameOf(leg.verdict), text);
  }
  if (leg.firstChange) {
    text += fmt::format("{}measured again; the first measurement gave {}", text.empty() ? "" : "; ", changeText(*leg.firstChange));
  }
  return text;
}

std::string countSubject(const analysis::CountKey &key) {
  return key.function.empty() ? std::string("the whole session") : functionText(key.function, 0, key.eager);
}

std::string comparisonVerdict(const Comparison &comparison) {
  const analysis::LegVerdicts legs = comparison.legVerdicts();
  const std::size_t worse = comparison.countsWith(Verdict::Worse);
  std::string text;
  if (legs.all > 0 && (legs.slower > 0 || !comparison.hasRegressed())) {
    text = legVerdictsText(legs);
  }
  if (worse > 0) {
    text += fmt::format("{}{} count{} worse", text.empty() ? "" : "; ", worse, worse == 1 ? "" : "s");
  }
  if (comparison.hasRegressed()) {
    return "Regression: " + text;
  }
  if (!comparison.isSufficient()) {
    const std::size_t possible = comparison.possiblySlower().size();
    // What the sessions lack says more than what that leads to.
    return comparison.insufficient.empty()
               ? fmt::format("Cannot tell: {} leg{} may be slower; {}", possible, possible == 1 ? "" : "s", text)
               : "Cannot tell: " + comparison.insufficient.front();
  }
  return "No regression: " + (text.empty() ? "the counts are equal or better" : text);
}

Document comparisonDocument(const Comparison &comparison) {
  Document document;
  document.title = fmt::format("{} against {}", std::filesystem::path(comparison.contender.path).filename().string(),
                               std::filesystem::path(comparison.base.path).filename().string());
  const Tone tone = comparison.hasRegressed() ? Tone::Bad : comparison.isSufficient() ? Tone::Good : Tone::Notable;
  document.head.push_back({comparisonVerdict(comparison), tone});
  document.head.push_back(sideLine("base", comparison.base));
  document.head.push_back(sideLine("contender", comparison.contender));
  document.sections.push_back(listSection("What cannot be told", comparison.doubts(), Tone::Notable));
  document.sections.push_back(listSection("Warnings", comparison.warnings, Tone::Notable));
  document.sections.push_back(timesSection(comparison));
  document.sections.push_back(countsSection(comparison));
  document.sections.push_back(compilesSection(comparison));
  document.sections.push_back(listSection("Cases that only the base has", comparison.onlyInBase, Tone::Plain));
  document.sections.push_back(listSection("Cases that only the contender has", comparison.onlyInContender, Tone::Plain));
  return document;
}

} // namespace jitscope::report
