// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/text_sections.h"

#include "analysis/summary.h"
#include "base/units.h"
#include "report/render/display_text.h"
#include "report/render/storm_text.h"
#include "report/render/summary_rows.h"
#include "report/render/summary_text.h"
#include "report/render/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace jitscope::report {

namespace {

using Align = TextTable::Align;
using event::Outcome;

/// A count, or nothing for none: zeros would drown what did occur.
std::string countOrBlank(std::uint64_t count) { return count == 0 ? "" : base::formatCount(count); }

std::string printableFunction(const std::string &name, int line, bool eager) { return printable(functionText(name, line, eager)); }

std::string bar(double share, std::size_t columns) {
  std::string result;
  const auto filled = static_cast<std::size_t>(std::lround(share * static_cast<double>(columns)));
  for (std::size_t i = 0; i < filled; ++i) {
    result += "▪";
  }
  return result;
}

/// What is said below a table of the rows that it leaves out.
std::string leftOutLine(const TextContext &context, const std::string &text) {
  return text.empty() ? std::string() : context.style.apply("  … " + text, Tone::Dim) + "\n";
}

} // namespace

std::string outcomeSection(const TextContext &context) {
  const analysis::Summary &summary = context.summary;
  if (summary.outcomes.empty() && !summary.optimizer.studies.empty()) {
    return {}; // a study needs no calls
  }
  if (summary.outcomes.empty()) {
    return context.heading(noCallsText(context.summary));
  }
  TextTable table({{"Outcome", Align::Left}, {"Calls"}, {"Share"}, {"Median"}, {"Maximum"}, {"Total"}});
  for (const analysis::OutcomeSummary &entry : summary.outcomes) {
    table.addRow({{std::string(nameOf(entry.outcome)), toneOf(entry.outcome)},
                  base::formatCount(entry.count),
                  base::formatShare(base::shareOf(entry.count, summary.calls)),
                  base::formatDuration(entry.medianNs),
                  base::formatNs(entry.maximumNs),
                  base::formatNs(entry.totalNs)});
  }
  return context.heading(fmt::format("Calls by outcome: {} in all", base::formatCount(summary.calls))) +
         table.render(context.style, context.options.width);
}

std::string compileSection(const TextContext &context) {
  const analysis::Summary &summary = context.summary;
  if (summary.compiles == 0) {
    return {};
  }
  const analysis::CompileTimes &times = summary.compileTimes;
  const std::array<std::pair<const char *, std::uint64_t>, 6> phases{{{"trace", times.traceNs},
                                                                      {"lower", times.lowerNs},
                                                                      {"optimize", times.optimizeNs},
                                                                      {"codegen", times.codegenNs},
                                                                      {"link", times.linkNs},
                                                                      {"between", times.betweenNs()}}};
  TextTable table({{"Phase", Align::Left}, {"Time"}, {"Share"}, {"", Align::Left}});
  constexpr std::size_t kBarColumns = 40;
  for (const auto &[name, ns] : phases) {
    const double share = base::shareOf(ns, times.totalNs);
    table.addRow({name, base::formatNs(ns), base::formatShare(share), bar(share, kBarColumns)});
  }
  return context.heading(fmt::format("Compile time by phase: {} in {} compile{}", base::formatNs(times.totalNs),
                                     base::formatCount(summary.compiles), summary.compiles == 1 ? "" : "s")) +
         table.render(context.style, context.options.width);
}

std::string missSection(const TextContext &context) {
  const analysis::Summary &summary = context.summary;
  if (summary.misses.empty()) {
    return {};
  }
  TextTable table({{"Function", Align::Left, 12}, {"Total"}, {"Trace"}, {"Lower"}, {"Optimize"}, {"Codegen"}, {"Link"}, {"Code"}});
  for (const analysis::MissSummary &miss : summary.misses) {
    const analysis::CompileTimes &times = miss.times;
    table.addRow({printableFunction(miss.functionName, miss.functionLine, miss.eager), base::formatNs(times.totalNs),
                  base::formatNs(times.traceNs), base::formatNs(times.lowerNs), base::formatNs(times.optimizeNs),
                  base::formatNs(times.codegenNs), base::formatNs(times.linkNs), base::formatBytes(miss.codeBytes)});
    std::string reason = fmt::format("{}: {}", nameOf(miss.reason), explain(miss.reason, miss.process));
    if (!miss.nearestSignature.empty()) {
      reason += fmt::format("; nearest {}", printable(miss.nearestSignature));
    }
    table.addNote(miss.signature.empty() ? "no arguments" : printable(miss.signature), Tone::Plain);
    table.addNote(std::move(reason), Tone::Notable);
    if (!miss.difference.empty()) {
      table.addNote(printable(miss.difference), Tone::Notable);
    }
    std::string place = miss.callId.isValid()
                            ? fmt::format("call {}, {} in all", miss.callId.value, base::formatNs(miss.callTotalNs))
                            : std::string("compiled ahead of time");
    if (!miss.section.empty()) {
      place += fmt::format(", in section \"{}\"", printable(miss.section));
    }
    if (miss.process > 0) {
      place += fmt::format(", in process {}", miss.process);
    }
    table.addNote(std::move(place));
  }
  return context.heading("Most expensive compiles") + table.render(context.style, context.options.width) +
         leftOutLine(context, compilesLeftOut(summary));
}

std::string retrievalSection(const TextContext &context) {
  if (context.summary.retrievals.empty()) {
    return {};
  }
  TextTable table({{"Outcome", Align::Left}, {"Reason", Align::Left}, {"Calls"}, {"Trace"}, {"Load"}});
  for (const analysis::RetrievalSummary &entry : context.summary.retrievals) {
    table.addRow({std::string(nameOf(entry.outcome)), std::string(nameOf(entry.reason)), base::formatCount(entry.count),
                  base::formatNs(entry.traceNs), base::formatNs(entry.loadNs)});
  }
  return context.heading("Served without compiling, though not from memory") + table.render(context.style, context.options.width);
}

std::string scriptSectionSection(const TextContext &context) {
  const std::vector<analysis::SectionSummary> sections = sectionRows(context.summary);
  // One row would repeat the totals above.
  if (sections.size() < 2) {
    return {};
  }
  TextTable table({{"Section", Align::Left, 16}, {"Calls"}, {"Hits"}, {"Compiled"}, {"Other"}, {"Calls took"}, {"Compiles took"}});
  const BoundedRows<analysis::SectionSummary> rows =
      boundedRows(sections, context.options.rows, &analysis::SectionSummary::callNs, RowOrder::GivenIfAllFit);
  for (const analysis::SectionSummary *section : rows.shown) {
    table.addRow({printable(event::sectionLabel(section->name)),
                  base::formatCount(section->calls),
                  countOrBlank(section->outcomes[Outcome::Hit]),
                  {countOrBlank(section->outcomes.paidForCompile()), Tone::Notable},
                  countOrBlank(section->outcomes.others()),
                  base::formatNs(section->callNs),
                  section->compiles == 0 ? std::string() : base::formatNs(section->compileNs)});
  }
  return context.heading("Sections") + table.render(context.style, context.options.width) +
         leftOutLine(context, sectionsLeftOut(rows));
}

std::string templateSection(const TextContext &context) {
  const std::vector<TemplateRow> all = templateRows(context.summary);
  if (all.empty()) {
    return {};
  }
  const BoundedRows<TemplateRow> rows = boundedRows(all, context.options.rows, &TemplateRow::cost);
  TextTable table({{"Function", Align::Left, 12},
                   {"Template", Align::Left, 20},
                   {"Calls"},
                   {"Hits"},
                   {"Compiled"},
                   {"Hit rate"},
                   {"Compile"},
                   {"Code"}});
  const analysis::FunctionSummary *above = nullptr;
  for (const TemplateRow *row : rows.shown) {
    const analysis::FunctionSummary &function = *row->function;
    const analysis::TemplateSummary &entry = *row->entry;
    table.addRow({row->function == above ? std::string() : printableFunction(function.name, function.line, function.eager),
                  printable(entry.signature),
                  base::formatCount(entry.calls),
                  countOrBlank(entry.outcomes[Outcome::Hit]),
                  {countOrBlank(entry.outcomes.paidForCompile()), Tone::Notable},
                  entry.calls == 0 ? std::string() : base::formatShare(entry.hitRate()),
                  entry.compiles == 0 ? std::string() : base::formatNs(entry.compileNs),
                  entry.compiles == 0 ? std::string() : base::formatBytes(entry.codeBytes)});
    above = row->function;
  }
  return context.heading("Templates") + table.render(context.style, context.options.width) +
         leftOutLine(context, templatesLeftOut(rows));
}

std::string stormSection(const TextContext &context) {
  const std::vector<analysis::RecompileStorm> &storms = context.summary.storms;
  if (storms.empty()) {
    return {};
  }
  std::string result = context.heading("Recompile storms");
  const std::size_t shown = std::min(storms.size(), context.options.rows);
  for (std::size_t i = 0; i < shown; ++i) {
    std::string text = stormText(storms[i]);
    if (const std::string advice = stormAdvice(storms[i]); !advice.empty()) {
      text += " " + advice;
    }
    constexpr std::size_t kIndent = 4;
    const std::vector<std::string> lines = wrap(printable(text), context.options.width - kIndent);
    for (std::size_t line = 0; line < lines.size(); ++line) {
      result += (line == 0 ? "  " : "    ") + context.style.apply(lines[line], Tone::Notable) + "\n";
    }
  }
  return result + leftOutLine(context, stormsLeftOut(storms, shown));
}

} // namespace jitscope::report
