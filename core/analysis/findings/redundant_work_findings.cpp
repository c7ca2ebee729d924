// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/finding_kinds.h"
#include "analysis/query/each_row.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <map>
#include <string>

namespace jitscope::analysis {

namespace {

constexpr double kLeastRepeatedShare = 0.1;

struct RepeatSum {
  std::uint64_t repeatNs = 0;
  std::uint64_t optimized = 0;
  std::uint64_t functions = 0;
  base::FunctionId most; ///< the function with the longest repeats
  std::uint64_t mostNs = 0;
};

} // namespace

base::Result<void> findRedundantWork(FindingEvidence &evidence, FindingList &list) {
  std::map<std::string, RepeatSum> sums;
  JITSCOPE_TRY_VOID(eachRow(evidence.database(),
                            "SELECT c.pipeline, w.function_id, sum(w.repeat_optimize_ns + w.repeat_emit_ns), sum(w.optimized) FROM "
                            "compile c JOIN function_work w ON w.compile_id = c.id WHERE c.study_id IS NULL GROUP BY c.pipeline, "
                            "w.function_id",
                            [&sums](const session::Statement &row) {
                              RepeatSum &sum = sums[std::string(row.text(0))];
                              const std::uint64_t ns = row.unsignedInteger(2);
                              sum.repeatNs += ns;
                              sum.functions += ns > 0 ? 1 : 0;
                              sum.optimized += ns > 0 ? row.unsignedInteger(3) : 0;
                              if (ns > sum.mostNs) {
                                sum.mostNs = ns;
                                sum.most = base::FunctionId(row.number(1));
                              }
                            }));
  for (const auto &[pipeline, sum] : sums) {
    std::uint64_t compileNs = 0;
    Finding finding;
    for (const CompileRecord &record : evidence.compiles()) {
      if (record.compile.pipeline == pipeline) {
        compileNs += record.compile.totalNs;
        finding.rows.compiles.push_back(record.compile.id);
      }
    }
    const double share = base::shareOf(sum.repeatNs, compileNs);
    if (share < kLeastRepeatedShare || !evidence.isWorthwhile(sum.repeatNs)) {
      continue;
    }
    const event::FunctionEvent &most = evidence.function(sum.most);
    finding.kind = FindingKind::RedundantWork;
    finding.line = most.line;
    finding.rows.functions.push_back(sum.most);
    finding.costNs = sum.repeatNs;
    finding.title = fmt::format("Redundant work takes {} of compile time with the pipeline {}", base::formatShare(share), pipeline);
    finding.explanation = fmt::format(
        "Copies of {} in their callers' modules were optimized and emitted again, {} optimizer runs in all. The longest, "
        "{}, took {}.",
        base::counted(sum.functions, "function"), base::formatCount(sum.optimized), nameForFinding(most),
        base::formatNs(sum.mostNs));
    finding.remedy = "Compile with options{pipeline=\"deferred\"}, which optimizes each function once.";
    finding.effect = fmt::format("Up to {} of {} saved.", base::formatNs(sum.repeatNs), base::formatNs(compileNs));
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
