// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/recompile_storms.h"
#include "analysis/compiles/optimizer_summary.h"
#include "analysis/findings/finding.h"
#include "analysis/function_summary.h"
#include "analysis/query/selection.h"
#include "analysis/statistics/case_statistics.h"
#include "base/error.h"
#include "event/event.h"
#include "session/file/session_open.h"
#include "session/import/merged_part.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

/// What a session says on one page. Times and durations are nanoseconds, sizes bytes.
namespace jitscope::analysis {

struct OutcomeSummary {
  event::Outcome outcome = event::Outcome::Hit;
  std::uint64_t count = 0;
  std::uint64_t totalNs = 0;
  double medianNs = 0;
  std::uint64_t maximumNs = 0;
};

/// The phases of a compile, or of all of them.
struct CompileTimes {
  std::uint64_t traceNs = 0;
  std::uint64_t lowerNs = 0;
  std::uint64_t optimizeNs = 0;
  std::uint64_t codegenNs = 0;
  std::uint64_t linkNs = 0;
  std::uint64_t totalNs = 0; ///< phases plus what lies between them

  [[nodiscard]] std::uint64_t phasesNs() const { return traceNs + lowerNs + optimizeNs + codegenNs + linkNs; }
  /// What lies between the phases.
  [[nodiscard]] std::uint64_t betweenNs() const { return totalNs > phasesNs() ? totalNs - phasesNs() : 0; }
};

struct SectionSummary {
  base::SectionId id; ///< none for calls outside every section
  std::string name;
  std::uint64_t startNs = 0;
  std::uint64_t calls = 0;
  OutcomeCounts outcomes;
  std::uint64_t callNs = 0;    ///< of its calls together
  std::uint64_t compiles = 0;  ///< misses of its calls; ahead-of-time compiles belong to no section
  std::uint64_t compileNs = 0; ///< of those compiles together
};

/// One compile and why it was needed.
struct MissSummary {
  base::CompileId compileId;
  base::CallId callId; ///< none where it was compiled ahead of time
  base::TemplateId templateId;
  std::string functionName;
  int functionLine = 0;
  bool eager = false;
  std::string signature;
  std::string pipeline;
  base::SectionId sectionId; ///< where the call or the study stood
  std::string section;       ///< its name; empty for none
  event::MissReason reason = event::MissReason::NewFunction;
  std::string nearestSignature; ///< empty for a new function
  std::string difference;
  CompileTimes times;
  std::uint64_t callTotalNs = 0; ///< of the call that missed; 0 if there is none
  std::uint64_t codeBytes = 0;
  std::uint16_t process = 0;
};

struct CaseSummary {
  event::BenchCaseEvent bench;
  std::string functionName;
  std::vector<LegStatistics> legs; ///< cold before warm; only those with samples
};

struct EvictionSummary {
  event::EvictionReason reason = event::EvictionReason::Entries;
  std::uint64_t count = 0;
  std::uint64_t codeBytes = 0;
};

struct MemorySummary {
  std::uint64_t tensorPeakBytes = 0;
  std::uint64_t cacheEntriesPeak = 0;
  std::uint64_t cacheCodePeakBytes = 0;
};

/// Calls whose code was not in memory, yet not compiled either.
struct RetrievalSummary {
  event::Outcome outcome = event::Outcome::Retrace;
  event::MissReason reason = event::MissReason::NewFunction;
  std::uint64_t count = 0;
  std::uint64_t traceNs = 0;
  std::uint64_t loadNs = 0;
};

/// What of a log is worth a warning.
struct WarningSummary {
  std::vector<event::LogEvent> lines; ///< of level warning and error, by time
  std::uint64_t moreWarnings = 0;     ///< of level warning that `lines` does not hold
  std::uint64_t moreErrors = 0;       ///< of level error that it does not hold
};

struct Summary {
  session::SessionRow session;
  std::string path;
  Selection selection;                    ///< what was summarized
  std::vector<session::MergedPart> parts; ///< what the session was merged from; none for one that was recorded
  std::vector<std::string> only;          ///< the same for people, a condition each; empty for the whole session
  std::uint64_t calls = 0;
  std::vector<OutcomeSummary> outcomes; ///< those that occurred, in the order of the enumeration
  std::uint64_t compiles = 0;           ///< without those of studies, which are no misses of the cache
  CompileTimes compileTimes;            ///< of these compiles together
  std::vector<SectionSummary> sections;
  std::vector<MissSummary> misses; ///< the most expensive compiles, the longest first
  std::vector<RetrievalSummary> retrievals;
  std::vector<FunctionSummary> functions; ///< those with templates
  std::vector<RecompileStorm> storms;     ///< the most expensive first
  /// What is wrong in the whole session, in the order of their weight; none in a summary of a part.
  std::vector<Finding> findings;
  std::vector<CaseSummary> cases; ///< those with samples
  std::vector<EvictionSummary> evictions;
  MemorySummary memory;
  std::vector<event::ExpectationEvent> expectations;
  std::uint64_t expectationsFailed = 0;
  WarningSummary warnings;
  OptimizerSummary optimizer;
};

struct CompileTotals {
  std::uint64_t compiles = 0;
  CompileTimes times; ///< of these compiles together
};

/// How many of the most expensive compiles to name.
struct MissOptions {
  std::size_t limit = 10;
  bool withStudies = false; ///< those of studies, too, but for repetitions that only time is taken of
};

// One reader for each part of a report. A page of the window asks for those that it shows, within a snapshot if they are several.

/// The outcomes that occurred, in the order of the enumeration.
[[nodiscard]] std::vector<OutcomeSummary> summarizeOutcomes(std::span<const CallGroup> groups);
/// The compiles outside studies.
[[nodiscard]] base::Result<CompileTotals> readCompileTotals(session::SessionReader &reader, const Selection &selection);
/// The most expensive compiles, the longest first.
[[nodiscard]] base::Result<std::vector<MissSummary>> readMisses(session::SessionReader &reader, const Selection &selection,
                                                                const MissOptions &options = {});
/// The sections of the script; of a selection those with calls. `groups` are of the same selection.
[[nodiscard]] base::Result<std::vector<SectionSummary>> readSections(session::SessionReader &reader, const Selection &selection,
                                                                     std::span<const CallGroup> groups);
[[nodiscard]] base::Result<std::vector<RetrievalSummary>> readRetrievals(session::SessionReader &reader,
                                                                         const Selection &selection);
/// The benchmark cases with samples among `groups`.
[[nodiscard]] base::Result<std::vector<CaseSummary>> readCases(session::SessionReader &reader, std::span<const CallGroup> groups);
[[nodiscard]] base::Result<MemorySummary> readMemory(session::SessionReader &reader, const Selection &selection);
[[nodiscard]] base::Result<std::vector<EvictionSummary>> readEvictions(session::SessionReader &reader, const Selection &selection);
/// At most `limit` lines: errors before warnings, and the first ones.
[[nodiscard]] base::Result<WarningSummary> readWarnings(session::SessionReader &reader, std::size_t limit);

struct SummaryOptions {
  Selection selection = {};    ///< what is summarized; the session's own row, expectations and warnings are given in any case
  std::size_t misses = 10;     ///< how many of the most expensive compiles to name
  std::size_t warnings = 1000; ///< see `readWarnings`
};

/// What a report is made of: all of the above, of one state of a session, which may still be running. A million calls take about a
/// second and 20 MB.
[[nodiscard]] base::Result<Summary> summarize(session::SessionReader &reader, const SummaryOptions &options = {});

} // namespace jitscope::analysis
