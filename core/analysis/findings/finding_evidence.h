// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_groups.h"
#include "analysis/findings/finding.h"
#include "analysis/statistics/case_statistics.h"
#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace jitscope::session {
class Database;
class SessionReader;
} // namespace jitscope::session

namespace jitscope::analysis {

/// What the session says of one function's ordinary calls, which are those outside benchmarks, in the order in which they were
/// recorded.
struct FunctionHistory {
  std::uint64_t calls = 0;
  std::uint64_t callsSinceCompile = 0; ///< after the last call that paid for a compile
  std::uint64_t switches = 0;          ///< calls of another template than the same thread's call before
  std::uint64_t firstCall = 0;         ///< counts the ordinary calls of the session from 1
  std::uint64_t lastCall = 0;
  std::uint64_t executeNs = 0;
  std::uint64_t callsInCases = 0; ///< made by a benchmark beside these, outside cold legs
};

/// What a call had to find in the cache to be a hit.
struct EvictedNeed {
  std::uint64_t calls = 0;     ///< that compiled because their executable had been evicted
  std::uint64_t compileNs = 0; ///< what these calls' compiles took
  std::uint64_t entries = 0;   ///< the cache's capacity with which all of them would have been hits
  std::uint64_t bytes = 0;
};

/// An ordinary call that waited for a compile of another thread.
struct WaitingCall {
  base::CallId id;
  base::TemplateId templateId;
  std::uint32_t thread = 0;
  std::uint64_t startNs = 0;
  std::uint64_t waitNs = 0;
};

/// One read of the calls. Memory grows with templates and functions, not with calls.
struct CallHistory {
  std::unordered_map<base::FunctionId, FunctionHistory> functions;
  std::unordered_map<base::TemplateId, std::uint64_t> templateCalls; ///< outside cold legs
  EvictedNeed evicted;
  std::uint64_t calls = 0;           ///< ordinary ones
  std::uint64_t firstScriptCall = 0; ///< the first ordinary call of a function that is no eager operation; 0: there is none
};

/// A compile outside studies, and the call that paid for it.
struct CompileRecord {
  event::CompileEvent compile;
  base::FunctionId functionId;
  base::SectionId sectionId;
  base::CaseId caseId; ///< none outside benchmarks, and ahead of time
  event::Leg leg = event::Leg::None;
  event::CallPhase phase = event::CallPhase::Run;
  std::uint64_t callCompileNs = 0; ///< that the call paid; 0 ahead of time

  [[nodiscard]] bool isPaidByCall() const { return compile.callId.isValid(); }
  /// Of a leg that empties the cache on purpose.
  [[nodiscard]] bool isCold() const { return leg == event::Leg::Cold; }
};

/// Calls of one context: all agree in these fields.
struct ContextRecord {
  std::uint32_t id = 0;
  base::TemplateId templateId;
  base::FunctionId functionId;
  base::CaseId caseId;
  event::Leg leg = event::Leg::None;
  std::uint32_t thread = 0;
  std::uint16_t process = 0;
  event::Outcome outcome = event::Outcome::Hit;
  std::uint64_t calls = 0;
  std::uint64_t totalNs = 0;
};

/// What the kinds of findings look at. Small tables are read at once; the calls when a kind asks for them.
class FindingEvidence {
public:
  /// `groups` hold the samples of benchmarks, `legs` are their statistics; both must outlive the evidence.
  [[nodiscard]] static base::Result<FindingEvidence> read(session::SessionReader &reader, std::span<const CallGroup> groups,
                                                          std::span<const LegStatistics> legs);

  [[nodiscard]] session::SessionReader &reader() const { return *m_reader; }
  [[nodiscard]] session::Database &database() const;
  [[nodiscard]] std::uint64_t durationNs() const { return m_durationNs; }
  [[nodiscard]] const std::vector<event::FunctionEvent> &functions() const { return m_functions; }
  [[nodiscard]] const std::vector<event::TemplateEvent> &templates() const { return m_templates; }
  [[nodiscard]] const std::vector<CompileRecord> &compiles() const { return m_compiles; }
  [[nodiscard]] const std::vector<ContextRecord> &contexts() const { return m_contexts; }
  [[nodiscard]] std::span<const CallGroup> sampleGroups() const { return m_groups; }
  [[nodiscard]] std::span<const LegStatistics> legs() const { return m_legs; }
  /// Total time of all compiles, ahead of time or by calls.
  [[nodiscard]] std::uint64_t compileNs() const { return m_compileNs; }
  /// An empty event for an id that is none or unknown.
  [[nodiscard]] const event::FunctionEvent &function(base::FunctionId id) const;
  [[nodiscard]] const event::TemplateEvent &entry(base::TemplateId id) const;
  /// An option as the session began with, e.g. "slp"; empty where it is not recorded.
  [[nodiscard]] std::string option(std::string_view name) const;
  /// Read at the first request.
  [[nodiscard]] base::Result<const CallHistory *> history();
  [[nodiscard]] base::Result<std::vector<WaitingCall>> waitingCalls();

  /// Puts the script's place and the share into a finding.
  void complete(Finding &finding) const;
  /// A finding about a function, with its line.
  [[nodiscard]] Finding about(FindingKind kind, const event::FunctionEvent &function) const;
  /// Whether this much time is worth a finding: see docs/findings.md.
  [[nodiscard]] bool isWorthwhile(std::uint64_t ns) const;

private:
  FindingEvidence(session::SessionReader &reader, std::span<const CallGroup> groups, std::span<const LegStatistics> legs)
      : m_reader(&reader), m_groups(groups), m_legs(legs) {}
  base::Result<void> readCompiles();
  base::Result<void> readContexts();
  base::Result<CallHistory> readHistory();

  session::SessionReader *m_reader;
  std::span<const CallGroup> m_groups;
  std::span<const LegStatistics> m_legs;
  std::uint64_t m_durationNs = 0;
  std::vector<event::FunctionEvent> m_functions;
  std::vector<event::TemplateEvent> m_templates;
  std::unordered_map<base::FunctionId, std::size_t> m_functionIndex;
  std::unordered_map<base::TemplateId, std::size_t> m_templateIndex;
  std::vector<CompileRecord> m_compiles;
  std::vector<ContextRecord> m_contexts;
  std::uint64_t m_compileNs = 0;
  std::optional<CallHistory> m_history;
};

/// A function as findings name it: "standardize", "iota (eager)", "script.lua:12".
[[nodiscard]] std::string nameForFinding(const event::FunctionEvent &function);

} // namespace jitscope::analysis
