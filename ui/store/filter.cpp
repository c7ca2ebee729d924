// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/store/filter.h"

#include "ui/widgets/text.h"

namespace jitscope::ui {

std::vector<Filter::Chip> Filter::chips() const {
  std::vector<Chip> chips;
  if (m_selection.range) {
    chips.push_back({Part::Range, tr("time: %1 to %2")
                                      .arg(durationText(static_cast<double>(m_selection.range->fromNs)),
                                           durationText(static_cast<double>(m_selection.range->toNs)))});
  }
  if (m_selection.sectionId) {
    chips.push_back({Part::Section, tr("section: %1").arg(m_sectionName)});
  }
  if (m_selection.functionId) {
    chips.push_back({Part::Function, tr("function: %1").arg(m_functionName)});
  }
  if (m_selection.templateId) {
    chips.push_back({Part::Template, tr("template: %1").arg(m_templateName)});
  }
  if (m_selection.caseId) {
    chips.push_back({Part::Case, tr("case: %1").arg(m_caseName)});
  }
  if (m_selection.outcome) {
    chips.push_back({Part::Outcome, tr("outcome: %1").arg(toText(nameOf(*m_selection.outcome)))});
  }
  return chips;
}

std::vector<Filter::Part> Filter::hiding(const analysis::CallDetails &details) const {
  const event::CallEvent &call = details.call;
  // What no call waited for fails every condition on calls; a study has a section all the same.
  const bool isCall = call.id.isValid();
  std::vector<Part> parts;
  const auto add = [&parts](Part part, bool isHidden) {
    if (isHidden) {
      parts.push_back(part);
    }
  };
  add(Part::Range, m_selection.range && !m_selection.range->contains(call.startNs));
  add(Part::Section, m_selection.sectionId && (*m_selection.sectionId != call.sectionId || !(isCall || details.studyId.isValid())));
  add(Part::Function, m_selection.functionId && *m_selection.functionId != details.functionId);
  add(Part::Template, m_selection.templateId && *m_selection.templateId != call.templateId);
  add(Part::Case, m_selection.caseId && (!isCall || *m_selection.caseId != call.caseId));
  add(Part::Outcome, m_selection.outcome && (!isCall || *m_selection.outcome != call.outcome));
  return parts;
}

void Filter::apply(const analysis::Selection &selection) {
  if (selection != m_selection) {
    m_selection = selection;
    Q_EMIT changed();
  }
}

void Filter::setRange(analysis::TimeRange range) {
  analysis::Selection selection = m_selection;
  selection.range = range;
  apply(selection);
}

void Filter::setSection(base::SectionId id, const QString &name) {
  m_sectionName = name;
  analysis::Selection selection = m_selection;
  selection.sectionId = id;
  apply(selection);
}

void Filter::setFunction(base::FunctionId id, const QString &name) {
  m_functionName = name;
  analysis::Selection selection = m_selection;
  selection.functionId = id;
  // A template belongs to one function.
  selection.templateId.reset();
  apply(selection);
}

void Filter::setTemplate(base::TemplateId id, const QString &name) {
  m_templateName = name;
  analysis::Selection selection = m_selection;
  selection.templateId = id;
  selection.functionId.reset();
  apply(selection);
}

void Filter::setCase(base::CaseId id, const QString &name) {
  m_caseName = name;
  analysis::Selection selection = m_selection;
  selection.caseId = id;
  apply(selection);
}

void Filter::setOutcome(event::Outcome outcome) {
  analysis::Selection selection = m_selection;
  selection.outcome = outcome;
  apply(selection);
}

void Filter::remove(Part part) {
  analysis::Selection selection = m_selection;
  switch (part) {
  case Part::Range:
    selection.range.reset();
    break;
  case Part::Section:
    selection.sectionId.reset();
    break;
  case Part::Function:
    selection.functionId.reset();
    break;
  case Part::Template:
    selection.templateId.reset();
    break;
  case Part::Case:
    selection.caseId.reset();
    break;
  case Part::Outcome:
    selection.outcome.reset();
    break;
  }
  apply(selection);
}

void Filter::clear() { apply({}); }

void Focus::setTemplate(base::TemplateId id) {
  if (id != m_templateId) {
    m_templateId = id;
    Q_EMIT templateChanged(id);
  }
}

void Focus::setCall(base::CallId id, base::TemplateId templateId) {
  setTemplate(templateId);
  if (id != m_callId) {
    m_callId = id;
    Q_EMIT callChanged(id);
  }
}

void Focus::setCompile(base::CompileId id, base::TemplateId templateId) {
  setTemplate(templateId);
  if (id != m_compileId) {
    m_compileId = id;
    Q_EMIT compileChanged(id);
  }
}

void Focus::clear() {
  setCompile({}, {});
  setCall({}, {});
}

} // namespace jitscope::ui
