// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/session_names.h"

#include "session/session_reader.h"

#include <utility>
#include <vector>

namespace jitscope::report {

namespace {

template <typename Event, typename Map> base::Result<void> fill(base::Result<std::vector<Event>> events, Map &byId) {
  if (!events) {
    return std::unexpected(std::move(events.error()));
  }
  for (Event &entry : *events) {
    const auto id = entry.id;
    byId.emplace(id, std::move(entry));
  }
  return {};
}

template <typename Map, typename Id> const typename Map::mapped_type &find(const Map &byId, Id id) {
  static const typename Map::mapped_type kNone{};
  const auto found = byId.find(id);
  return found == byId.end() ? kNone : found->second;
}

} // namespace

base::Result<SessionNames> SessionNames::read(session::SessionReader &reader) {
  SessionNames names;
  base::Result<void> filled = fill(reader.functions(), names.functions);
  filled = filled ? fill(reader.templates(), names.templates) : filled;
  filled = filled ? fill(reader.sections(), names.sections) : filled;
  filled = filled ? fill(reader.benchCases(), names.cases) : filled;
  if (!filled) {
    return std::unexpected(std::move(filled.error()));
  }
  return names;
}

const event::TemplateEvent &SessionNames::templateOf(base::TemplateId id) const { return find(templates, id); }
const event::FunctionEvent &SessionNames::functionOf(base::TemplateId id) const {
  return find(functions, templateOf(id).functionId);
}
const event::SectionEvent &SessionNames::sectionOf(base::SectionId id) const { return find(sections, id); }
const event::BenchCaseEvent &SessionNames::caseOf(base::CaseId id) const { return find(cases, id); }

} // namespace jitscope::report
