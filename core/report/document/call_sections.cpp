// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/call_sections.h"

#include "base/units.h"
#include "report/document/bounded_rows.h"
#include "report/document/section_context.h"
#include "report/document/storm_text.h"
#include "report/document/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::report {

namespace {

using analysis::CompileTimes;
using analysis::MissSummary;
using analysis::SectionSummary;
using event::Outcome;

/// One row of the table of templates.
struct TemplateRow {
  const analysis::FunctionSummary *function = nullptr;
  const analysis::TemplateSummary *entry = nullptr;

  /// What its compiles took, and then what its calls did.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> cost() const { return {entry->compileNs, entry->callNs}; }
};

/// A count, or nothing for none: zeros would drown what did occur.
std::string countOrBlank(std::uint64_t count) { return count == 0 ? "" : base::formatCount(count); }

/// How many of some calls hit, and how many compiled.
std::vector<DocumentCell> hitsAndCompiled(const analysis::OutcomeCounts &counts) {
  return {countOrBlank(counts[Outcome::Hit]), {countOrBlank(counts.paidForCompile()), Tone::Notable}};
}

std::string whyText(const MissSummary &miss) {
  const std::string why = fmt::format("{}: {}", nameOf(miss.reason), explain(miss.reason, miss.process));
  return miss.nearestSignature.empty() ? why : fmt::format("{}; nearest {}", why, miss.nearestSignature);
}

/// Which call a compile held up, and where.
std::string callText(const MissSummary &miss) {
  std::string text = miss.callId.isValid() ? fmt::format("call {}, {} in all", miss.callId.value, base::formatNs(miss.callTotalNs))
                                           : std::string("compiled ahead of time");
  if (!miss.section.empty()) {
    text += fmt::format(", in section \"{}\"", miss.section);
  }
  if (miss.process > 0) {
    text += fmt::format(", in process {}", miss.process);
  }
  return text;
}

/// What the compiles add up to that a summary does not name.
std::string compilesLeftOut(const analysis::Summary &summary) {
  std::uint64_t ns = summary.compileTimes.totalNs;
  for (const MissSummary &miss : summary.misses) {
    ns -= std::min(ns, miss.times.totalNs);
  }
  const std::uint64_t named = std::min<std::uint64_t>(summary.misses.size(), summary.compiles);
  return leftOutText(static_cast<std::size_t>(summary.compiles - named), "compile", "compiles", {base::formatNs(ns)});
}

} // namespace

DocumentSection outcomeSection(const SectionContext &context) {
  const analysis::Summary &summary = context.summary;
  DocumentSection section;
  if (summary.outcomes.empty()) {
    if (summary.optimizer.studies.empty()) { // which need no calls
      section.title = "Calls";
      section.blocks.emplace_back(DocumentText{noCallsText(summary) + ".", Tone::Dim});
    }
    return section;
  }
  section.title = fmt::format("Calls by outcome: {} in all", base::formatCount(summary.calls));
  DocumentTable table;
  table.columns = {{"Outcome", false}, {"Calls"}, {"Share"}, {"Median"}, {"Maximum"}, {"Total"}};
  for (const analysis::OutcomeSummary &entry : summary.outcomes) {
    table.rows.push_back({{std::string(nameOf(entry.outcome)), toneOf(entry.outcome)},
                          base::formatCount(entry.count),
                          base::formatShare(base::shareOf(entry.count, summary.calls)),
                          base::formatDuration(entry.medianNs),
                          base::formatNs(entry.maximumNs),
                          base::formatNs(entry.totalNs)});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

DocumentSection compileSection(const SectionContext &context) {
  const analysis::Summary &summary = context.summary;
  DocumentSection section;
  if (summary.compiles == 0) {
    return section;
  }
  const CompileTimes &times = summary.compileTimes;
  section.title =
      fmt::format("Compile time by phase: {} in {}", base::formatNs(times.totalNs), countOf(summary.compiles, "compile"));
  DocumentTable table;
  table.columns = {{"Phase", false}, {"Time"}, {"Share"}};
  const std::array<std::pair<const char *, std::uint64_t>, 6> phases{{{"trace", times.traceNs},
                                                                      {"lower", times.lowerNs},
                                                                      {"optimize", times.optimizeNs},
                                                                      {"codegen", times.codegenNs},
                                                                      {"link", times.linkNs},
                                                                      {"between", times.betweenNs()}}};
  for (const auto &[name, ns] : phases) {
    table.bars.push_back(base::shareOf(ns, times.totalNs));
    table.rows.push_back({name, base::formatNs(ns), base::formatShare(table.bars.back())});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

DocumentSection stormSection(const SectionContext &context) {
  // A storm that is a finding is told there.
  std::vector<analysis::RecompileStorm> storms = context.summary.storms;
  std::erase_if(storms, [&context](const analysis::RecompileStorm &storm) {
    return std::ranges::any_of(context.summary.findings, [&storm](const analysis::Finding &finding) {
      return finding.kind == analysis::FindingKind::Storm && std::ranges::count(finding.rows.functions, storm.functionId) > 0;
    });
  });
  DocumentSection section{"Recompile storms"};
  if (storms.empty()) {
    return section;
  }
  DocumentList list;
  const std::size_t shown = std::min(storms.size(), context.options.rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string advice = stormAdvice(storms[i]);
    list.items.emplace_back(stormText(storms[i]) + (advice.empty() ? "" : " ") + advice, Tone::Notable);
  }
  if (std::string more = stormsLeftOut(storms, shown); !more.empty()) {
    list.items.emplace_back(std::move(more), Tone::Dim);
  }
  section.blocks.emplace_back(std::move(list));
  return section;
}

DocumentSection missSection(const SectionContext &context) {
  DocumentSection section{"Most expensive compiles"};
  if (context.summary.misses.empty()) {
    return section;
  }
  constexpr ColumnLayout kBelow = ColumnLayout::Below;
  DocumentTable table;
  table.columns = {{"Function", false, 12},
                   {"Template", false, 0, kBelow},
                   {"Reason", false, 0, kBelow},
                   {"Differs", false, 0, kBelow},
                   {"Call", false, 0, kBelow},
                   {"Total"},
                   {"Trace"},
                   {"Lower"},
                   {"Optimize"},
                   {"Codegen"},
                   {"Link"},
                   {"Code"}};
  for (const MissSummary &miss : context.summary.misses) {
    const CompileTimes &times = miss.times;
    table.rows.push_back({functionText(miss.functionName, miss.functionLine, miss.eager),
                          signatureText(miss.signature),
                          {whyText(miss), Tone::Notable},
                          {miss.difference, Tone::Notable},
                          {callText(miss), Tone::Dim},
                          base::formatNs(times.totalNs),
                          base::formatNs(times.traceNs),
                          base::formatNs(times.lowerNs),
                          base::formatNs(times.optimizeNs),
                          base::formatNs(times.codegenNs),
                          base::formatNs(times.linkNs),
                          base::formatBytes(miss.codeBytes)});
  }
  table.more = compilesLeftOut(context.summary);
  section.blocks.emplace_back(std::move(table));
  return section;
}

DocumentSection retrievalSection(const SectionContext &context) {
  DocumentSection section{"Served without compiling, though not from memory"};
  DocumentTable table;
  table.columns = {{"Outcome", false}, {"Reason", false}, {"Calls"}, {"Trace"}, {"Load"}};
  for (const analysis::RetrievalSummary &entry : context.summary.retrievals) {
    table.rows.push_back({std::string(nameOf(entry.outcome)), std::string(nameOf(entry.reason)), base::formatCount(entry.count),
                          base::formatNs(entry.traceNs), base::formatNs(entry.loadNs)});
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  }
  return section;
}

DocumentSection templateSection(const SectionContext &context) {
  std::vector<TemplateRow> all;
  for (const analysis::FunctionSummary &function : context.summary.functions) {
    for (const analysis::TemplateSummary &entry : function.templates) {
      // Studies have templates of their own, which nothing calls and the cache does not hold.
      if (entry.calls + entry.compiles > 0 || context.summary.optimizer.studies.empty()) {
        all.push_back({&function, &entry});
      }
    }
  }
  DocumentSection section{fmt::format("Templates: {}", base::formatCount(all.size()))};
  if (all.empty()) {
    return section;
  }
  const BoundedRows<TemplateRow> rows = boundedRows(all, context.options.rows, &TemplateRow::cost);
  DocumentTable table;
  table.columns = {{"Function", false, 12, ColumnLayout::Grouped},
                   {"Template", false, 20},
                   {"Calls"},
                   {"Hits"},
                   {"Compiled"},
                   {"Hit rate"},
                   {"Compile"},
                   {"Code"}};
  for (const TemplateRow *row : rows.shown) {
    const analysis::TemplateSummary &entry = *row->entry;
    std::vector<DocumentCell> &cells = table.rows.emplace_back();
    cells = {functionText(row->function->name, row->function->line, row->function->eager), entry.signature,
             base::formatCount(entry.calls)};
    std::ranges::move(hitsAndCompiled(entry.outcomes), std::back_inserter(cells));
    cells.insert(cells.end(), {entry.calls == 0 ? std::string() : base::formatShare(entry.hitRate()),
                               entry.compiles == 0 ? std::string() : base::formatNs(entry.compileNs),
                               entry.compiles == 0 ? std::string() : base::formatBytes(entry.codeBytes)});
  }
  table.more =
      leftOutText(rows.leftOut.size(), "template", "templates",
                  {countOf(rows.sumLeftOut([](const TemplateRow &row) { return row.entry->calls; }), "call"),
                   base::formatNs(rows.sumLeftOut([](const TemplateRow &row) { return row.entry->compileNs; })) + " of compiling"});
  section.blocks.emplace_back(std::move(table));
  return section;
}

DocumentSection scriptSectionSection(const SectionContext &context) {
  std::vector<SectionSummary> sections = context.summary.sections;
  // That of a run's beginning counts only where it has calls.
  std::erase_if(sections, [](const SectionSummary &entry) { return entry.name.empty() && entry.calls == 0; });
  DocumentSection section{"Sections"};
  if (sections.size() < 2) {
    return section;
  }
  DocumentTable table;
  table.columns = {{"Section", false, 16}, {"Calls"}, {"Hits"}, {"Compiled"}, {"Other"}, {"Calls took"}, {"Compiles took"}};
  const BoundedRows<SectionSummary> rows =
      boundedRows(sections, context.options.rows, &SectionSummary::callNs, RowOrder::GivenIfAllFit);
  for (const SectionSummary *entry : rows.shown) {
    std::vector<DocumentCell> &cells = table.rows.emplace_back();
    cells = {event::sectionLabel(entry->name), base::formatCount(entry->calls)};
    std::ranges::move(hitsAndCompiled(entry->outcomes), std::back_inserter(cells));
    cells.insert(cells.end(), {countOrBlank(entry->outcomes.others()), base::formatNs(entry->callNs),
                               entry->compiles == 0 ? std::string() : base::formatNs(entry->compileNs)});
  }
  table.more = leftOutText(
      rows.leftOut.size(), "section", "sections",
      {countOf(rows.sumLeftOut(&SectionSummary::calls), "call"), base::formatNs(rows.sumLeftOut(&SectionSummary::callNs))});
  section.blocks.emplace_back(std::move(table));
  return section;
}

} // namespace jitscope::report
