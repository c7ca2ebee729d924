// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/event_importer.h"

#include "base/try.h"
#include "event/sink.h"
#include "session/optimizer_reader.h"
#include "session/renamed_compile.h"
#include "session/session_reader.h"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>
#include <vector>

namespace jitscope::session {

namespace {

class Importer {
public:
  Importer(SessionReader &child, const ImportRequest &request, const ImportIds &ids, event::Sink &sink)
      : m_child(child), m_request(request), m_ids(ids), m_sink(sink) {}

  base::Result<ImportCounts> run();

private:
  base::Result<base::CaseId> childCase();
  base::Result<void> load();
  base::Result<base::FunctionId> functionOf(base::FunctionId childId);
  base::Result<base::TemplateId> templateOf(base::TemplateId childId);
  base::Result<void> importCall(const event::CallEvent &call);
  base::Result<void> importCompile(event::CompileEvent compile);
  base::Result<void> importRetrieval(event::RetrievalEvent retrieval);

  SessionReader &m_child;
  const ImportRequest &m_request;
  const ImportIds &m_ids;
  event::Sink &m_sink;
  ImportCounts m_counts;

  std::unordered_map<base::FunctionId, event::FunctionEvent> m_functions;
  std::unordered_map<base::TemplateId, event::TemplateEvent> m_templates;
  std::vector<event::CompileEvent> m_compiles;
  std::vector<event::RetrievalEvent> m_retrievals;
  // From the child's ids to the receiver's.
  std::unordered_map<base::FunctionId, base::FunctionId> m_functionIds;
  std::unordered_map<base::TemplateId, base::TemplateId> m_templateIds;
  // Only calls that something refers to; an invalid id until the call was imported.
  std::unordered_map<base::CallId, base::CallId> m_callIds;
};

std::unexpected<base::Error> unknownReference(std::string_view what, std::uint64_t id) {
  return base::fail(base::ErrorCode::StorageCorrupt, fmt::format("the session refers to {} {}, which it does not hold", what, id));
}

base::Result<base::CaseId> Importer::childCase() {
  if (m_request.childCase) {
    const base::Result<std::optional<std::int64_t>> known =
        m_child.database().queryInteger(fmt::format("SELECT id FROM bench_case WHERE id = {}", m_request.childCase->value));
    if (!known) {
      return std::unexpected(known.error());
    }
    if (!known->has_value()) {
      return base::fail(base::ErrorCode::StorageFormat, fmt::format("the session holds no case {}", m_request.childCase->value));
    }
    return *m_request.childCase;
  }
  const base::Result<std::optional<std::int64_t>> count =
      m_child.database().queryInteger("SELECT count(DISTINCT case_id) FROM call_context WHERE case_id IS NOT NULL");
  const base::Result<std::optional<std::int64_t>> only = m_child.database().queryInteger("SELECT max(case_id) FROM call_context");
  if (!count || !only) {
    return std::unexpected(!count ? count.error() : only.error());
  }
  if (count->value_or(0) != 1) {
    return base::fail(base::ErrorCode::StorageFormat,
                      fmt::format("the session holds calls of {} cases where one was expected", count->value_or(0)));
  }
  return base::CaseId(static_cast<std::uint32_t>(only->value_or(0)));
}

base::Result<void> Importer::load() {
  JITSCOPE_TRY(std::vector<event::FunctionEvent> functions, m_child.functions());
  for (event::FunctionEvent &function : functions) {
    m_functions.emplace(function.id, std::move(function));
  }
  JITSCOPE_TRY(std::vector<event::TemplateEvent> templates, m_child.templates());
  for (event::TemplateEvent &entry : templates) {
    m_templates.emplace(entry.id, std::move(entry));
  }
  JITSCOPE_TRY(std::vector<event::CompileEvent> compiles, m_child.compilesWithWork());
  m_compiles = std::move(compiles);
  JITSCOPE_TRY(std::vector<event::RetrievalEvent> retrievals, m_child.retrievals());
  m_retrievals = std::move(retrievals);
  for (const event::CompileEvent &compile : m_compiles) {
    m_callIds.emplace(compile.callId, base::CallId());
  }
  for (const event::RetrievalEvent &retrieval : m_retrievals) {
    m_callIds.emplace(retrieval.callId, base::CallId());
  }
  m_callIds.erase(base::CallId());
  return {};
}

base::Result<base::FunctionId> Importer::functionOf(base::FunctionId childId) {
  if (!childId.isValid()) {
    return childId;
  }
  if (const auto known = m_functionIds.find(childId); known != m_functionIds.end()) {
    return known->second;
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

base::Result<base::TemplateId> Importer::templateOf(base::TemplateId childId) {
  if (!childId.isValid()) {
    return childId;
  }
  if (const auto known = m_templateIds.find(childId); known != m_templateIds.end()) {
    return known->second;
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

base::Result<void> Importer::importCall(const event::CallEvent &call) {
  JITSCOPE_TRY(const base::TemplateId mapped, templateOf(call.templateId));
  event::CallEvent copy = call;
  copy.id = m_ids.newCall();
  copy.templateId = mapped;
  copy.sectionId = m_request.sectionId;
  copy.caseId = m_request.caseId;
  copy.process = m_request.process;
  if (const auto referred = m_callIds.find(call.id); referred != m_callIds.end()) {
    referred->second = copy.id;
  }
  m_sink.call(copy);
  ++m_counts.calls;
  return {};
}

base::Result<void> Importer::importCompile(event::CompileEvent compile) {
  const auto call = m_callIds.find(compile.callId);
  if (call == m_callIds.end() || !call->second.isValid()) {
    return {}; // of another case, or ahead of time
  }
  const base::Result<base::TemplateId> mapped = templateOf(compile.templateId);
  const base::Result<base::TemplateId> nearest = templateOf(compile.nearestTemplateId);
  if (!mapped || !nearest) {
    return std::unexpected(!mapped ? mapped.error() : nearest.error());
  }
  if (base::Result<void> complete = OptimizerReader(m_child).attachTo(compile); !complete) {
    return complete;
  }
  compile.id = m_ids.newCompile();
  compile.callId = call->second;
  compile.templateId = *mapped;
  compile.nearestTemplateId = *nearest;
  compile.process = m_request.process;
  const auto rename = [this](base::FunctionId function) { return functionOf(function); };
  if (base::Result<void> renamed = renameFunctions(compile, rename); !renamed) {
    return renamed;
  }
  m_sink.record(std::move(compile));
  ++m_counts.compiles;
  return {};
}

base::Result<void> Importer::importRetrieval(event::RetrievalEvent retrieval) {
  const auto call = m_callIds.find(retrieval.callId);
  if (call == m_callIds.end() || !call->second.isValid()) {
    return {};
  }
  const base::Result<base::TemplateId> mapped = templateOf(retrieval.templateId);
  const base::Result<base::TemplateId> nearest = templateOf(retrieval.nearestTemplateId);
  if (!mapped || !nearest) {
    return std::unexpected(!mapped ? mapped.error() : nearest.error());
  }
  retrieval.callId = call->second;
  retrieval.templateId = *mapped;
  retrieval.nearestTemplateId = *nearest;
  retrieval.process = m_request.process;
  m_sink.record(std::move(retrieval));
  ++m_counts.retrievals;
  return {};
}

base::Result<ImportCounts> Importer::run() {
  JITSCOPE_TRY_VOID(m_child.snapshot());
  JITSCOPE_TRY(const base::CaseId wanted, childCase());
  JITSCOPE_TRY_VOID(load());
  CallFilter filter;
  filter.caseId = wanted;
  base::Result<void> done = m_child.eachCall(filter, [this](const event::CallEvent &call) { return importCall(call); });
  for (auto compile = m_compiles.begin(); done && compile != m_compiles.end(); ++compile) {
    done = importCompile(std::move(*compile));
  }
  for (auto retrieval = m_retrievals.begin(); done && retrieval != m_retrievals.end(); ++retrieval) {
    done = importRetrieval(std::move(*retrieval));
  }
  if (!done) {
    return std::unexpected(std::move(done.error()));
  }
  return m_counts;
}

} // namespace

base::Result<ImportCounts> importCase(SessionReader &child, const ImportRequest &request, const ImportIds &ids, event::Sink &sink) {
  base::Result<ImportCounts> counts = Importer(child, request, ids, sink).run();
  if (!counts) {
    return std::unexpected(std::move(counts.error()).within(fmt::format("while importing \"{}\"", child.path().string())));
  }
  return counts;
}

} // namespace jitscope::session
