// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/finding_evidence.h"

#include "analysis/query/each_row.h"
#include "analysis/replay/stack_distances.h"
#include "base/try.h"
#include "base/units.h"
#include "base/utf8.h"
#include "event/compile_cost.h"
#include "session/file/query.h"
#include "session/rows/tables.h"
#include "session/session_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace jitscope::analysis {

namespace {

using session::Statement;

/// Time below which nothing is reported, whatever its share.
constexpr std::uint64_t kLeastNs = 1'000'000;
/// Time from which everything is reported, whatever its share.
constexpr std::uint64_t kSurelyNs = 100'000'000;
constexpr double kLeastShare = 0.01;

/// What reading a call needs to know of its context.
struct KnownContext {
  const ContextRecord *context = nullptr;
  FunctionHistory *function = nullptr;
  std::uint64_t *templateCalls = nullptr;
  base::TemplateId *latest = nullptr; ///< the template of the latest ordinary call of the function in this thread
  std::size_t key = 0;                ///< of the executable in the stack of its process
  bool isPaid = false;
  bool isEager = false;
};

} // namespace

base::Result<FindingEvidence> FindingEvidence::read(session::SessionReader &reader, std::span<const CallGroup> groups,
                                                    std::span<const LegStatistics> legs) {
  FindingEvidence evidence(reader, groups, legs);
  evidence.m_durationNs = reader.session().durationNs;
  JITSCOPE_TRY(evidence.m_functions, reader.functions());
  JITSCOPE_TRY(evidence.m_templates, reader.templates());
  for (std::size_t i = 0; i < evidence.m_functions.size(); ++i) {
    evidence.m_functionIndex.emplace(evidence.m_functions[i].id, i);
  }
  for (std::size_t i = 0; i < evidence.m_templates.size(); ++i) {
    evidence.m_templateIndex.emplace(evidence.m_templates[i].id, i);
  }
  JITSCOPE_TRY_VOID(evidence.readContexts());
  JITSCOPE_TRY_VOID(evidence.readCompiles());
  return evidence;
}

session::Database &FindingEvidence::database() const { return m_reader->database(); }

const event::FunctionEvent &FindingEvidence::function(base::FunctionId id) const {
  static const event::FunctionEvent kNone;
  const auto found = m_functionIndex.find(id);
  return found == m_functionIndex.end() ? kNone : m_functions[found->second];
}

const event::TemplateEvent &FindingEvidence::entry(base::TemplateId id) const {
  static const event::TemplateEvent kNone;
  const auto found = m_templateIndex.find(id);
  return found == m_templateIndex.end() ? kNone : m_templates[found->second];
}

std::string FindingEvidence::option(std::string_view name) const {
  const nlohmann::json options = nlohmann::json::parse(m_reader->session().info.options, nullptr, false);
  if (!options.is_object()) {
    return {};
  }
  const auto found = options.find(name);
  if (found == options.end()) {
    return {};
  }
  return found->is_string() ? found->get<std::string>() : found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

base::Result<void> FindingEvidence::readContexts() {
  return eachRow(database(),
                 "SELECT id, template_id, case_id, leg, thread, process, outcome, calls, total_ns FROM call_context ORDER BY id",
                 [this](const Statement &row) {
                   ContextRecord &context = m_contexts.emplace_back();
                   context.id = row.number(0);
                   context.templateId = base::TemplateId(row.number(1));
                   context.functionId = entry(context.templateId).functionId;
                   context.caseId = base::CaseId(row.number(2));
                   context.leg = event::legFromName(row.text(3)).value_or(event::Leg::None);
                   context.thread = row.number(4);
                   context.process = static_cast<std::uint16_t>(row.number(5));
                   context.outcome = event::outcomeFromName(row.text(6)).value_or(event::Outcome::Hit);
                   context.calls = row.unsignedInteger(7);
                   context.totalNs = row.unsignedInteger(8);
                 });
}

base::Result<void> FindingEvidence::readCompiles() {
  constexpr int kFirstOfCompile = 5;
  return eachRow(database(),
                 fmt::format("SELECT x.case_id, x.leg, x.phase, coalesce(r.compile_ns, 0), x.section_id, {} FROM compile c "
                             "LEFT JOIN call_record r ON r.id = c.call_id LEFT JOIN call_context x ON x.id = r.context_id "
                             "WHERE c.study_id IS NULL ORDER BY c.id",
                             session::columnNames<event::CompileEvent>("c.")),
                 [this](const Statement &row) {
                   CompileRecord &record = m_compiles.emplace_back();
                   session::readRow(row, record.compile, kFirstOfCompile);
                   record.functionId = entry(record.compile.templateId).functionId;
                   record.caseId = base::CaseId(row.number(0));
                   record.leg = event::legFromName(row.text(1)).value_or(event::Leg::None);
                   record.phase = event::callPhaseFromName(row.text(2)).value_or(event::CallPhase::Run);
                   record.callCompileNs = row.unsignedInteger(3);
                   record.sectionId = base::SectionId(row.number(4));
                   m_compileNs += record.compile.totalNs;
                 });
}

base::Result<const CallHistory *> FindingEvidence::history() {
  if (!m_history) {
    JITSCOPE_TRY(m_history, readHistory());
  }
  return &*m_history;
}

base::Result<CallHistory> FindingEvidence::readHistory() {
  CallHistory history;
  std::map<std::uint16_t, StackDistances> stacks;
  std::unordered_map<base::CallId, std::uint64_t> evictedCalls; // and what their compiles took
  std::unordered_map<base::TemplateId, std::uint64_t> codeBytes;
  for (const CompileRecord &record : m_compiles) {
    codeBytes[record.compile.templateId] = record.compile.codeBytes;
    if (record.compile.reason == event::MissReason::Evicted && !record.isCold()) {
      evictedCalls.emplace(record.compile.callId, record.compile.totalNs);
    }
  }
  // A program with two threads, each of which has a dtype of its own, alternates in neither.
  std::map<std::tuple<base::FunctionId, std::uint16_t, std::uint32_t>, base::TemplateId> latest;
  std::unordered_map<std::uint64_t, KnownContext> known; // by id
  for (const ContextRecord &context : m_contexts) {
    KnownContext &entry = known[context.id];
    entry.context = &context;
    entry.function = &history.functions[context.functionId];
    entry.templateCalls = &history.templateCalls[context.templateId];
    entry.latest = &latest[{context.functionId, context.process, context.thread}];
    const auto index = m_templateIndex.find(context.templateId);
    entry.key = index == m_templateIndex.end() ? m_templates.size() : index->second;
    entry.isPaid = event::paidForCompile(context.outcome);
    entry.isEager = function(context.functionId).eager;
  }
  const bool needsDistances = !evictedCalls.empty();
  const auto visit = [&](std::uint64_t id, std::uint64_t contextId, std::uint64_t executeNs) {
    const auto found = known.find(contextId);
    if (found == known.end()) {
      return;
    }
    const KnownContext &entry = found->second;
    const ContextRecord &context = *entry.context;
    if (context.leg == event::Leg::Cold) {
      return;
    }
    ++*entry.templateCalls;
    FunctionHistory &function = *entry.function;
    if (context.caseId.isValid()) {
      ++function.callsInCases;
    } else {
      ++history.calls;
      if (!entry.isEager && history.firstScriptCall == 0) {
        history.firstScriptCall = history.calls;
      }
      ++function.calls;
      function.executeNs += executeNs;
      function.firstCall = function.firstCall == 0 ? history.calls : function.firstCall;
      function.lastCall = history.calls;
      function.callsSinceCompile = entry.isPaid ? 0 : function.callsSinceCompile + 1;
      function.switches += entry.latest->isValid() && *entry.latest != context.templateId ? 1 : 0;
      *entry.latest = context.templateId;
    }
    if (needsDistances) {
      const auto distance = stacks[context.process].access(entry.key, codeBytes[context.templateId]);
      const auto evicted = entry.isPaid ? evictedCalls.find(base::CallId(id)) : evictedCalls.end();
      if (distance && evicted != evictedCalls.end()) {
        ++history.evicted.calls;
        history.evicted.compileNs += evicted->second;
        history.evicted.entries = std::max(history.evicted.entries, distance->entries);
        history.evicted.bytes = std::max(history.evicted.bytes, distance->bytes);
      }
    }
  };
  JITSCOPE_TRY(Statement select, database().prepare("SELECT id, context_id, execute_ns FROM call_record ORDER BY id"));
  for (;;) {
    JITSCOPE_TRY(const bool row, select.step());
    if (!row) {
      break;
    }
    visit(select.unsignedInteger(0), select.unsignedInteger(1), select.unsignedInteger(2));
  }
  return history;
}

base::Result<std::vector<WaitingCall>> FindingEvidence::waitingCalls() {
  // Contexts of this outcome have few calls; without one there is nothing to read.
  const auto isWaiting = [](const ContextRecord &context) {
    return context.outcome == event::Outcome::Wait && !context.caseId.isValid();
  };
  if (std::ranges::none_of(m_contexts, isWaiting)) {
    return std::vector<WaitingCall>();
  }
  return session::collect<WaitingCall>(
      database(),
      "SELECT r.id, x.template_id, x.thread, r.start_ns + r.lookup_ns, coalesce(r.wait_ns, 0) "
      "FROM call_context x JOIN call_record r "
      "ON r.context_id = x.id WHERE x.outcome = 'wait' AND x.case_id IS NULL ORDER BY r.start_ns, r.id",
      [](const Statement &row) {
        return WaitingCall{base::CallId(row.unsignedInteger(0)), base::TemplateId(row.number(1)), row.number(2),
                           row.unsignedInteger(3), row.unsignedInteger(4)};
      });
}

void FindingEvidence::complete(Finding &finding) const {
  finding.file = m_reader->session().info.scriptPath;
  finding.share = base::shareOf(finding.costNs, m_durationNs);
  finding.rows.tidy();
}

Finding FindingEvidence::about(FindingKind kind, const event::FunctionEvent &function) const {
  Finding finding;
  finding.kind = kind;
  finding.line = function.line;
  finding.rows.functions.push_back(function.id);
  return finding;
}

bool FindingEvidence::isWorthwhile(std::uint64_t ns) const {
  return ns >= kLeastNs && (ns >= kSurelyNs || base::shareOf(ns, m_durationNs) >= kLeastShare);
}

std::string nameForFinding(const event::FunctionEvent &function) {
  constexpr std::size_t kNameBytes = 60;
  std::string name = function.name.size() > kNameBytes
                         ? function.name.substr(0, base::characterStart(function.name, kNameBytes)) + "…"
                         : function.name;
  if (name.empty()) {
    name = "a function without a name";
  }
  return function.eager ? name + " (eager)" : name;
}

} // namespace jitscope::analysis
