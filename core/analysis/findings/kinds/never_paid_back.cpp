// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/never_paid_back.h"

#include "analysis/compiles/study_summary.h"
#include "analysis/statistics/break_even.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace jitscope::analysis {

namespace {

/// A function that is called no more often than this is as good as never used again.
constexpr std::uint64_t kFewCalls = 2;
/// A script has a few functions that run once. So many are a pattern.
constexpr std::size_t kFewestOnceCalled = 8;

std::uint64_t callsOf(const CallHistory &history, base::TemplateId entry) {
  const auto found = history.templateCalls.find(entry);
  return found == history.templateCalls.end() ? 0 : found->second;
}

/// Compiled ahead of time, and never called.
base::Result<void> findUnused(FindingEvidence &evidence, FindingList &list) {
  JITSCOPE_TRY(const CallHistory *const history, evidence.history());
  std::map<base::FunctionId, Finding> unused;
  std::map<base::FunctionId, std::vector<const CompileRecord *>> counted;
  for (const CompileRecord &record : evidence.compiles()) {
    if (!record.isPaidByCall() && callsOf(*history, record.compile.templateId) == 0 && list.unclaimedNs(record) > 0) {
      const auto [entry, isNew] = unused.try_emplace(record.functionId);
      Finding &finding = entry->second;
      if (isNew) {
        finding = evidence.about(FindingKind::NeverPaidBack, evidence.function(record.functionId));
      }
      finding.costNs += list.unclaimedNs(record);
      finding.rows.compiles.push_back(record.compile.id);
      finding.rows.templates.push_back(record.compile.templateId);
      counted[record.functionId].push_back(&record);
    }
  }
  for (auto &[id, finding] : unused) {
    if (!evidence.isWorthwhile(finding.costNs)) {
      continue;
    }
    for (const CompileRecord *const record : counted[id]) {
      list.claim(*record);
    }
    const std::size_t templates = finding.rows.templates.size();
    finding.title = fmt::format("{} was compiled ahead of time for {} that no call used", nameForFinding(evidence.function(id)),
                                base::counted(templates, "template"));
    finding.explanation = fmt::format("compile() took {} for {}, e.g. {}. The session has no call of {}.",
                                      base::formatNs(finding.costNs), base::counted(templates, "template"),
                                      evidence.entry(finding.rows.templates.front()).signature, templates == 1 ? "it" : "them");
    finding.remedy = "Leave these compile() calls out, or correct their arguments: dtype and shape must be those of the calls.";
    finding.effect = fmt::format("{} saved.", base::formatNs(finding.costNs));
    list.add(std::move(finding));
  }
  return {};
}

/// Called too seldom for the pipeline that compiled it, as a study of the same function shows.
base::Result<void> findDearPipelines(FindingEvidence &evidence, FindingList &list) {
  JITSCOPE_TRY(const std::vector<StudySummary> studies, summarizeStudies(evidence.reader()));
  if (studies.empty()) {
    return {};
  }
  JITSCOPE_TRY(const CallHistory *const history, evidence.history());
  std::set<base::FunctionId> told;
  for (const CompileRecord &record : evidence.compiles()) {
    const auto study = std::ranges::find(studies, record.functionId, [](const StudySummary &s) { return s.study.functionId; });
    if (study == studies.end() || !record.isPaidByCall() || record.isCold() || told.contains(record.functionId)) {
      continue;
    }
    const auto used =
        std::ranges::find(study->pipelines, record.compile.pipeline, [](const StudyPipeline &p) { return p.result.pipeline; });
    if (used == study->pipelines.end() || !used->result.isExecuted) {
      continue;
    }
    const auto calls = static_cast<double>(callsOf(*history, record.compile.templateId));
    const CostLine usedCost{used->compile.total.medianNs, used->execute.medianNs};
    for (const StudyPipeline &other : study->pipelines) {
      const CostLine cost{other.compile.total.medianNs, other.execute.medianNs};
      if (!other.result.isExecuted || cost.onceNs <= 0 || cost.onceNs >= usedCost.onceNs) {
        continue;
      }
      const std::optional<std::uint64_t> breakEven = breakEvenCalls(usedCost, cost);
      // The study's medians, but no more than this compile took.
      const double saved = std::min(usedCost.onceNs - cost.onceNs - calls * (cost.perCallNs - usedCost.perCallNs),
                                    static_cast<double>(list.unclaimedNs(record)));
      if ((breakEven && calls >= static_cast<double>(*breakEven)) || !(saved > 0) ||
          !evidence.isWorthwhile(static_cast<std::uint64_t>(saved))) {
        continue;
      }
      const event::FunctionEvent &function = evidence.function(record.functionId);
      Finding finding = evidence.about(FindingKind::NeverPaidBack, function);
      finding.costNs = static_cast<std::uint64_t>(saved);
      finding.rows.compiles.push_back(record.compile.id);
      finding.rows.templates.push_back(record.compile.templateId);
      finding.title = fmt::format("{} was called {}, too seldom for the pipeline {}", nameForFinding(function),
                                  base::counted(static_cast<std::uint64_t>(calls), "time"), record.compile.pipeline);
      finding.explanation = fmt::format(
          "The study at line {} compiled it in {} with {} and in {} with {}. {}", study->study.line,
          base::formatDuration(usedCost.onceNs), record.compile.pipeline, base::formatDuration(cost.onceNs), other.result.pipeline,
          breakEven ? fmt::format("Faster calls make up for that after {}.", base::counted(*breakEven, "call"))
                    : std::string("Its calls are no faster for that."));
      finding.remedy = fmt::format("Use options{{pipeline=\"{}\"}} for it.", other.result.pipeline);
      finding.effect = fmt::format("About {} saved, by the study's medians.", base::formatDuration(saved));
      told.insert(record.functionId);
      list.claim(record, finding.costNs);
      list.add(std::move(finding));
      break;
    }
  }
  return {};
}

/// Many functions, each compiled for a call or two.
base::Result<void> findCalledOnce(FindingEvidence &evidence, FindingList &list) {
  std::map<base::FunctionId, std::vector<const CompileRecord *>> compiles;
  for (const CompileRecord &record : evidence.compiles()) {
    if (record.isPaidByCall() && !record.caseId.isValid() && list.unclaimedNs(record) > 0) {
      compiles[record.functionId].push_back(&record);
    }
  }
  std::erase_if(compiles, [&](const auto &entry) { return evidence.function(entry.first).eager; });
  if (compiles.size() < kFewestOnceCalled) {
    return {};
  }
  JITSCOPE_TRY(const CallHistory *const history, evidence.history());
  Finding finding;
  finding.kind = FindingKind::NeverPaidBack;
  std::uint64_t compileNs = 0;
  std::uint64_t executeNs = 0;
  std::uint64_t calls = 0;
  std::uint64_t needed = 0;
  std::vector<const CompileRecord *> counted;
  for (const auto &[id, records] : compiles) {
    const auto function = history->functions.find(id);
    if (function == history->functions.end() || function->second.calls == 0 || function->second.calls > kFewCalls ||
        function->second.callsInCases > 0) {
      continue;
    }
    std::uint64_t ownNs = 0;
    for (const CompileRecord *record : records) {
      ownNs += record->compile.totalNs;
    }
    const std::uint64_t runNs = function->second.executeNs / function->second.calls;
    const std::optional<std::uint64_t> worth = callsWorth(static_cast<double>(ownNs), static_cast<double>(runNs));
    if (worth && *worth <= function->second.calls) {
      continue;
    }
    needed = std::max(needed, worth.value_or(0));
    calls += function->second.calls;
    compileNs += ownNs;
    executeNs += function->second.executeNs;
    finding.rows.functions.push_back(id);
    for (const CompileRecord *record : records) {
      finding.costNs += list.unclaimedNs(*record, record->compile.optimizeNs);
      counted.push_back(record);
      finding.rows.compiles.push_back(record->compile.id);
      finding.rows.calls.push_back(record->compile.callId);
    }
  }
  if (finding.rows.functions.size() < kFewestOnceCalled || !evidence.isWorthwhile(finding.costNs)) {
    return {};
  }
  for (const CompileRecord *const record : counted) {
    list.claim(*record, list.unclaimedNs(*record, record->compile.optimizeNs));
  }
  finding.line = evidence.function(finding.rows.functions.front()).line;
  finding.title = fmt::format("{} were compiled for {} in all and never paid that back",
                              base::counted(finding.rows.functions.size(), "function"), base::counted(calls, "call"));
  finding.explanation =
      fmt::format("Compiling took {}, running {}. It takes up to {} of one of them until as much time goes into running "
                  "as went into compiling.",
                  base::formatNs(compileNs), base::formatNs(executeNs), base::counted(needed, "call"));
  finding.remedy =
      "Compile what runs once with options{opt=0}, or run its operations outside a function, where equal ones share their "
      "executables.";
  finding.effect = fmt::format("At most the {} of optimizing saved.", base::formatNs(finding.costNs));
  list.add(std::move(finding));
  return {};
}

} // namespace

base::Result<void> findNeverPaidBack(FindingEvidence &evidence, FindingList &list) {
  if (evidence.compiles().empty()) {
    return {};
  }
  const bool hasAhead =
      std::ranges::any_of(evidence.compiles(), [](const CompileRecord &record) { return !record.isPaidByCall(); });
  if (hasAhead) {
    JITSCOPE_TRY_VOID(findUnused(evidence, list));
  }
  JITSCOPE_TRY_VOID(findDearPipelines(evidence, list));
  return findCalledOnce(evidence, list);
}

} // namespace jitscope::analysis
