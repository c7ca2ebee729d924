// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/study_sections.h"

#include "base/counted.h"
#include "base/units.h"
#include "report/document/loop_sections.h"
#include "report/document/section_context.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace jitscope::report {

namespace {

using analysis::StudyPipeline;
using analysis::StudySummary;
using analysis::Timing;

std::string median(const Timing &timing) { return timing.sampleSize == 0 ? std::string() : base::formatDuration(timing.medianNs); }
std::string spread(const Timing &timing) {
  return timing.sampleSize < 2 ? std::string() : fmt::format("±{}", base::formatShare(timing.spread()));
}
std::string ratio(double value) { return value == 0 ? std::string() : fmt::format("{:.2f}x", value); }

/// The CPU and the features that decided.
std::string cpuText(const event::StudyEvent &study) {
  constexpr std::size_t kMaxFeatures = 16;
  const std::string cpu = study.cpu.empty() ? "no particular CPU" : study.cpu;
  std::vector<std::string> features;
  for (std::size_t begin = 0; begin < study.cpuFeatures.size();) {
    const std::size_t end = std::min(study.cpuFeatures.find(',', begin), study.cpuFeatures.size());
    features.push_back(study.cpuFeatures.substr(begin, end - begin));
    begin = end + 1;
  }
  return features.empty() ? cpu : fmt::format("{} with {}", cpu, base::listed(features, kMaxFeatures));
}

void addIntroduction(DocumentSection &section, const StudySummary &summary) {
  const event::StudyEvent &study = summary.study;
  std::vector<std::string> parts{study.triple, cpuText(study), study.options};
  std::erase_if(parts, [](const std::string &part) { return part.empty(); });
  section.blocks.emplace_back(DocumentText{fmt::format("{}", fmt::join(parts, " · ")), Tone::Dim});
  if (study.isModules) {
    section.blocks.emplace_back(DocumentText{"modules from elsewhere: optimized and compared, never executed", Tone::Dim});
  }
  DocumentList notes;
  for (const std::string &note : summary.notes) {
    notes.items.emplace_back(note, Tone::Notable);
  }
  if (!notes.items.empty()) {
    section.blocks.emplace_back(std::move(notes));
  }
}

/// How the times were taken, for under a table.
std::string timingNote(const StudySummary &summary) {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  bool isInDetail = false;
  for (const StudyPipeline &pipeline : summary.pipelines) {
    if (pipeline.compile.total.sampleSize > 0) {
      least = std::min(least, pipeline.compile.total.sampleSize);
      most = std::max(most, pipeline.compile.total.sampleSize);
      isInDetail = isInDetail || pipeline.compile.isRecordedInDetail;
    }
  }
  if (most == 0) {
    return {};
  }
  if (isInDetail) {
    return "one compile each, timed while passes, remarks and IR were recorded";
  }
  if (most == 1) {
    return "one compile each";
  }
  return fmt::format("median of {} compiles each, ± the median deviation from it",
                     least == most ? base::formatCount(most) : fmt::format("{} to {}", least, most));
}

void addCompiles(DocumentSection &section, const StudySummary &summary) {
  const bool hasTrace =
      std::ranges::any_of(summary.pipelines, [](const StudyPipeline &pipeline) { return pipeline.compile.trace.maximumNs > 0; });
  DocumentTable table;
  table.columns = {{"Pipeline", false, 10}, {"Error", false, 0, ColumnLayout::Below}, {"Compile"}, {""}, {"Ratio"}};
  if (hasTrace) {
    table.columns.push_back({"Trace"});
  }
  const bool isLinked = !summary.study.isModules; // they are read instead of lowered, and never linked into the process
  table.columns.insert(table.columns.end(), {{isLinked ? "Lower" : "Read"}, {"Optimize"}, {"Codegen"}});
  if (isLinked) {
    table.columns.push_back({"Link"});
  }
  table.columns.push_back({"Code"});
  for (const StudyPipeline &pipeline : summary.pipelines) {
    const event::StudyResultEvent &result = pipeline.result;
    if (!result.error.empty()) {
      table.rows.push_back({{result.pipeline, Tone::Bad}, {result.error, Tone::Bad}});
      continue;
    }
    const analysis::PhaseTimings &times = pipeline.compile;
    std::vector<DocumentCell> &cells = table.rows.emplace_back();
    cells = {result.pipeline, "", median(times.total), spread(times.total), ratio(pipeline.compileRatio)};
    if (hasTrace) {
      cells.emplace_back(median(times.trace));
    }
    for (const Timing *timing : {&times.lower, &times.optimize, &times.codegen}) {
      cells.emplace_back(median(*timing));
    }
    if (isLinked) {
      cells.emplace_back(median(times.link));
    }
    cells.emplace_back(base::formatBytes(result.codeBytes));
  }
  section.blocks.emplace_back(std::move(table));
  if (const std::string note = timingNote(summary); !note.empty()) {
    section.blocks.emplace_back(DocumentText{note, Tone::Dim});
  }
}

DocumentCell resultCell(const StudyPipeline &pipeline, bool isFirst) {
  const event::StudyResultEvent &result = pipeline.result;
  if (!result.isExecuted) {
    return "";
  }
  if (isFirst) {
    return {"the reference", Tone::Dim};
  }
  const std::string difference = fmt::format("{:.3g} ulp of {:.3g}", result.maxUlp, result.ulpBound);
  if (!result.isEqual) {
    return {"DIFFERENT: " + difference, Tone::Bad};
  }
  return result.maxUlp == 0 ? DocumentCell("equal") : DocumentCell("equal: " + difference);
}

void addResults(DocumentSection &section, const StudySummary &summary) {
  const bool isExecuted =
      std::ranges::any_of(summary.pipelines, [](const StudyPipeline &pipeline) { return pipeline.result.isExecuted; });
  DocumentTable table;
  table.columns = {{"Pipeline", false, 10}, {"Instructions"}, {"after"}, {"of the root"}, {"Vector loops"}};
  if (isExecuted) {
    table.columns.insert(table.columns.end(), {{"Call"}, {""}, {"Ratio"}, {"Results", false}});
  }
  for (const StudyPipeline &pipeline : summary.pipelines) {
    const event::StudyResultEvent &result = pipeline.result;
    if (!result.error.empty()) {
      continue;
    }
    std::vector<DocumentCell> &cells = table.rows.emplace_back();
    cells = {result.pipeline,
             base::formatCount(result.instructionsBefore),
             base::formatCount(result.instructionsAfter),
             pipeline.rootInstructions ? base::formatCount(*pipeline.rootInstructions) : std::string(),
             {base::formatCount(pipeline.loops.size()), pipeline.loops.empty() ? Tone::Plain : Tone::Good}};
    if (isExecuted) {
      cells.insert(cells.end(), {median(pipeline.execute), spread(pipeline.execute), ratio(pipeline.executeRatio),
                                 resultCell(pipeline, &pipeline == &summary.pipelines.front())});
    }
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  }
}

void addLoopFindings(DocumentSection &section, const StudySummary &summary, std::size_t maxRows) {
  if (!summary.loops.findings.empty()) {
    section.blocks.emplace_back(DocumentHeading{"Loops"});
    addLoops(section, summary.loops, maxRows);
  }
}

void addDivergences(DocumentSection &section, const StudySummary &summary) {
  DocumentList list;
  for (const analysis::Divergence &divergence : summary.divergences) {
    if (!divergence.sentences.empty()) {
      DocumentCell &item = list.items.emplace_back(divergence.sentences.front());
      item.lines.assign(divergence.sentences.begin() + 1, divergence.sentences.end());
    }
  }
  if (!list.items.empty()) {
    section.blocks.emplace_back(DocumentHeading{"Where they diverge"});
    section.blocks.emplace_back(std::move(list));
  }
}

void addWork(DocumentTable &table, std::string pipeline, DocumentCell function, const event::FunctionWork &work) {
  const auto blank = [](std::uint64_t value, const std::string &text) { return value == 0 ? std::string() : text; };
  const std::uint64_t repeatNs = work.repeatOptimizeNs + work.repeatEmitNs;
  table.rows.push_back({std::move(pipeline), std::move(function), base::formatCount(work.optimized), base::formatCount(work.linked),
                        base::formatCount(work.emitted), blank(work.reused, base::formatCount(work.reused)),
                        base::formatNs(work.optimizeNs), blank(repeatNs, base::formatNs(repeatNs)),
                        blank(work.repeatCodeBytes, base::formatBytes(work.repeatCodeBytes))});
}

void addRedundantWork(DocumentSection &section, const StudySummary &summary, std::size_t maxRows) {
  DocumentTable table;
  table.columns = {{"Pipeline", false, 10},
                   {"Function", false, 12},
                   {"Optimized"},
                   {"Linked"},
                   {"Emitted"},
                   {"Reused"},
                   {"Optimize"},
                   {"Repeated"},
                   {"and code"},
                   {"Verdict", false, 0, ColumnLayout::Below}};
  for (const StudyPipeline &pipeline : summary.pipelines) {
    std::vector<const analysis::RedundantWorkEntry *> entries;
    for (const analysis::RedundantWorkEntry &entry : pipeline.redundantWork.functions) {
      entries.push_back(&entry);
    }
    if (entries.empty()) {
      continue;
    }
    std::ranges::stable_sort(entries, std::greater{}, [](const analysis::RedundantWorkEntry *entry) {
      return std::pair(entry->work.repeatOptimizeNs + entry->work.repeatEmitNs, entry->work.optimizeNs);
    });
    const std::size_t shown = entries.size() <= maxRows + 1 ? entries.size() : maxRows;
    std::string name = pipeline.result.pipeline;
    for (std::size_t i = 0; i < shown; ++i) {
      addWork(table, std::exchange(name, {}), entries[i]->name, entries[i]->work);
    }
    if (entries.size() > 1) {
      addWork(table, {}, {fmt::format("all {}", base::formatCount(entries.size())), Tone::Dim}, pipeline.redundantWork.total);
    }
    const bool isFine = pipeline.verdict.cause == analysis::RepeatCause::None;
    table.rows.back().emplace_back(pipeline.verdict.text, isFine ? Tone::Dim : Tone::Notable);
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(DocumentHeading{"Work on each function, in the compile recorded in detail"});
    section.blocks.emplace_back(std::move(table));
  }
}

} // namespace

std::vector<DocumentSection> studySections(const SectionContext &context) {
  constexpr std::size_t kFunctions = 20;
  constexpr std::size_t kFunctionsInShort = 3;
  std::vector<DocumentSection> sections;
  for (const StudySummary &study : context.summary.optimizer.studies) {
    DocumentSection &section = sections.emplace_back();
    section.title = fmt::format("Study: {}", study.study.name);
    section.title += study.study.line > 0 ? fmt::format(" (line {})", study.study.line) : "";
    addIntroduction(section, study);
    addCompiles(section, study);
    addResults(section, study);
    addLoopFindings(section, study, context.options.rows);
    addDivergences(section, study);
    addRedundantWork(section, study, context.isWhole() ? kFunctions : kFunctionsInShort);
  }
  return sections;
}

} // namespace jitscope::report
