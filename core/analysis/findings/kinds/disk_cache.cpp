// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/disk_cache.h"

#include "base/counted.h"
#include "base/units.h"

#include <fmt/format.h>

namespace jitscope::analysis {

base::Result<void> findDiskCacheProblems(FindingEvidence &evidence, FindingList &list) {
  for (const event::MissReason reason : {event::MissReason::DiskOtherTarget, event::MissReason::DiskCorrupt}) {
    Finding finding;
    finding.kind = FindingKind::DiskCache;
    std::uint64_t compiles = 0;
    std::string difference;
    std::vector<const CompileRecord *> claimed;
    for (const CompileRecord &record : evidence.compiles()) {
      if (record.compile.reason == reason) {
        ++compiles;
        // A call from disk is traced, too: its graph is part of the key.
        finding.costNs += record.compile.optimizeNs + record.compile.codegenNs;
        finding.rows.compiles.push_back(record.compile.id);
        finding.rows.calls.push_back(record.compile.callId);
        finding.rows.templates.push_back(record.compile.templateId);
        finding.rows.functions.push_back(record.functionId);
        finding.line = finding.line == 0 ? evidence.function(record.functionId).line : finding.line;
        difference = difference.empty() ? record.compile.difference : difference;
        claimed.push_back(&record);
      }
    }
    if (compiles == 0 || !evidence.isWorthwhile(finding.costNs)) {
      continue;
    }
    for (const CompileRecord *const record : claimed) {
      list.claim(*record, record->compile.optimizeNs + record->compile.codegenNs);
    }
    const bool isTarget = reason == event::MissReason::DiskOtherTarget;
    finding.title =
        isTarget
            ? fmt::format("The disk cache could not serve {}: its code is for another target", base::counted(compiles, "compile"))
            : fmt::format("The disk cache could not serve {}: its files could not be used", base::counted(compiles, "compile"));
    const std::string why = difference.empty() ? std::string()
                            : isTarget         ? fmt::format(", but the key differs: {}", difference)
                                               : fmt::format(", but not in a file that may be used: {}", difference);
    finding.explanation = fmt::format("The disk has code for these graphs{}. Optimizing and generating code again took {}.", why,
                                      base::formatNs(finding.costNs));
    finding.remedy = isTarget
                         ? "Set cpu to the oldest CPU that the cache has to serve, or give each kind of machine a cache of its "
                           "own."
                         : "This run replaced the files where it could. If it repeats, check the disk and what else writes there.";
    finding.effect = isTarget ? fmt::format("Code from disk would have saved up to {}.", base::formatNs(finding.costNs)) : "";
    list.add(std::move(finding));
  }
  return {};
}

} // namespace jitscope::analysis
