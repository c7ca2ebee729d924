// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/summary_rows.h"

#include "base/units.h"
#include "report/render/summary_text.h"

#include <algorithm>

namespace jitscope::report {

std::pair<std::uint64_t, std::uint64_t> TemplateRow::cost() const { return {entry->compileNs, entry->callNs}; }

std::vector<TemplateRow> templateRows(const analysis::Summary &summary) {
  std::vector<TemplateRow> rows;
  for (const analysis::FunctionSummary &function : summary.functions) {
    for (const analysis::TemplateSummary &entry : function.templates) {
      if (isUsed(entry, summary)) {
        rows.push_back({&function, &entry});
      }
    }
  }
  return rows;
}

std::string templatesLeftOut(const BoundedRows<TemplateRow> &rows) {
  return leftOutText(
      rows.leftOut.size(), "template", "templates",
      {countOf(rows.sumLeftOut([](const TemplateRow &row) { return row.entry->calls; }), "call"),
       base::formatNs(rows.sumLeftOut([](const TemplateRow &row) { return row.entry->compileNs; })) + " of compiling"});
}

std::string compilesLeftOut(const analysis::Summary &summary) {
  std::uint64_t ns = summary.compileTimes.totalNs;
  for (const analysis::MissSummary &miss : summary.misses) {
    ns -= std::min(ns, miss.times.totalNs);
  }
  const std::uint64_t named = std::min<std::uint64_t>(summary.misses.size(), summary.compiles);
  return leftOutText(static_cast<std::size_t>(summary.compiles - named), "compile", "compiles", {base::formatNs(ns)});
}

std::vector<analysis::SectionSummary> sectionRows(const analysis::Summary &summary) {
  std::vector<analysis::SectionSummary> sections = summary.sections;
  std::erase_if(sections, [](const analysis::SectionSummary &entry) { return entry.name.empty() && entry.calls == 0; });
  return sections;
}

std::string sectionsLeftOut(const BoundedRows<analysis::SectionSummary> &rows) {
  return leftOutText(rows.leftOut.size(), "section", "sections",
                     {countOf(rows.sumLeftOut(&analysis::SectionSummary::calls), "call"),
                      base::formatNs(rows.sumLeftOut(&analysis::SectionSummary::callNs))});
}

BoundedRows<event::LogEvent> warningRows(const analysis::Summary &summary, std::size_t limit) {
  return boundedRows(summary.warnings, limit, &event::LogEvent::level, RowOrder::GivenIfAllFit);
}

std::string warningsLeftOut(const analysis::Summary &summary, const BoundedRows<event::LogEvent> &rows) {
  const auto leftOut =
      rows.sumLeftOut([](const event::LogEvent &entry) { return entry.level == event::LogLevel::Error ? 1U : 0U; });
  const std::uint64_t errors = summary.moreErrors + leftOut;
  const std::uint64_t warnings = summary.moreWarnings + rows.leftOut.size() - leftOut;
  return leftOutText(static_cast<std::size_t>(errors + warnings), "message", "messages",
                     {countOf(errors, "error"), countOf(warnings, "warning")});
}

} // namespace jitscope::report
