// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import/event_importer.h"

#include "base/try.h"
#include "event/sink.h"
#include "session/import/renumbering.h"
#include "session/optimizer_reader.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jitscope::session {

class CaseImporter::Impl {
public:
  Impl(SessionReader &child, ImportRequest request, ImportIds ids, event::Sink &sink)
      : m_child(child), m_request(std::move(request)), m_ids(std::move(ids)), m_sink(sink),
        m_renumbering{.ids = [this](std::string_view table) { return idsOf(table); },
                      .process = [this](std::uint64_t) { return std::uint64_t{m_request.process}; }} {}

  base::Result<void> step(bool isLast);
  [[nodiscard]] const ImportCounts &counts() const { return m_counts; }

private:
  base::Result<std::optional<base::CaseId>> childCase(bool isLast);
  base::Result<void> load();
  Renumber idsOf(std::string_view table);
  base::Result<base::FunctionId> functionOf(base::FunctionId childId);
  base::Result<base::TemplateId> templateOf(base::TemplateId childId);
  base::Result<void> importCalls(base::CaseId childCase);
  base::Result<void> importCall(const event::CallEvent &call);
  base::Result<void> importCompiles(bool isLast);
  base::Result<void> importCompile(event::CompileEvent compile);
  base::Result<void> importRetrievals(bool isLast);
  base::Result<void> importRetrieval(event::RetrievalEvent retrieval);
  /// Whether a row that refers to a call must wait until that call is there.
  [[nodiscard]] bool isEarly(base::CallId call) const { return call.isValid() && !m_callIds.contains(call); }

  SessionReader &m_child;
  const ImportRequest m_request;
  const ImportIds m_ids;
  event::Sink &m_sink;
  const Renumbering m_renumbering;
  ImportCounts m_counts;

  std::unordered_map<base::FunctionId, event::FunctionEvent> m_functions;
  std::unordered_map<base::TemplateId, event::TemplateEvent> m_templates;
  // From the child's ids to the receiver's.
  std::unordered_map<base::FunctionId, base::FunctionId> m_functionIds;
  std::unordered_map<base::TemplateId, base::TemplateId> m_templateIds;
  /// Of calls that something may refer to: those that were no hits.
  std::unordered_map<base::CallId, base::CallId> m_callIds;
  // How far the import has come.
  base::CallId m_lastCall;
  std::set<base::CallId> m_missingCalls; ///< earlier ones that were still under way
  base::CompileId m_lastCompile;
  std::uint64_t m_retrievals = 0; ///< rows that are done with
};

namespace {

/// Of calls under way that others have overtaken: as many threads as a bench may have, and more.
constexpr std::size_t kMaxMissing = 1024;

std::unexpected<base::Error> unknownReference(std::string_view what, std::uint64_t id) {
  return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("the session refers to {} {}, which it does not hold", what, id));
}

} // namespace

base::Result<std::optional<base::CaseId>> CaseImporter::Impl::childCase(bool isLast) {
  if (m_request.childCase) {
    JITSCOPE_TRY(
        const std::optional<std::int64_t> known,
        m_child.database().queryInteger(fmt::format("SELECT id FROM bench_case WHERE id = {}", m_request.childCase->value)));
    if (!known && isLast) {
      return base::fail(base::ErrorCode::StorageFormat, fmt::format("the session holds no case {}", m_request.childCase->value));
    }
    return known ? m_request.childCase : std::nullopt;
  }
  JITSCOPE_TRY(const std::optional<std::int64_t> count,
               m_child.database().queryInteger("SELECT count(DISTINCT case_id) FROM call_context WHERE case_id IS NOT NULL"));
  JITSCOPE_TRY(const std::optional<std::int64_t> only, m_child.database().queryInteger("SELECT max(case_id) FROM call_context"));
  const std::int64_t cases = count.value_or(0);
  if (cases > 1 || (cases == 0 && isLast)) {
    return base::fail(base::ErrorCode::StorageFormat,
                      fmt::format("the session holds calls of {} cases where one was expected", cases));
  }
  return cases == 0 ? std::nullopt : std::optional(base::CaseId(static_cast<std::uint32_t>(only.value_or(0))));
}

/// What calls refer to, as far as it is there.
base::Result<void> CaseImporter::Impl::load() {
  JITSCOPE_TRY(std::vector<event::FunctionEvent> functions, m_child.functions());
  for (event::FunctionEvent &function : functions) {
    m_functions.insert_or_assign(function.id, std::move(function));
  }
  JITSCOPE_TRY(std::vector<event::TemplateEvent> templates, m_child.templates());
  for (event::TemplateEvent &entry : templates) {
    m_templates.insert_or_assign(entry.id, std::move(entry));
  }
  return {};
}

/// Calls have to be there already; what is imported is new.
Renumber CaseImporter::Impl::idsOf(std::string_view table) {
  if (table == tableOf<event::FunctionEvent>().name) {
    return [this](std::uint64_t id) -> base::Result<std::uint64_t> {
      JITSCOPE_TRY(const base::FunctionId own, functionOf(base::FunctionId(static_cast<std::uint32_t>(id))));
      return own.value;
    };
  }
  if (table == tableOf<event::TemplateEvent>().name) {
    return [this](std::uint64_t id) -> base::Result<std::uint64_t> {
      JITSCOPE_TRY(const base::TemplateId own, templateOf(base::TemplateId(static_cast<std::uint32_t>(id))));
      return own.value;
    };
  }
  if (table == tableOf<event::CallEvent>().name) {
    return [this](std::uint64_t id) { return m_callIds.at(base::CallId(id)).value; };
  }
  if (table == tableOf<event::CompileEvent>().name) {
    return [this](std::uint64_t) { return std::uint64_t{m_ids.newCompile().value}; };
  }
  return {};
}

base::Result<base::FunctionId> CaseImporter::Impl::functionOf(base::FunctionId childId) {
  if (!childId.isValid()) {
    return childId;
  }
  if (const auto known = m_functionIds.find(childId); known != m_functionIds.end()) {
    return known->second;
  }
  if (!m_functions.contains(childId)) {
    JITSCOPE_TRY_VOID(load());
  }
  const auto function = m_functions.find(childId);
  if (function == m_functions.end()) {
    return unknownReference("function", childId.value);
  }
  const AssignedId<base::FunctionId> assigned = m_ids.function(function->second);
  m_functionIds.emplace(childId, assigned.id);
  if (assigned.isNew) {
    event::FunctionEvent announced = function->second;
    announced.id = assigned.id;
    m_sink.record(std::move(announced));
  }
  return assigned.id;
}

base::Result<base::TemplateId> CaseImporter::Impl::templateOf(base::TemplateId childId) {
  if (!childId.isValid()) {
    return childId;
  }
  if (const auto known = m_templateIds.find(childId); known != m_templateIds.end()) {
    return known->second;
  }
  if (!m_templates.contains(childId)) {
    JITSCOPE_TRY_VOID(load());
  }
  const auto entry = m_templates.find(childId);
  if (entry == m_templates.end()) {
    return unknownReference("template", childId.value);
  }
  JITSCOPE_TRY(const base::FunctionId function, functionOf(entry->second.functionId));
  const AssignedId<base::TemplateId> assigned = m_ids.templateOf(function, entry->second);
  m_templateIds.emplace(childId, assigned.id);
  if (assigned.isNew) {
    m_sink.record(event::TemplateEvent{assigned.id, function, entry->second.signature});
  }
  return assigned.id;
}

base::Result<void> CaseImporter::Impl::importCalls(base::CaseId childCase) {
  CallFilter filter;
  filter.caseId = childCase;
  filter.after = m_lastCall;
  filter.alsoThese.assign(m_missingCalls.begin(), m_missingCalls.end());
  return m_child.eachCall(filter, [this](const event::CallEvent &call) -> base::Result<void> {
    JITSCOPE_TRY_VOID(importCall(call));
    if (call.id < m_lastCall) {
      m_missingCalls.erase(call.id);
      return {};
    }
    // A call gets its number before it runs and is recorded after it: others may overtake it.
    for (std::uint64_t id = m_lastCall.value + 1; m_lastCall.isValid() && id < call.id.value; ++id) {
      if (m_missingCalls.size() == kMaxMissing) {
        m_missingCalls.erase(m_missingCalls.begin());
      }
      m_missingCalls.emplace(id);
    }
    m_lastCall = call.id;
    return {};
  });
}

base::Result<void> CaseImporter::Impl::importCall(const event::CallEvent &call) {
  JITSCOPE_TRY(const base::TemplateId mapped, templateOf(call.templateId));
  event::CallEvent copy = call;
  copy.id = m_ids.newCall();
  copy.templateId = mapped;
  copy.sectionId = m_request.sectionId;
  copy.caseId = m_request.caseId;
  copy.process = m_request.process;
  if (call.outcome != event::Outcome::Hit && call.outcome != event::Outcome::Wait) {
    m_callIds.emplace(call.id, copy.id);
  }
  m_sink.call(copy);
  ++m_counts.calls;
  return {};
}

base::Result<void> CaseImporter::Impl::importCompiles(bool isLast) {
  JITSCOPE_TRY(std::vector<event::CompileEvent> compiles, m_child.compilesWithWork(m_lastCompile));
  for (event::CompileEvent &compile : compiles) {
    // In the order of their numbers, each of which comes sooner or later.
    const bool isNext = !m_lastCompile.isValid() || compile.id.value == m_lastCompile.value + 1;
    if (!isLast && (!isNext || isEarly(compile.callId))) {
      return {};
    }
    const base::CompileId id = compile.id;
    JITSCOPE_TRY_VOID(importCompile(std::move(compile)));
    m_lastCompile = id;
  }
  return {};
}

base::Result<void> CaseImporter::Impl::importCompile(event::CompileEvent compile) {
  if (!m_callIds.contains(compile.callId)) {
    return {}; // of another case, or ahead of time
  }
  JITSCOPE_TRY_VOID(OptimizerReader(m_child).attachTo(compile));
  JITSCOPE_TRY_VOID(renumberCompile(compile, m_renumbering));
  m_sink.record(std::move(compile));
  ++m_counts.compiles;
  return {};
}

base::Result<void> CaseImporter::Impl::importRetrievals(bool isLast) {
  JITSCOPE_TRY(std::vector<event::RetrievalEvent> retrievals, m_child.retrievals(m_retrievals));
  for (event::RetrievalEvent &retrieval : retrievals) {
    if (!isLast && isEarly(retrieval.callId)) {
      return {};
    }
    JITSCOPE_TRY_VOID(importRetrieval(std::move(retrieval)));
    ++m_retrievals;
  }
  return {};
}

base::Result<void> CaseImporter::Impl::importRetrieval(event::RetrievalEvent retrieval) {
  if (!m_callIds.contains(retrieval.callId)) {
    return {};
  }
  JITSCOPE_TRY_VOID(renumberRow(retrieval, m_renumbering));
  m_sink.record(std::move(retrieval));
  ++m_counts.retrievals;
  return {};
}

base::Result<void> CaseImporter::Impl::step(bool isLast) {
  JITSCOPE_TRY(const ReadSnapshot held, m_child.snapshot());
  JITSCOPE_TRY(const std::optional<base::CaseId> wanted, childCase(isLast));
  if (!wanted) {
    return {};
  }
  JITSCOPE_TRY_VOID(importCalls(*wanted));
  JITSCOPE_TRY_VOID(importCompiles(isLast));
  return importRetrievals(isLast);
}

CaseImporter::CaseImporter(SessionReader &child, ImportRequest request, ImportIds ids, event::Sink &sink)
    : m_impl(std::make_unique<Impl>(child, std::move(request), std::move(ids), sink)) {}
CaseImporter::~CaseImporter() = default;

base::Result<void> CaseImporter::follow() { return m_impl->step(false); }

base::Result<ImportCounts> CaseImporter::finish() {
  JITSCOPE_TRY_VOID(m_impl->step(true));
  return m_impl->counts();
}

base::Result<ImportCounts> importCase(SessionReader &child, const ImportRequest &request, const ImportIds &ids, event::Sink &sink) {
  return base::within(CaseImporter(child, request, ids, sink).finish(),
                      fmt::format("while importing \"{}\"", child.path().string()));
}

} // namespace jitscope::session
