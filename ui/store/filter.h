// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/call_details.h"
#include "analysis/query/selection.h"

#include <QObject>
#include <QString>

#include <vector>

namespace jitscope::ui {

/// The one filter that all pages obey. Each part has a name for its chip.
class Filter : public QObject {
  Q_OBJECT

public:
  enum class Part : std::uint8_t { Range, Section, Function, Template, Case, Outcome };
  struct Chip {
    Part part;
    QString text;
  };

  using QObject::QObject;

  [[nodiscard]] const analysis::Selection &selection() const { return m_selection; }
  /// What restricts at present, in the order of `Part`.
  [[nodiscard]] std::vector<Chip> chips() const;

  /// The parts that leave a call out, or a compile that no call waited for; none where it is selected.
  [[nodiscard]] std::vector<Part> hiding(const analysis::CallDetails &details) const;

  void setRange(analysis::TimeRange range);
  void setSection(base::SectionId id, const QString &name);
  void setFunction(base::FunctionId id, const QString &name);
  void setTemplate(base::TemplateId id, const QString &name);
  void setCase(base::CaseId id, const QString &name);
  void setOutcome(event::Outcome outcome);
  void remove(Part part);
  void clear();

Q_SIGNALS:
  void changed();

private:
  void apply(const analysis::Selection &selection);

  analysis::Selection m_selection;
  QString m_sectionName;
  QString m_functionName;
  QString m_templateName;
  QString m_caseName;
};

/// What is looked at, in all pages at once: unlike the filter it hides nothing.
class Focus : public QObject {
  Q_OBJECT

public:
  using QObject::QObject;

  [[nodiscard]] base::TemplateId templateId() const { return m_templateId; }
  [[nodiscard]] base::CallId callId() const { return m_callId; }
  [[nodiscard]] base::CompileId compileId() const { return m_compileId; }

  /// Each sets what it names and, where given, what that belongs to.
  void setTemplate(base::TemplateId id);
  void setCall(base::CallId id, base::TemplateId templateId);
  void setCompile(base::CompileId id, base::TemplateId templateId);
  void clear();

Q_SIGNALS:
  void templateChanged(base::TemplateId id);
  void callChanged(base::CallId id);
  void compileChanged(base::CompileId id);

private:
  base::TemplateId m_templateId;
  base::CallId m_callId;
  base::CompileId m_compileId;
};

} // namespace jitscope::ui
