// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/recompile_storms.h"

#include "analysis/function_summary.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <algorithm>
#include <array>

namespace jitscope::analysis {

namespace {

/// Whether a compile for this reason is one more of a function that had been compiled, without anybody having asked for that.
bool isAgain(event::MissReason reason) { return reason != event::MissReason::NewFunction && reason != event::MissReason::Cleared; }

std::uint64_t compiledAgain(const ReasonCounts &counts) {
  std::uint64_t sum = 0;
  for (const auto &[reason, count] : counts) {
    sum += isAgain(reason) ? count : 0;
  }
  return sum;
}

/// What a function's templates of one kind add up to.
struct KindTotal {
  std::uint64_t calls = 0;
  std::uint64_t callNs = 0;
  std::uint64_t compiles = 0;
  std::uint64_t compileNs = 0;
  ReasonCounts counts;                 ///< of what was compiled again
  std::vector<std::string> signatures; ///< of what was compiled

  [[nodiscard]] bool isStorm() const {
    return compiledAgain(counts) >= kStormCompiles && calls <= compiles * kStormCallsPerCompile && compileNs * 2 > callNs;
  }
};

/// Whether enough was compiled again in all.
bool canBeStorm(const std::map<base::TemplateId, ReasonCounts> &reasons) {
  std::uint64_t again = 0;
  for (const auto &[id, counts] : reasons) {
    again += compiledAgain(counts);
  }
  return again >= kStormCompiles;
}

} // namespace

std::vector<RecompileStorm> findStorms(const std::vector<FunctionSummary> &functions,
                                       const std::map<base::TemplateId, ReasonCounts> &reasons) {
  std::vector<RecompileStorm> storms;
  for (const FunctionSummary &function : functions) {
    std::array<KindTotal, 2> kinds; // of certain sizes, and for all
    for (const TemplateSummary &entry : function.templates) {
      KindTotal &kind = kinds[servesAllSizes(entry.signature) ? 1 : 0];
      kind.calls += entry.calls;
      kind.callNs += entry.callNs;
      kind.compileNs += entry.compileNs - entry.aheadNs;
      if (const auto known = reasons.find(entry.id); known != reasons.end()) {
        kind.signatures.push_back(entry.signature);
        for (const auto &[reason, count] : known->second) {
          kind.compiles += count;
          if (isAgain(reason)) {
            kind.counts[reason] += count;
          }
        }
      }
    }
    for (const std::size_t i : {0, 1}) {
      const KindTotal &kind = kinds[i];
      const KindTotal &other = kinds[1 - i];
      if (kind.isStorm()) {
        const auto most = std::ranges::max_element(kind.counts, {}, [](const auto &entry) { return entry.second; });
        storms.push_back({function.id, function.name, kind.calls, kind.compiles, kind.compileNs, most->first, i == 1, other.calls,
                          other.compiles, varyingParts(kind.signatures), most->second, compiledAgain(kind.counts),
                          kind.signatures.size(), templatesForAllSizes(kind.signatures), function.eager});
      }
    }
  }
  std::ranges::stable_sort(storms, std::ranges::greater{}, &RecompileStorm::compileNs);
  return storms;
}

base::Result<std::vector<RecompileStorm>> readStorms(session::SessionReader &reader, const Selection &selection) {
  JITSCOPE_TRY(const session::ReadSnapshot held, reader.snapshot());
  JITSCOPE_TRY(const auto reasons, readReasons(reader.database(), selection, CompilesOf::Calls));
  if (!canBeStorm(reasons)) {
    return std::vector<RecompileStorm>();
  }
  JITSCOPE_TRY(const std::vector<FunctionSummary> functions, readFunctions(reader, selection));
  return findStorms(functions, reasons);
}

base::Result<std::vector<RecompileStorm>> readStorms(session::SessionReader &reader, const Selection &selection,
                                                     const std::vector<FunctionSummary> &functions) {
  JITSCOPE_TRY(const auto reasons, readReasons(reader.database(), selection, CompilesOf::Calls));
  return canBeStorm(reasons) ? findStorms(functions, reasons) : std::vector<RecompileStorm>();
}

} // namespace jitscope::analysis
