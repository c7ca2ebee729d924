// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/session_document.h"

#include "analysis/summary.h"
#include "base/units.h"
#include "report/chart_source.h"
#include "report/document/loop_sections.h"
#include "report/document/optimizer_sections.h"
#include "report/document/study_document.h"
#include "report/render/storm_text.h"
#include "report/render/summary_rows.h"
#include "report/render/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace jitscope::report {

namespace {

using analysis::Summary;
using event::Outcome;

std::string shareText(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? std::string() : base::formatShare(base::shareOf(part, whole));
}

class SessionDocumentBuilder {
public:
  SessionDocumentBuilder(const Summary &summary, const SessionDocumentOptions &options) : m_summary(summary), m_options(options) {}

  Document build() {
    addHead();
    addExpectations();
    addWarnings();
    std::ranges::move(studySections(m_summary), std::back_inserter(m_document.sections));
    addOutcomes();
    addBenchmarks();
    addCompiles();
    addStorms();
    addMisses();
    addTemplates();
    addSections();
    addRetrievals();
    m_document.sections.push_back(passSection(m_summary, m_options.passes));
    m_document.sections.push_back(loopSection(m_summary.optimizer.loops, m_options.rows));
    addRemarks();
    addRedundancy();
    addMemory();
    addEnvironment();
    addScript();
    return std::move(m_document);
  }

private:
  /// A new section at the end; with the figures for its place, if there are some.
  DocumentSection &section(std::string title, std::optional<ChartPlace> place = {}) {
    DocumentSection &added = m_document.sections.emplace_back();
    added.title = std::move(title);
    if (place && m_options.charts != nullptr) {
      std::ranges::move(m_options.charts->figuresFor(*place, m_summary), std::back_inserter(added.blocks));
    }
    return added;
  }
  void addHead() {
    const session::SessionRow &session = m_summary.session;
    const session::SessionInfo &info = session.info;
    m_document.title = titleText(m_summary);
    std::string status = statusText(session);
    status[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(status[0])));
    m_document.head.push_back({status, toneOf(session.status)});
    if (!session.error.empty()) {
      m_document.head.push_back({session.error, Tone::Bad});
    }
    m_document.head.push_back({fmt::format("Started {} · Jitscope {} · LLVM {} · {}", timeText(info.startedUtc),
                                           info.jitscopeVersion, info.llvmVersion, info.cpu),
                               Tone::Dim});
    if (std::string only = onlyText(m_summary); !only.empty()) {
      m_document.head.push_back({std::move(only), Tone::Notable});
    }
  }

  void addExpectations() {
    const std::vector<event::ExpectationEvent> &all = m_summary.expectations;
    if (all.empty()) {
      return;
    }
    const std::uint64_t failed = m_summary.expectationsFailed;
    DocumentSection &added = section(
        failed == 0 ? fmt::format("Expectations: all {} met", base::formatCount(all.size()))
                    : fmt::format("Expectations: {} of {} failed", base::formatCount(failed), base::formatCount(all.size())));
    DocumentTable table;
    table.columns = {{"", false}, {"Line"}, {"Expectation", false}, {"Expected", false}, {"Got", false}};
    for (const bool passed : {false, true}) {
      for (std::size_t number = 1; const event::ExpectationEvent &entry : all) {
        const std::string script = scriptOfExpectation(m_summary, number++);
        if (entry.passed == passed && table.rows.size() < m_options.rows) {
          table.rows.push_back({{passed ? "passed" : "FAILED", passed ? Tone::Good : Tone::Bad},
                                script.empty() ? std::to_string(entry.line) : fmt::format("{}:{}", script, entry.line),
                                entry.name,
                                entry.expected,
                                entry.actual});
        }
      }
    }
    const std::uint64_t shownFailed = std::min<std::uint64_t>(failed, table.rows.size());
    const std::uint64_t shownPassed = table.rows.size() - shownFailed;
    table.more = leftOutText(all.size() - table.rows.size(), "expectation", "expectations",
                             {fmt::format("{} failed", base::formatCount(failed - shownFailed)),
                              fmt::format("{} passed", base::formatCount(all.size() - failed - shownPassed))});
    added.blocks.emplace_back(std::move(table));
  }

  void addWarnings() {
    if (m_summary.warnings.empty()) {
      return;
    }
    DocumentTable table;
    table.columns = {{"At"}, {"", false}, {"Message", false}};
    const BoundedRows<event::LogEvent> rows = warningRows(m_summary, m_options.rows);
    for (const event::LogEvent *entry : rows.shown) {
      table.rows.push_back({base::formatNs(entry->atNs),
                            {std::string(nameOf(entry->level)), entry->level == event::LogLevel::Error ? Tone::Bad : Tone::Notable},
                            entry->message});
    }
    table.more = warningsLeftOut(m_summary, rows);
    section("Warnings").blocks.emplace_back(std::move(table));
  }

  void addOutcomes() {
    if (m_summary.outcomes.empty() && !m_summary.optimizer.studies.empty()) {
      return; // a study needs no calls
    }
    DocumentSection &added = section(fmt::format("Calls: {}", base::formatCount(m_summary.calls)), ChartPlace::Outcomes);
    if (m_summary.outcomes.empty()) {
      added.blocks.emplace_back(DocumentText{noCallsText(m_summary) + ".", Tone::Dim});
      return;
    }
    DocumentTable table;
    table.columns = {{"Outcome", false}, {"Calls"}, {"Share"}, {"Median"}, {"Maximum"}, {"Total"}};
    for (const analysis::OutcomeSummary &entry : m_summary.outcomes) {
      table.rows.push_back({{std::string(nameOf(entry.outcome)), toneOf(entry.outcome)},
                            base::formatCount(entry.count),
                            shareText(entry.count, m_summary.calls),
                            base::formatDuration(entry.medianNs),
                            base::formatNs(entry.maximumNs),
                            base::formatNs(entry.totalNs)});
    }
    added.blocks.emplace_back(std::move(table));
  }

  void addBenchmarks() {
    std::vector<DocumentSection> sections = benchmarkSections(m_summary);
    if (!sections.empty() && m_options.charts != nullptr) {
      std::vector<DocumentFigure> figures = m_options.charts->figuresFor(ChartPlace::Benchmarks, m_summary);
      sections.front().blocks.insert(sections.front().blocks.begin(), std::move_iterator(figures.begin()),
                                     std::move_iterator(figures.end()));
    }
    std::ranges::move(sections, std::back_inserter(m_document.sections));
  }

  void addCompiles() {
    if (m_summary.compiles == 0) {
      return;
    }
    const analysis::CompileTimes &times = m_summary.compileTimes;
    DocumentSection &added =
        section(fmt::format("Compile time: {} in {}", base::formatNs(times.totalNs), countOf(m_summary.compiles, "compile")),
                ChartPlace::CompilePhases);
    DocumentTable table;
    table.columns = {{"Phase", false}, {"Time"}, {"Share"}};
    const std::array<std::pair<const char *, std::uint64_t>, 6> phases{{{"trace", times.traceNs},
                                                                        {"lower", times.lowerNs},
                                                                        {"optimize", times.optimizeNs},
                                                                        {"codegen", times.codegenNs},
                                                                        {"link", times.linkNs},
                                                                        {"between", times.betweenNs()}}};
    for (const auto &[name, ns] : phases) {
      table.rows.push_back({name, base::formatNs(ns), shareText(ns, times.totalNs)});
    }
    added.blocks.emplace_back(std::move(table));
  }

  void addMisses() {
    if (m_summary.misses.empty()) {
      return;
    }
    DocumentTable table;
    table.columns = {{"Function", false}, {"Template", false}, {"Reason", false}, {"Differs", false}, {"Total"}, {"Trace"},
                     {"Lower"},           {"Optimize"},        {"Codegen"},       {"Link"},           {"Code"}};
    for (const analysis::MissSummary &miss : m_summary.misses) {
      const analysis::CompileTimes &times = miss.times;
      table.rows.push_back({functionText(miss.functionName, miss.functionLine, miss.eager), miss.signature,
                            std::string(nameOf(miss.reason)), miss.difference, base::formatNs(times.totalNs),
                            base::formatNs(times.traceNs), base::formatNs(times.lowerNs), base::formatNs(times.optimizeNs),
                            base::formatNs(times.codegenNs), base::formatNs(times.linkNs), base::formatBytes(miss.codeBytes)});
    }
    table.more = compilesLeftOut(m_summary);
    section("Most expensive compiles", ChartPlace::Misses).blocks.emplace_back(std::move(table));
  }

  void addStorms() {
    if (m_summary.storms.empty()) {
      return;
    }
    DocumentList list;
    const std::size_t shown = std::min(m_summary.storms.size(), m_options.rows);
    for (std::size_t i = 0; i < shown; ++i) {
      const std::string advice = stormAdvice(m_summary.storms[i]);
      list.items.emplace_back(stormText(m_summary.storms[i]) + (advice.empty() ? "" : " ") + advice, Tone::Notable);
    }
    if (std::string more = stormsLeftOut(m_summary.storms, shown); !more.empty()) {
      list.items.emplace_back(std::move(more), Tone::Dim);
    }
    section("Recompile storms").blocks.emplace_back(std::move(list));
  }

  void addTemplates() {
    DocumentTable table;
    table.columns = {{"Function", false}, {"Template", false}, {"Calls"},   {"Hits"},
                     {"Compiled"},        {"Hit rate"},        {"Compile"}, {"Code"}};
    const std::vector<TemplateRow> all = templateRows(m_summary);
    if (all.empty()) {
      return;
    }
    const BoundedRows<TemplateRow> rows = boundedRows(all, m_options.rows, &TemplateRow::cost);
    for (const TemplateRow *row : rows.shown) {
      const analysis::TemplateSummary &entry = *row->entry;
      table.rows.push_back({functionText(row->function->name, row->function->line, row->function->eager), entry.signature,
                            base::formatCount(entry.calls), base::formatCount(entry.outcomes[Outcome::Hit]),
                            base::formatCount(entry.outcomes.paidForCompile()),
                            entry.calls == 0 ? std::string() : base::formatShare(entry.hitRate()), base::formatNs(entry.compileNs),
                            base::formatBytes(entry.codeBytes)});
    }
    table.more = templatesLeftOut(rows);
    section(fmt::format("Templates: {}", base::formatCount(all.size())), ChartPlace::Templates)
        .blocks.emplace_back(std::move(table));
  }

  void addSections() {
    const std::vector<analysis::SectionSummary> sections = sectionRows(m_summary);
    if (sections.size() < 2) {
      return;
    }
    DocumentTable table;
    table.columns = {{"Section", false}, {"Calls"}, {"Hits"}, {"Compiled"}, {"Other"}, {"Calls took"}, {"Compiles took"}};
    const BoundedRows<analysis::SectionSummary> rows =
        boundedRows(sections, m_options.rows, &analysis::SectionSummary::callNs, RowOrder::GivenIfAllFit);
    for (const analysis::SectionSummary *entry : rows.shown) {
      table.rows.push_back({event::sectionLabel(entry->name), base::formatCount(entry->calls),
                            base::formatCount(entry->outcomes[Outcome::Hit]), base::formatCount(entry->outcomes.paidForCompile()),
                            base::formatCount(entry->outcomes.others()), base::formatNs(entry->callNs),
                            base::formatNs(entry->compileNs)});
    }
    table.more = sectionsLeftOut(rows);
    section("Sections").blocks.emplace_back(std::move(table));
  }

  void addRetrievals() {
    if (m_summary.retrievals.empty()) {
      return;
    }
    DocumentTable table;
    table.columns = {{"Outcome", false}, {"Reason", false}, {"Calls"}, {"Trace"}, {"Load"}};
    for (const analysis::RetrievalSummary &entry : m_summary.retrievals) {
      table.rows.push_back({std::string(nameOf(entry.outcome)), std::string(nameOf(entry.reason)), base::formatCount(entry.count),
                            base::formatNs(entry.traceNs), base::formatNs(entry.loadNs)});
    }
    section("Served without compiling, though not from memory").blocks.emplace_back(std::move(table));
  }

  void addRemarks() {
    const analysis::OptimizerSummary &optimizer = m_summary.optimizer;
    if (optimizer.remarks == 0) {
      return;
    }
    DocumentSection &added = section(fmt::format("Remarks: {}", base::formatCount(optimizer.remarks)), ChartPlace::Remarks);
    DocumentTable counts;
    counts.columns = {{"Kind", false}, {"Pass", false}, {"Name", false}, {"Count"}};
    const BoundedRows<analysis::RemarkCount> kinds =
        boundedRows(optimizer.remarkCounts, m_options.rows, &analysis::RemarkCount::count);
    for (const analysis::RemarkCount *entry : kinds.shown) {
      counts.rows.push_back({entry->kind, entry->pass, entry->name, base::formatCount(entry->count)});
    }
    counts.more =
        leftOutText(kinds.leftOut.size(), "kind", "kinds", {countOf(kinds.sumLeftOut(&analysis::RemarkCount::count), "remark")});
    added.blocks.emplace_back(std::move(counts));
  }

  void addRedundancy() {
    const std::vector<analysis::FunctionWorkSummary> &work = m_summary.optimizer.work;
    if (work.empty()) {
      return;
    }
    DocumentTable table;
    table.columns = {{"Function", false}, {"Compiles"}, {"Optimized"}, {"Linked"},
                     {"Emitted"},         {"Optimize"}, {"Emit"},      {"Repeats cost"}};
    const BoundedRows<analysis::FunctionWorkSummary> rows =
        boundedRows(work, m_options.rows, &analysis::FunctionWorkSummary::repeatNs);
    for (const analysis::FunctionWorkSummary *entry : rows.shown) {
      table.rows.push_back({functionText(entry->name, 0, entry->eager), base::formatCount(entry->compiles),
                            base::formatCount(entry->optimized), base::formatCount(entry->linked),
                            base::formatCount(entry->emitted), base::formatNs(entry->optimizeNs), base::formatNs(entry->emitNs),
                            base::formatNs(entry->repeatNs)});
    }
    table.more = leftOutText(rows.leftOut.size(), "function", "functions",
                             {"repeats that cost " + base::formatNs(rows.sumLeftOut(&analysis::FunctionWorkSummary::repeatNs))});
    section("Work on functions, and what its repeats cost", ChartPlace::Redundancy).blocks.emplace_back(std::move(table));
  }

  void addMemory() {
    const analysis::MemorySummary &memory = m_summary.memory;
    DocumentList list;
    if (memory.tensorPeakBytes > 0 || memory.cacheEntriesPeak > 0) {
      list.items.emplace_back(fmt::format("Tensors took {} at most", base::formatBytes(memory.tensorPeakBytes)));
      list.items.emplace_back(fmt::format("The cache held {} with {} of code at most",
                                          countOf(memory.cacheEntriesPeak, "executable"),
                                          base::formatBytes(memory.cacheCodePeakBytes)));
    }
    for (const analysis::EvictionSummary &entry : m_summary.evictions) {
      list.items.emplace_back(fmt::format("{} with {} of code left it (reason: {})", countOf(entry.count, "executable"),
                                          base::formatBytes(entry.codeBytes), nameOf(entry.reason)));
    }
    if (!list.items.empty()) {
      section("Memory").blocks.emplace_back(std::move(list));
    }
  }

  void addEnvironment() {
    const session::SessionInfo &info = m_summary.session.info;
    DocumentTable table;
    table.columns = {{"", false}, {"", false}};
    const auto add = [&table](const char *name, const std::string &value) {
      if (!value.empty()) {
        table.rows.push_back({{name, Tone::Dim}, value});
      }
    };
    add("Script", info.scriptPath);
    add("Its SHA-256", info.scriptSha256);
    add("Command", info.commandLine);
    add("Session", info.uuid);
    add("Jitscope", info.jitscopeVersion);
    add("LLVM", info.llvmVersion);
    add("CPU", info.cpu);
    add("CPU features", info.cpuFeatures);
    add("System", info.os);
    add("Host", info.host);
    add("Options", info.options);
    if (info.callOverheadNs > 0) {
      add("Recording costs", fmt::format("{} a call", base::formatDuration(info.callOverheadNs)));
      add("A look at the clock", base::formatDuration(info.clockReadNs));
    }
    DocumentSection &added = section("Environment");
    added.isSecondary = true;
    if (!table.rows.empty()) {
      added.blocks.emplace_back(std::move(table));
    }
  }

  void addScript() {
    const std::string &text = m_summary.session.info.scriptText;
    if (text.empty()) {
      return;
    }
    DocumentSection &added = section("Script");
    added.isSecondary = true;
    added.blocks.emplace_back(DocumentCode{text.substr(0, m_options.scriptBytes)});
    if (text.size() > m_options.scriptBytes) {
      added.blocks.emplace_back(
          DocumentText{fmt::format("… and {} more", base::formatBytes(text.size() - m_options.scriptBytes)), Tone::Dim});
    }
  }

  const Summary &m_summary;
  const SessionDocumentOptions &m_options;
  Document m_document;
};

} // namespace

Document sessionDocument(const Summary &summary, const SessionDocumentOptions &options) {
  return SessionDocumentBuilder(summary, options).build();
}

} // namespace jitscope::report
