// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/kinds/small_cache.h"

#include "analysis/query/each_row.h"
#include "base/counted.h"
#include "base/try.h"
#include "base/units.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <set>

namespace jitscope::analysis {

namespace {

/// A single recompile may be chance. Repeated ones show that the cache is too small.
constexpr std::uint64_t kFewestEvicted = 2;

} // namespace

base::Result<void> findSmallCache(FindingEvidence &evidence, FindingList &list) {
  Finding finding;
  finding.kind = FindingKind::SmallCache;
  std::uint64_t compiles = 0;
  std::set<base::FunctionId> functions;
  std::set<base::TemplateId> templates;
  std::vector<const CompileRecord *> claimed;
  for (const CompileRecord &record : evidence.compiles()) {
    if (record.compile.reason == event::MissReason::Evicted && record.isPaidByCall() && !record.isCold()) {
      ++compiles;
      finding.costNs += record.compile.totalNs;
      finding.rows.compiles.push_back(record.compile.id);
      finding.rows.calls.push_back(record.compile.callId);
      functions.insert(record.functionId);
      templates.insert(record.compile.templateId);
      claimed.push_back(&record);
    }
  }
  if (compiles < kFewestEvicted || !evidence.isWorthwhile(finding.costNs)) {
    return {};
  }
  bool hasEntries = false;
  bool hasBytes = false;
  JITSCOPE_TRY_VOID(eachRow(evidence.database(), "SELECT DISTINCT reason FROM eviction", [&](const session::Statement &row) {
    hasEntries = hasEntries || row.text(0) == "entries";
    hasBytes = hasBytes || row.text(0) == "bytes";
  }));
  JITSCOPE_TRY(const CallHistory *const history, evidence.history());
  for (const CompileRecord *const record : claimed) {
    list.claim(*record);
  }
  finding.rows.functions.assign(functions.begin(), functions.end());
  finding.rows.templates.assign(templates.begin(), templates.end());
  finding.line = evidence.function(*functions.begin()).line;
  finding.title = functions.size() == 1
                      ? fmt::format("The cache is too small: {} was evicted and compiled again {}",
                                    nameForFinding(evidence.function(*functions.begin())), base::counted(compiles, "time"))
                      : fmt::format("The cache is too small: {} compiled again after an eviction",
                                    compiles == 1 ? "1 executable was" : base::formatCount(compiles) + " executables were");
  finding.explanation = fmt::format("{} of {} took turns in the cache, and the least recently used one left. Compiling them again "
                                    "took {}.",
                                    base::counted(templates.size(), "template"), base::counted(functions.size(), "function"),
                                    base::formatNs(finding.costNs));
  const EvictedNeed &need = history->evicted;
  const std::string bytes = fmt::format("capacity_bytes to {} ({} of code)", need.bytes, base::formatBytes(need.bytes));
  const std::string entries = fmt::format("capacity_entries to {}", need.entries);
  if (need.calls == 0) {
    finding.remedy = "Raise capacity_entries or capacity_bytes.";
  } else {
    finding.remedy = fmt::format("Raise {}.", hasBytes && hasEntries ? entries + " and " + bytes : hasBytes ? bytes : entries);
    finding.effect = fmt::format("A cache of that capacity would have held what {} of these {} needed: {} saved.",
                                 need.calls == compiles ? "each" : base::formatCount(need.calls), base::counted(compiles, "call"),
                                 base::formatNs(need.compileNs));
  }
  list.add(std::move(finding));
  return {};
}

} // namespace jitscope::analysis
