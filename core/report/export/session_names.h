// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "event/event.h"

#include <string>
#include <unordered_map>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::report {

/// What the ids in calls and compiles stand for.
struct SessionNames {
  std::unordered_map<base::FunctionId, event::FunctionEvent> functions;
  std::unordered_map<base::TemplateId, event::TemplateEvent> templates;
  std::unordered_map<base::SectionId, event::SectionEvent> sections;
  std::unordered_map<base::CaseId, event::BenchCaseEvent> cases;

  [[nodiscard]] static base::Result<SessionNames> read(session::SessionReader &reader);

  /// An empty event for an id that is none or unknown.
  [[nodiscard]] const event::TemplateEvent &templateOf(base::TemplateId id) const;
  [[nodiscard]] const event::FunctionEvent &functionOf(base::TemplateId id) const;
  [[nodiscard]] const event::SectionEvent &sectionOf(base::SectionId id) const;
  [[nodiscard]] const event::BenchCaseEvent &caseOf(base::CaseId id) const;
};

} // namespace jitscope::report
