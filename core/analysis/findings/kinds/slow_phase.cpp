// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/slow_phase.h"

#include "analysis/compiles/study_summary.h"
#include "analysis/query/each_row.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jitscope::analysis {

namespace {

/// A phase or pass below this is not worth a look, whatever its share.
constexpr std::uint64_t kLeastPhaseNs = 50'000'000;

/// What a phase may take of a compile before it is reported. Optimizing and code generation are what compiling is; tracing,
/// lowering and linking normally take a few per cent.
struct PhaseRule {
  std::string_view name;
  std::uint64_t event::CompileEvent::*ns;
  double usualShare;
  std::string_view doing; ///< "tracing"
  std::string_view why;
  std::string_view remedy;
};
constexpr std::array<PhaseRule, 4> kPhaseRules{{
    {"trace", &event::CompileEvent::traceNs, 0.5, "Tracing",
     "While a function is traced, its body runs on the host: what is slow there is no part of the executable, and every new "
     "template "
     "pays for it again",
     "Move host work (reading files, waiting, building tables) out of the function, and pass its result as an argument."},
    {"lower", &event::CompileEvent::lowerNs, 0.5, "Lowering", "The graph is turned into LLVM's IR operation by operation",
     "Make the graph smaller: use tensor operations instead of loops in the script that repeat them."},
    {"codegen", &event::CompileEvent::codegenNs, 0.85, "Generating code",
     "Code generation grows with the amount of code that the optimizer leaves, such as long unrolled bodies",
     "Make the graph smaller, or compile it with options{opt=1}."},
    {"link", &event::CompileEvent::linkNs, 0.5, "Linking", "Code that was made is linked into the process",
     "Compile fewer, larger functions."},
}};

/// What is known to leave a pass out.
struct PassRule {
  std::string_view pass;
  std::string_view option;
};
constexpr std::array<PassRule, 2> kPassRules{{{"slp-vectorizer", "slp"}, {"loop-vectorize", "loop_vectorize"}}};
constexpr double kUsualPassShare = 0.5;

/// The compiles of one function: what a phase took of them, and what no other finding counts of that.
struct PhaseSum {
  std::uint64_t phaseNs = 0;
  std::uint64_t totalNs = 0;
  std::uint64_t unclaimedNs = 0;
  std::vector<const CompileRecord *> compiles;
};

/// " Other findings count 4.00 s of that."; empty where no other finding counts any of it.
std::string countedElsewhere(std::uint64_t allNs, std::uint64_t costNs) {
  return allNs == costNs ? std::string() : fmt::format(" Other findings count {} of that.", base::formatNs(allNs - costNs));
}

void findPhase(FindingEvidence &evidence, FindingList &list, const PhaseRule &rule) {
  std::map<base::FunctionId, PhaseSum> sums;
  for (const CompileRecord &record : evidence.compiles()) {
    if (!record.isCold()) {
      PhaseSum &sum = sums[record.functionId];
      sum.phaseNs += record.compile.*rule.ns;
      sum.totalNs += record.compile.totalNs;
      sum.unclaimedNs += list.unclaimedNs(record, record.compile.*rule.ns);
      sum.compiles.push_back(&record);
    }
  }
  for (const auto &[id, sum] : sums) {
    if (sum.unclaimedNs < kLeastPhaseNs || base::shareOf(sum.phaseNs, sum.totalNs) < rule.usualShare ||
        !evidence.isWorthwhile(sum.unclaimedNs)) {
      continue;
    }
    const event::FunctionEvent &function = evidence.function(id);
    Finding finding = evidence.about(FindingKind::SlowPhase, function);
    finding.costNs = sum.unclaimedNs;
    for (const CompileRecord *const record : sum.compiles) {
      list.claim(*record, list.unclaimedNs(*record, record->compile.*rule.ns));
      finding.rows.compiles.push_back(record->compile.id);
      finding.rows.calls.push_back(record->compile.callId);
      finding.rows.templates.push_back(record->compile.templateId);
    }
    const std::size_t compiles = sum.compiles.size();
    finding.title = fmt::format("{} {} takes {} {}", rule.doing, nameForFinding(function), base::formatNs(sum.phaseNs / compiles),
                                compiles == 1 ? "of its compile" : "in each compile");
    finding.explanation = fmt::format("{}. In {} this took {}, {} of {} time.{}", rule.why, base::counted(compiles, "compile"),
                                      base::formatNs(sum.phaseNs), base::formatShare(base::shareOf(sum.phaseNs, sum.totalNs)),
                                      compiles == 1 ? "its" : "their", countedElsewhere(sum.phaseNs, sum.unclaimedNs));
    finding.remedy = rule.remedy;
    finding.effect =
        fmt::format("Up to {} of {} of compiling saved.", base::formatNs(sum.unclaimedNs), base::formatNs(sum.totalNs));
    list.add(std::move(finding));
  }
}

/// What a study in the session measured about a pass: " (a study …)"; empty without one.
std::string studyOf(const std::vector<StudySummary> &studies, std::string_view option) {
  const std::string off = fmt::format("{}=off", option);
  for (const StudySummary &study : studies) {
    if (study.study.options.find(off) != std::string::npos && !study.pipelines.empty() &&
        study.pipelines.front().compile.total.medianNs > 0) {
      return fmt::format(" The study of {} at line {} with {} compiled in {}.", study.study.name, study.study.line, off,
                         base::formatDuration(study.pipelines.front().compile.total.medianNs));
    }
  }
  return {};
}

/// The pass that took longest over compiles outside cold legs.
struct PassTime {
  std::string name;
  std::uint64_t runs = 0;
  std::uint64_t totalNs = 0;
  std::uint64_t allNs = 0; ///< of every pass
  std::map<base::CompileId, std::uint64_t> byCompile;
};

base::Result<PassTime> readLongestPass(session::Database &database) {
  constexpr std::string_view kFrom =
      "FROM compile c JOIN pass p ON p.compile_id = c.id LEFT JOIN call_record r ON r.id = c.call_id LEFT JOIN call_context x ON "
      "x.id = r.context_id WHERE c.study_id IS NULL AND x.leg IS NOT 'cold'";
  PassTime longest;
  JITSCOPE_TRY_VOID(eachRow(database,
                            fmt::format("SELECT p.name, count(*), sum(p.duration_ns) {} GROUP BY p.name ORDER BY 3 DESC, 1", kFrom),
                            [&](const session::Statement &row) {
                              longest.allNs += row.unsignedInteger(2);
                              if (longest.name.empty()) {
                                longest.name = row.text(0);
                                longest.runs = row.unsignedInteger(1);
                                longest.totalNs = row.unsignedInteger(2);
                              }
                            }));
  JITSCOPE_TRY(session::Statement select,
               database.prepare(fmt::format("SELECT c.id, sum(p.duration_ns) {} AND p.name = ?1 GROUP BY c.id", kFrom)));
  select.bind(1, std::string_view(longest.name));
  for (;;) {
    JITSCOPE_TRY(const bool row, select.step());
    if (!row) {
      return longest;
    }
    longest.byCompile[base::CompileId(select.number(0))] = select.unsignedInteger(1);
  }
}

base::Result<void> findPass(FindingEvidence &evidence, FindingList &list) {
  JITSCOPE_TRY(const PassTime longest, readLongestPass(evidence.database()));
  Finding finding;
  finding.kind = FindingKind::SlowPhase;
  std::uint64_t compileNs = 0;
  std::vector<std::pair<const CompileRecord *, std::uint64_t>> counted;
  std::map<base::FunctionId, std::uint64_t> byFunction;
  for (const CompileRecord &record : evidence.compiles()) {
    compileNs += record.isCold() ? 0 : record.compile.totalNs;
    if (const auto pass = longest.byCompile.find(record.compile.id); pass != longest.byCompile.end()) {
      counted.emplace_back(&record, list.unclaimedNs(record, pass->second));
      finding.costNs += counted.back().second;
      byFunction[record.functionId] += pass->second;
      finding.rows.compiles.push_back(record.compile.id);
      finding.rows.functions.push_back(record.functionId);
    }
  }
  const double share = base::shareOf(longest.totalNs, compileNs);
  if (finding.costNs < kLeastPhaseNs || share < kUsualPassShare || !evidence.isWorthwhile(finding.costNs)) {
    return {};
  }
  for (const auto &[record, ns] : counted) {
    list.claim(*record, ns);
  }
  finding.title = fmt::format("The pass {} takes {} of compile time", longest.name, base::formatShare(share));
  finding.explanation = fmt::format("It ran {} in {} and took {} of {} of optimizing.{}", base::counted(longest.runs, "time"),
                                    base::counted(counted.size(), "compile"), base::formatNs(longest.totalNs),
                                    base::formatNs(longest.allNs), countedElsewhere(longest.totalNs, finding.costNs));
  const auto *const rule = std::ranges::find(kPassRules, std::string_view(longest.name), &PassRule::pass);
  if (rule != kPassRules.end()) {
    finding.remedy = fmt::format("Compile with options{{{}=false}} where this code gains nothing from the pass.", rule->option);
    JITSCOPE_TRY(const std::vector<StudySummary> studies, summarizeStudies(evidence.reader()));
    finding.effect = fmt::format("Up to {} saved.{}", base::formatNs(finding.costNs), studyOf(studies, rule->option));
  } else {
    finding.remedy =
        "Compile with a lower options{opt=…}, or make the functions smaller: unrolled bodies are what passes take longest "
        "on.";
    finding.effect = fmt::format("Up to {} saved.", base::formatNs(finding.costNs));
  }
  // The function whose compiles it took longest in has the line.
  if (const auto most = std::ranges::max_element(byFunction, {}, [](const auto &entry) { return entry.second; });
      most != byFunction.end()) {
    const event::FunctionEvent &function = evidence.function(most->first);
    finding.line = function.line;
    finding.explanation += fmt::format(" Most of it, {}, was for {}.", base::formatNs(most->second), nameForFinding(function));
  }
  list.add(std::move(finding));
  return {};
}

} // namespace

base::Result<void> findSlowPhases(FindingEvidence &evidence, FindingList &list) {
  if (evidence.compileNs() < kLeastPhaseNs) {
    return {};
  }
  for (const PhaseRule &rule : kPhaseRules) {
    findPhase(evidence, list, rule);
  }
  return findPass(evidence, list);
}

} // namespace jitscope::analysis
