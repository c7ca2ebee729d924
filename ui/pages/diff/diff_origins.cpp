// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_origins.h"

#include "base/try.h"
#include "session/file/query.h"
#include "session/session_reader.h"
#include "ui/pages/diff/diff_catalogue.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>
#include <utility>

namespace jitscope::ui {

namespace {

using SectionOfCompile = std::pair<std::uint32_t, std::uint32_t>;

QString originWords(const char *text) { return QCoreApplication::translate("DiffPage", text); }

/// The compile's stage, in the words of the boxes: "per-function · final · after pass 12".
QString stageText(const DiffVersion &version) {
  QString text = QStringLiteral("%1 · %2").arg(lineText(version.pipeline), lineText(nameOf(version.row.stage)));
  if (version.row.passSeq > 0) {
    text += originWords(" · after pass %1").arg(version.row.passSeq);
  }
  return text;
}

} // namespace

base::Result<CompileOrigins> readOrigins(session::SessionReader &reader, const std::vector<event::CompileEvent> &compiles,
                                         const std::vector<event::StudyEvent> &studies) {
  const auto functions = reader.functions();
  const auto templates = reader.templates();
  const auto sections = reader.sections();
  if (!functions || !templates || !sections) {
    return std::unexpected(!functions ? functions.error() : !templates ? templates.error() : sections.error());
  }
  JITSCOPE_TRY(const auto ofCalls,
               session::collect<SectionOfCompile>(
                   reader.database(),
                   "SELECT c.id, x.section_id FROM compile c JOIN call_record r ON r.id = c.call_id "
                   "JOIN call_context x ON x.id = r.context_id WHERE x.section_id IS NOT NULL",
                   [](const session::Statement &row) { return SectionOfCompile(row.number(0), row.number(1)); }));
  std::map<base::FunctionId, QString> functionNames;
  for (const event::FunctionEvent &function : *functions) {
    functionNames[function.id] = functionText(function.name, function.line, function.eager);
  }
  std::map<base::TemplateId, QString> codes;
  for (const event::TemplateEvent &entry : *templates) {
    codes[entry.id] = QStringLiteral("%1 (%2)").arg(functionNames[entry.functionId], lineText(entry.signature, 160));
  }
  std::map<std::uint32_t, QString> sectionNames;
  for (const event::SectionEvent &section : *sections) {
    sectionNames[section.id.value] = lineText(section.name, 80);
  }
  CompileOrigins origins;
  for (const event::CompileEvent &compile : compiles) {
    CompileOrigin &origin = origins[compile.id];
    origin.code = codes[compile.templateId];
    const auto study = std::ranges::find(studies, compile.studyId, &event::StudyEvent::id);
    if (compile.studyId.isValid() && study != studies.end()) {
      origin.study = originWords("study %1").arg(study->id.value);
      origin.section = sectionNames[study->sectionId.value];
      if (origin.code.isEmpty()) {
        origin.code = lineText(study->name, 160);
      }
    }
  }
  for (const auto &[compile, section] : ofCalls) {
    origins[base::CompileId(compile)].section = sectionNames[section];
  }
  return origins;
}

void nameVersions(std::vector<DiffVersion> &versions, const CompileOrigins &origins) {
  const auto originOf = [&origins](const DiffVersion &version) {
    const auto known = origins.find(version.row.compileId);
    return known == origins.end() ? CompileOrigin() : known->second;
  };
  std::set<QString> sections;
  std::set<QString> codes;
  for (const DiffVersion &version : versions) {
    sections.insert(originOf(version).section);
    codes.insert(originOf(version).code);
  }
  for (DiffVersion &version : versions) {
    const CompileOrigin origin = originOf(version);
    // What all have in common need not be said of each.
    QStringList of{origin.study, sections.size() > 1 ? origin.section : QString(), codes.size() > 1 ? origin.code : QString(),
                   originWords("compile %1").arg(version.row.compileId.value)};
    of.removeAll(QString());
    version.title = QStringLiteral("%1  (%2)").arg(stageText(version), of.join(QStringLiteral(", ")));
    QStringList tip{stageText(version)};
    for (const auto &[what, text] :
         {std::pair(originWords("%1"), origin.study), std::pair(originWords("section: %1"), origin.section),
          std::pair(originWords("compiled: %1"), origin.code),
          std::pair(originWords("compile %1"), QString::number(version.row.compileId.value))}) {
      if (!text.isEmpty()) {
        tip << what.arg(text);
      }
    }
    version.tip = tip.join(QLatin1Char('\n'));
  }
}

} // namespace jitscope::ui
