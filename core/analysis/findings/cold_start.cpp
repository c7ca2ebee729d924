// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/finding_kinds.h"
#include "base/counted.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace jitscope::analysis {

namespace {

/// Every session compiles something. Below this nobody notices.
constexpr std::uint64_t kLeastColdNs = 1'000'000'000;
constexpr double kLeastColdShare = 0.1;

} // namespace

base::Result<void> findColdStart(FindingEvidence &evidence, FindingList &list) {
  // Functions that another finding is about are left to it.
  std::set<base::FunctionId> told;
  for (const Finding &finding : list.findings()) {
    if (finding.kind == FindingKind::SlowPhase || finding.kind == FindingKind::Storm) {
      told.insert(finding.rows.functions.begin(), finding.rows.functions.end());
    }
  }
  Finding finding;
  finding.kind = FindingKind::ColdStart;
  std::uint64_t traceNs = 0;
  std::uint64_t optimizeNs = 0;
  std::uint64_t codegenNs = 0;
  std::uint64_t longestNs = 0;
  std::set<base::FunctionId> functions;
  std::set<base::TemplateId> templates;
  for (const CompileRecord &record : evidence.compiles()) {
    const event::MissReason reason = record.compile.reason;
    const bool isFirst = reason != event::MissReason::Evicted && reason != event::MissReason::Cleared;
    if (!isFirst || !record.isPaidByCall() || record.caseId.isValid() || list.isClaimed(record.compile.id) ||
        told.contains(record.functionId)) {
      continue;
    }
    finding.costNs += record.compile.totalNs;
    traceNs += record.compile.traceNs;
    optimizeNs += record.compile.optimizeNs;
    codegenNs += record.compile.codegenNs;
    functions.insert(record.functionId);
    templates.insert(record.compile.templateId);
    finding.rows.compiles.push_back(record.compile.id);
    finding.rows.calls.push_back(record.compile.callId);
    if (record.compile.totalNs > longestNs) {
      longestNs = record.compile.totalNs;
      finding.line = evidence.function(record.functionId).line;
    }
  }
  if (finding.costNs < kLeastColdNs || base::shareOf(finding.costNs, evidence.durationNs()) < kLeastColdShare) {
    return {};
  }
  finding.rows.functions.assign(functions.begin(), functions.end());
  finding.rows.templates.assign(templates.begin(), templates.end());
  finding.title = fmt::format("First calls waited for {} of {}", base::counted(finding.rows.compiles.size(), "compile"),
                              base::counted(functions.size(), "function"));
  finding.explanation =
      fmt::format("The longest compile took {}. Of all, {} went into tracing, {} into optimizing and {} into code "
                  "generation.",
                  base::formatNs(longestNs), base::formatNs(traceNs), base::formatNs(optimizeNs), base::formatNs(codegenNs));
  finding.remedy =
      fmt::format("Compile the {} with compile() before the first call has to be fast; options{{disk_cache=true}} saves "
                  "optimizing and code generation in later runs.",
                  base::counted(templates.size(), "template"));
  finding.effect = fmt::format("No call would wait; a later run from disk saves up to {}.", base::formatNs(optimizeNs + codegenNs));
  list.add(std::move(finding));
  return {};
}

} // namespace jitscope::analysis
