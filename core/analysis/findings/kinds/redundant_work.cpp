// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/redundant_work.h"

#include "analysis/query/each_row.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::analysis {

namespace {

constexpr double kLeastRepeatedShare = 0.1;

/// The repeats of one pipeline's compiles.
struct RepeatSum {
  std::uint64_t repeatNs = 0;
  std::uint64_t optimized = 0;
  std::map<base::FunctionId, std::uint64_t> byFunction;
  std::map<base::CompileId, std::uint64_t> byCompile;
};

base::Result<std::map<std::string, RepeatSum>> readRepeats(session::Database &database) {
  std::map<std::string, RepeatSum> sums;
  JITSCOPE_TRY_VOID(
      eachRow(database,
              "SELECT c.pipeline, w.compile_id, w.function_id, w.repeat_optimize_ns + w.repeat_emit_ns, w.optimized "
              "FROM compile c JOIN function_work w ON w.compile_id = c.id LEFT JOIN call_record r ON r.id = c.call_id "
              "LEFT JOIN call_context x ON x.id = r.context_id WHERE c.study_id IS NULL AND x.leg IS NOT 'cold'",
              [&sums](const session::Statement &row) {
                const std::uint64_t ns = row.unsignedInteger(3);
                RepeatSum &sum = sums[std::string(row.text(0))];
                if (ns > 0) {
                  sum.repeatNs += ns;
                  sum.optimized += row.unsignedInteger(4);
                  sum.byCompile[base::CompileId(row.number(1))] += ns;
                  sum.byFunction[base::FunctionId(row.number(2))] += ns;
                }
              }));
  return sums;
}

} // namespace

base::Result<void> findRedundantWork(FindingEvidence &evidence, FindingList &list) {
  JITSCOPE_TRY(const auto sums, readRepeats(evidence.database()));
  for (const auto &[pipeline, sum] : sums) {
    std::uint64_t compileNs = 0;
    Finding finding;
    std::vector<std::pair<const CompileRecord *, std::uint64_t>> counted;
    for (const CompileRecord &record : evidence.compiles()) {
      if (record.compile.pipeline != pipeline || record.isCold()) {
        continue;
      }
      compileNs += record.compile.totalNs;
      if (const auto repeats = sum.byCompile.find(record.compile.id); repeats != sum.byCompile.end()) {
        counted.emplace_back(&record, list.unclaimedNs(record, repeats->second));
        finding.costNs += counted.back().second;
        finding.rows.compiles.push_back(record.compile.id);
      }
    }
    const double share = base::shareOf(sum.repeatNs, compileNs);
    if (share < kLeastRepeatedShare || !evidence.isWorthwhile(finding.costNs)) {
      continue;
    }
    for (const auto &[record, ns] : counted) {
      list.claim(*record, ns);
    }
    const auto longest = std::ranges::max_element(sum.byFunction, {}, [](const auto &entry) { return entry.second; });
    const event::FunctionEvent &most = evidence.function(longest->first);
    finding.kind = FindingKind::RedundantWork;
    finding.line = most.line;
    finding.rows.functions.push_back(longest->first);
    finding.title = fmt::format("Redundant work takes {} of compile time with the pipeline {}", base::formatShare(share), pipeline);
    finding.explanation = fmt::format(
        "Copies of {} in their callers' modules were optimized and emitted again, {} optimizer runs in all. The longest, "
        "{}, took {}.",
        base::counted(sum.byFunction.size(), "function"), base::formatCount(sum.optimized), nameForFinding(most),
        base::formatNs(longest->second));
    finding.remedy = "Compile with options{pipeline=\"deferred\"}, which optimizes each function once.";
    finding.effect = fmt::format("Up to {} of {} saved.", base::formatNs(finding.costNs), base::formatNs(compileNs));
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
