// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/cold_start.h"

#include "base/counted.h"
#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace jitscope::analysis {

namespace {

/// Every session compiles something. Below this nobody notices.
constexpr std::uint64_t kLeastColdNs = 1'000'000'000;
constexpr double kLeastColdShare = 0.1;

} // namespace

base::Result<void> findColdStart(FindingEvidence &evidence, FindingList &list) {
  Finding finding;
  finding.kind = FindingKind::ColdStart;
  std::uint64_t totalNs = 0;
  std::uint64_t traceNs = 0;
  std::uint64_t optimizeNs = 0;
  std::uint64_t codegenNs = 0;
  std::uint64_t longestNs = 0;
  std::set<base::FunctionId> functions;
  std::set<base::TemplateId> templates;
  for (const CompileRecord &record : evidence.compiles()) {
    const event::MissReason reason = record.compile.reason;
    const bool isFirst = reason != event::MissReason::Evicted && reason != event::MissReason::Cleared;
    const std::uint64_t ns = list.unclaimedNs(record);
    if (!isFirst || !record.isPaidByCall() || record.caseId.isValid() || ns == 0) {
      continue;
    }
    finding.costNs += ns;
    totalNs += record.compile.totalNs;
    traceNs += record.compile.traceNs;
    optimizeNs += record.compile.optimizeNs;
    codegenNs += record.compile.codegenNs;
    functions.insert(record.functionId);
    templates.insert(record.compile.templateId);
    finding.rows.compiles.push_back(record.compile.id);
    finding.rows.calls.push_back(record.compile.callId);
    if (ns > longestNs) {
      longestNs = ns;
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
      fmt::format("They took {}: {} for tracing, {} for optimizing and {} for code generation.", base::formatNs(totalNs),
                  base::formatNs(traceNs), base::formatNs(optimizeNs), base::formatNs(codegenNs));
  if (totalNs > finding.costNs) {
    finding.explanation += fmt::format(" Other findings count {} of that.", base::formatNs(totalNs - finding.costNs));
  }
  finding.remedy =
      fmt::format("Compile the {} with compile() before the first call has to be fast; options{{disk_cache=true}} saves "
                  "optimizing and code generation in later runs.",
                  base::counted(templates.size(), "template"));
  finding.effect = fmt::format("No call would wait; a later run from disk saves up to {}.",
                               base::formatNs(std::min(finding.costNs, optimizeNs + codegenNs)));
  list.add(std::move(finding));
  return {};
}

} // namespace jitscope::analysis
