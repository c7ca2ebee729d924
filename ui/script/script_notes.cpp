// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/script/script_notes.h"

#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace jitscope::ui {

namespace {

/// More remarks than these no tool tip holds.
constexpr qsizetype kMaxLines = 14;

QString words(const char *text) { return QCoreApplication::translate("notes", text); }

} // namespace

ScriptNotes scriptNotes(const std::vector<analysis::FunctionSummary> &functions,
                        const std::vector<analysis::RemarkGroup> &remarks) {
  QMap<int, QStringList> tips;
  QMap<int, std::uint64_t> paid;
  QMap<int, std::uint64_t> said;
  for (const analysis::FunctionSummary &function : functions) {
    if (function.line <= 0) {
      continue;
    }
    std::uint64_t calls = 0;
    std::uint64_t compiled = 0;
    std::uint64_t compileNs = 0;
    for (const analysis::TemplateSummary &entry : function.templates) {
      calls += entry.calls;
      compiled += entry.outcomes.paidForCompile();
      compileNs += entry.compileNs;
    }
    paid[function.line] += compiled;
    tips[function.line] << words("%1: %2 calls, of which %3 compiled; %4 templates, compiled for %5")
                               .arg(lineText(function.name, 60), countText(calls), countText(compiled),
                                    countText(function.templates.size()), durationText(static_cast<double>(compileNs)));
  }
  for (const analysis::RemarkGroup &remark : remarks) {
    if (remark.line > 0) {
      ++said[remark.line];
      tips[remark.line]
          << QStringLiteral("%1, %2: %3").arg(toText(remark.pass), toText(nameOf(remark.kind)), lineText(remark.message, 160));
    }
  }
  ScriptNotes notes;
  for (auto line = tips.begin(); line != tips.end(); ++line) {
    QStringList parts;
    if (const std::uint64_t compiled = paid.value(line.key()); compiled > 0) {
      parts << words("%1 compiled").arg(countText(compiled));
    }
    if (const std::uint64_t count = said.value(line.key()); count > 0) {
      parts << QStringLiteral("%1⚑").arg(countText(count));
    }
    if (!parts.isEmpty()) {
      notes.notes[line.key()] = parts.join(QLatin1Char(' '));
    }
    QStringList shown = line.value().mid(0, kMaxLines);
    if (line.value().size() > kMaxLines) {
      shown << words("… and %1 more").arg(line.value().size() - kMaxLines);
    }
    if (const std::uint64_t count = said.value(line.key()); count > 0) {
      shown.prepend(count == 1 ? words("1 remark") : words("%1 different remarks").arg(countText(count)));
    }
    notes.tips[line.key()] = shown.join(QLatin1Char('\n'));
  }
  return notes;
}

} // namespace jitscope::ui
