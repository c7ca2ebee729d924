// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/session_document.h"

#include "base/units.h"
#include "report/chart_source.h"
#include "report/document/benchmark_sections.h"
#include "report/document/bounded_rows.h"
#include "report/document/call_sections.h"
#include "report/document/finding_sections.h"
#include "report/document/headline_text.h"
#include "report/document/loop_sections.h"
#include "report/document/optimizer_sections.h"
#include "report/document/section_context.h"
#include "report/document/study_sections.h"
#include "report/document/summary_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jitscope::report {

namespace {

void addHead(Document &document, const SectionContext &context) {
  const session::SessionRow &session = context.summary.session;
  const session::SessionInfo &info = session.info;
  document.title = titleText(context.summary);
  document.head.push_back({statusText(session), toneOf(session.status)});
  if (context.summary.calls > 0 || context.summary.compiles > 0) {
    // A part of a session has no duration of its own.
    const std::uint64_t durationNs = context.summary.selection.isEmpty() ? session.durationNs : 0;
    document.head.push_back(
        {headlineText(context.summary.calls, {context.summary.compiles, context.summary.compileTimes}, durationNs)});
  }
  // The first line of an error is the message; the others name the places that led there.
  constexpr int kMaxLines = 20;
  std::string_view error = session.error;
  for (int line = 0; !error.empty() && line < kMaxLines; ++line) {
    const std::size_t end = std::min(error.find('\n'), error.size());
    if (end > 0) {
      document.head.push_back({std::string(error.substr(0, end)), Tone::Bad});
    }
    error.remove_prefix(std::min(end + 1, error.size()));
  }
  std::vector<std::string> facts;
  for (const auto &[name, value] :
       {std::pair("Started ", timeText(info.startedUtc)), std::pair("Jitscope ", info.jitscopeVersion),
        std::pair("LLVM ", info.llvmVersion), std::pair("", info.cpu), std::pair("", info.os), std::pair("host ", info.host)}) {
    if (!value.empty()) {
      facts.push_back(name + value);
    }
  }
  if (!facts.empty()) {
    document.head.push_back({fmt::format("{}", fmt::join(facts, " · ")), Tone::Dim});
  }
  if (info.callOverheadNs > 0) {
    document.head.push_back({fmt::format("Recording costs {} a call, reading the clock {}",
                                         base::formatDuration(info.callOverheadNs), base::formatDuration(info.clockReadNs)),
                             Tone::Dim});
  }
  if (std::string only = onlyText(context.summary); !only.empty()) {
    document.head.push_back({std::move(only), Tone::Notable});
  }
}

/// Failed ones first, and all of them up to a bound that keeps a page readable.
DocumentSection expectationSection(const SectionContext &context) {
  constexpr std::size_t kMaxFailed = 1000;
  const std::vector<event::ExpectationEvent> &all = context.summary.expectations;
  const std::uint64_t failed = context.summary.expectationsFailed;
  DocumentSection section;
  section.isLastInTerminal = true;
  section.title = failed == 0
                      ? fmt::format("Expectations: all {} met", base::formatCount(all.size()))
                      : fmt::format("Expectations: {} of {} failed", base::formatCount(failed), base::formatCount(all.size()));
  DocumentTable table;
  table.columns = {{"", false},
                   {"Line"},
                   {"Expectation", false, 12},
                   {"Expected", false, 12, ColumnLayout::Wrapped},
                   {"Got", false, 12, ColumnLayout::Wrapped}};
  std::size_t failedShown = 0;
  for (const bool passed : {false, true}) {
    const std::size_t limit = passed ? std::max(context.options.rows, failedShown) : kMaxFailed;
    for (std::size_t number = 1; const event::ExpectationEvent &entry : all) {
      const std::string script = scriptOfExpectation(context.summary, number++);
      if (entry.passed == passed && table.rows.size() < limit) {
        failedShown += passed ? 0 : 1;
        table.rows.push_back({{passed ? "passed" : "FAILED", passed ? Tone::Good : Tone::Bad},
                              script.empty() ? std::to_string(entry.line) : fmt::format("{}:{}", script, entry.line),
                              entry.name,
                              entry.expected,
                              entry.actual});
      }
    }
  }
  const std::size_t passedShown = table.rows.size() - failedShown;
  table.more = leftOutText(all.size() - table.rows.size(), "expectation", "expectations",
                           {fmt::format("{} failed", base::formatCount(failed - failedShown)),
                            fmt::format("{} passed", base::formatCount(all.size() - failed - passedShown))});
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  }
  return section;
}

/// Errors before others where not all fit.
DocumentSection warningSection(const SectionContext &context) {
  const analysis::WarningSummary &warnings = context.summary.warnings;
  DocumentSection section{"Warnings"};
  section.isLastInTerminal = true;
  if (warnings.lines.empty()) {
    return section;
  }
  DocumentTable table;
  table.columns = {{"At"}, {"", false}, {"Message", false, 20, ColumnLayout::Wrapped}};
  const BoundedRows<event::LogEvent> rows =
      boundedRows(warnings.lines, context.options.rows, &event::LogEvent::level, RowOrder::GivenIfAllFit);
  for (const event::LogEvent *entry : rows.shown) {
    table.rows.push_back({base::formatNs(entry->atNs),
                          {std::string(nameOf(entry->level)), entry->level == event::LogLevel::Error ? Tone::Bad : Tone::Notable},
                          entry->message});
  }
  const auto errors = rows.sumLeftOut([](const event::LogEvent &entry) { return entry.level == event::LogLevel::Error ? 1U : 0U; });
  const std::uint64_t allErrors = warnings.moreErrors + errors;
  const std::uint64_t allWarnings = warnings.moreWarnings + rows.leftOut.size() - errors;
  table.more = leftOutText(static_cast<std::size_t>(allErrors + allWarnings), "message", "messages",
                           {countOf(allErrors, "error"), countOf(allWarnings, "warning")});
  section.blocks.emplace_back(std::move(table));
  return section;
}

DocumentSection memorySection(const SectionContext &context) {
  const analysis::MemorySummary &memory = context.summary.memory;
  DocumentList list;
  if (memory.tensorPeakBytes > 0 || memory.cacheEntriesPeak > 0) {
    list.items.emplace_back(fmt::format("Tensors took at most {}", base::formatBytes(memory.tensorPeakBytes)));
    list.items.emplace_back(fmt::format("The cache held at most {} with {} of code", countOf(memory.cacheEntriesPeak, "executable"),
                                        base::formatBytes(memory.cacheCodePeakBytes)));
  }
  for (const analysis::EvictionSummary &entry : context.summary.evictions) {
    list.items.emplace_back(fmt::format("The cache evicted {} with {} of code (reason: {})", countOf(entry.count, "executable"),
                                        base::formatBytes(entry.codeBytes), nameOf(entry.reason)));
  }
  DocumentSection section{"Memory"};
  if (!list.items.empty()) {
    section.blocks.emplace_back(std::move(list));
  }
  return section;
}

DocumentSection environmentSection(const SectionContext &context) {
  const session::SessionInfo &info = context.summary.session.info;
  DocumentTable table;
  table.columns = {{"", false}, {"", false}};
  for (const auto &[name, value] : {std::pair("Script", &info.scriptPath), std::pair("Its SHA-256", &info.scriptSha256),
                                    std::pair("Command", &info.commandLine), std::pair("Session", &info.uuid),
                                    std::pair("CPU features", &info.cpuFeatures), std::pair("Options", &info.options)}) {
    if (!value->empty()) {
      table.rows.push_back({{name, Tone::Dim}, *value});
    }
  }
  DocumentSection section{"Environment"};
  section.isSecondary = true;
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  }
  return section;
}

DocumentSection scriptSection(const SectionContext &context) {
  const std::string &text = context.summary.session.info.scriptText;
  const std::size_t limit = context.options.scriptBytes;
  DocumentSection section{"Script"};
  section.isSecondary = true;
  if (!text.empty()) {
    section.blocks.emplace_back(DocumentCode{text.substr(0, limit)});
  }
  if (text.size() > limit) {
    section.blocks.emplace_back(DocumentText{fmt::format("… and {} more", base::formatBytes(text.size() - limit)), Tone::Dim});
  }
  return section;
}

using Sections = std::vector<DocumentSection>;

/// A section alone.
template <DocumentSection (*Build)(const SectionContext &)> Sections alone(const SectionContext &context) {
  Sections sections;
  sections.push_back(Build(context));
  return sections;
}

struct SectionEntry {
  Sections (*build)(const SectionContext &);
  std::optional<ChartPlace> figures = {}; ///< which stand at the head of the first section, if that has content
  Density from = Density::Short;          ///< left out of shorter reports
};

/// The sections of every report, in their order. To add one, write its function and name it here.
constexpr auto kSections = std::to_array<SectionEntry>({
    {alone<findingSection>},
    {alone<expectationSection>},
    {alone<warningSection>},
    {studySections},
    {alone<outcomeSection>, ChartPlace::Outcomes},
    {alone<compileSection>, ChartPlace::CompilePhases},
    {alone<stormSection>},
    {alone<missSection>, ChartPlace::Misses},
    {alone<retrievalSection>},
    {benchmarkSections, ChartPlace::Benchmarks},
    {alone<templateSection>, ChartPlace::Templates},
    {alone<scriptSectionSection>},
    {alone<passSection>},
    {alone<loopSection>},
    {alone<remarkSection>, ChartPlace::Remarks},
    {alone<workSection>, ChartPlace::Redundancy, Density::Whole},
    {alone<memorySection>},
    {alone<environmentSection>, {}, Density::Whole},
    {alone<scriptSection>, {}, Density::Whole},
});

} // namespace

Document sessionDocument(const analysis::Summary &summary, const SessionDocumentOptions &options) {
  const SectionContext context{summary, options};
  Document document;
  addHead(document, context);
  for (const SectionEntry &entry : kSections) {
    if (entry.from > options.density) {
      continue;
    }
    Sections sections = entry.build(context);
    if (options.charts != nullptr && entry.figures && !sections.empty() && !sections.front().blocks.empty()) {
      std::vector<DocumentFigure> figures = options.charts->figuresFor(*entry.figures, summary);
      std::vector<DocumentBlock> &blocks = sections.front().blocks;
      blocks.insert(blocks.begin(), std::move_iterator(figures.begin()), std::move_iterator(figures.end()));
    }
    std::ranges::move(sections, std::back_inserter(document.sections));
  }
  return document;
}

} // namespace jitscope::report
