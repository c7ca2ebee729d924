// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/summary.h"
#include "report/display_text.h"
#include "report/optimizer_sections.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::report {

namespace {

using Align = TextTable::Align;
using analysis::StudyPipeline;
using analysis::StudySummary;
using analysis::Timing;

std::string duration(std::uint64_t ns) { return formatDuration(static_cast<double>(ns)); }
std::string median(const Timing &timing) { return timing.sampleSize == 0 ? std::string() : formatDuration(timing.medianNs); }
std::string spread(const Timing &timing) {
  return timing.sampleSize < 2 ? std::string() : fmt::format("±{}", formatShare(timing.spread()));
}
std::string ratio(double value) { return value == 0 ? std::string() : fmt::format("{:.2f}x", value); }

std::string lines(const TextContext &context, std::string_view text, std::string_view lead, Tone tone) {
  std::string result;
  constexpr std::size_t kMostLines = 8;
  std::string indentation(lead);
  for (const std::string &line : wrap(printable(text), context.options.width - displayWidth(lead), kMostLines)) {
    result += indentation + context.style.apply(line, tone) + "\n";
    indentation.assign(displayWidth(lead), ' ');
  }
  return result;
}

/// A heading within a study.
std::string subheading(const TextContext &context, std::string_view text) {
  return "\n  " + context.style.apply(text, Tone::Heading) + "\n";
}

std::string studyHeading(const TextContext &context, const StudySummary &summary) {
  const event::StudyEvent &study = summary.study;
  std::string name = fmt::format("Study: {}", printable(study.name));
  name += study.line > 0 ? fmt::format(" (line {})", study.line) : "";
  std::string result = context.heading(elide(name, context.options.width));
  result += lines(context, fmt::format("{} · {}{}", study.triple, study.cpu, study.options.empty() ? "" : " · " + study.options),
                  "  ", Tone::Dim);
  if (study.isModules) {
    result += lines(context, "modules from elsewhere: optimized and compared, never executed", "  ", Tone::Dim);
  }
  for (const std::string &note : summary.notes) {
    result += lines(context, note, "  ! ", Tone::Notable);
  }
  return result;
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
  return fmt::format("median of {} compiles each, ± the median deviation from it",
                     least == most ? formatCount(most) : fmt::format("{} to {}", least, most));
}

std::string compileTable(const TextContext &context, const StudySummary &summary) {
  const bool hasTrace =
      std::ranges::any_of(summary.pipelines, [](const StudyPipeline &pipeline) { return pipeline.compile.trace.maximumNs > 0; });
  std::vector<TextTable::Column> columns{{"Pipeline", Align::Left, 10}, {"Compile"}, {""}, {"Ratio"}};
  if (hasTrace) {
    columns.push_back({"Trace"});
  }
  columns.insert(columns.end(), {{"Lower"}, {"Optimize"}, {"Codegen"}, {"Link"}, {"Code"}});
  TextTable table(std::move(columns));
  for (const StudyPipeline &pipeline : summary.pipelines) {
    const event::StudyResultEvent &result = pipeline.result;
    if (!result.error.empty()) {
      table.addRow({{printable(result.pipeline), Tone::Bad}});
      table.addNote(printable(result.error), Tone::Bad);
      continue;
    }
    const analysis::PhaseTimings &times = pipeline.compile;
    std::vector<TextTable::Cell> cells{printable(result.pipeline), median(times.total), spread(times.total),
                                       ratio(pipeline.compileRatio)};
    if (hasTrace) {
      cells.emplace_back(median(times.trace));
    }
    for (const Timing *timing : {&times.lower, &times.optimize, &times.codegen, &times.link}) {
      cells.emplace_back(median(*timing));
    }
    cells.emplace_back(formatBytes(result.codeBytes));
    table.addRow(std::move(cells));
  }
  return table.render(context.style, context.options.width) + lines(context, timingNote(summary), "  ", Tone::Dim);
}

TextTable::Cell resultCell(const StudyPipeline &pipeline, bool isFirst) {
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
  return result.maxUlp == 0 ? TextTable::Cell("equal") : TextTable::Cell("equal: " + difference);
}

std::string resultTable(const TextContext &context, const StudySummary &summary) {
  const bool isExecuted =
      std::ranges::any_of(summary.pipelines, [](const StudyPipeline &pipeline) { return pipeline.result.isExecuted; });
  std::vector<TextTable::Column> columns{{"Pipeline", Align::Left, 10}, {"Instructions"}, {"after"}, {"Vector loops"}};
  if (isExecuted) {
    columns.insert(columns.end(), {{"Call"}, {""}, {"Ratio"}, {"Results", Align::Left}});
  }
  TextTable table(std::move(columns));
  for (const StudyPipeline &pipeline : summary.pipelines) {
    const event::StudyResultEvent &result = pipeline.result;
    if (!result.error.empty()) {
      continue;
    }
    table.addRow({printable(result.pipeline),
                  formatCount(result.instructionsBefore),
                  formatCount(result.instructionsAfter),
                  {formatCount(pipeline.loops.size()), pipeline.loops.empty() ? Tone::Plain : Tone::Good},
                  median(pipeline.execute),
                  spread(pipeline.execute),
                  ratio(pipeline.executeRatio),
                  resultCell(pipeline, &pipeline == &summary.pipelines.front())});
  }
  return table.isEmpty() ? std::string() : "\n" + table.render(context.style, context.options.width);
}

std::string placeOf(const analysis::VectorizedLoop &loop) {
  if (loop.line == 0) {
    return {};
  }
  const std::string file = std::filesystem::path(loop.file).filename().string();
  const std::string column = loop.column > 0 ? fmt::format(":{}", loop.column) : std::string();
  return fmt::format("{}:{}{}", printable(file), loop.line, column);
}

std::string loopTable(const TextContext &context, const StudySummary &summary) {
  TextTable table(
      {{"Pipeline", Align::Left, 10}, {"Function", Align::Left, 12}, {"Loop at", Align::Left}, {"Width"}, {"Interleave"}});
  std::size_t hidden = 0;
  for (const StudyPipeline &pipeline : summary.pipelines) {
    std::size_t shown = 0;
    for (const analysis::VectorizedLoop &loop : pipeline.loops) {
      if (shown == context.options.rows) {
        ++hidden;
        continue;
      }
      const auto entry = std::ranges::find(pipeline.ledger.functions, loop.functionId,
                                           [](const analysis::LedgerEntry &known) { return known.work.functionId; });
      const bool isNamed = loop.functionId.isValid() && entry != pipeline.ledger.functions.end();
      table.addRow({shown == 0 ? printable(pipeline.result.pipeline) : std::string(),
                    printable(isNamed ? entry->name : loop.symbol), placeOf(loop),
                    fmt::format("{}{}", loop.isScalable ? "vscale x " : "", loop.width), formatCount(loop.interleave)});
      ++shown;
    }
  }
  if (table.isEmpty()) {
    return {};
  }
  std::string result = subheading(context, "Vectorized loops") + table.render(context.style, context.options.width);
  if (hidden > 0) {
    result += context.style.apply(fmt::format("  … and {} more loops", formatCount(hidden)), Tone::Dim) + "\n";
  }
  return result;
}

std::string partingLines(const TextContext &context, const StudySummary &summary) {
  if (summary.partings.empty()) {
    return {};
  }
  std::string result = subheading(context, "Where they part ways");
  for (const analysis::Parting &parting : summary.partings) {
    std::string_view lead = "  - ";
    for (const std::string &sentence : parting.sentences) {
      result += lines(context, sentence, lead, Tone::Plain);
      lead = "    ";
    }
  }
  return result;
}

void addWork(TextTable &table, std::string first, std::string second, const event::FunctionWork &work, Tone tone) {
  const auto blank = [](std::uint64_t value, const std::string &text) { return value == 0 ? std::string() : text; };
  const std::uint64_t repeatNs = work.repeatOptimizeNs + work.repeatEmitNs;
  table.addRow({std::move(first),
                {std::move(second), tone},
                formatCount(work.optimized),
                formatCount(work.linked),
                formatCount(work.emitted),
                blank(work.reused, formatCount(work.reused)),
                duration(work.optimizeNs),
                blank(repeatNs, duration(repeatNs)),
                blank(work.repeatCodeBytes, formatBytes(work.repeatCodeBytes))});
}

std::string ledgerTable(const TextContext &context, const StudySummary &summary) {
  constexpr std::size_t kFunctions = 3; // of each pipeline, those with the most repeated work
  TextTable table({{"Pipeline", Align::Left, 10},
                   {"Function", Align::Left, 12},
                   {"Optimized"},
                   {"Linked"},
                   {"Emitted"},
                   {"Reused"},
                   {"Optimize"},
                   {"Repeated"},
                   {"and code"}});
  for (const StudyPipeline &pipeline : summary.pipelines) {
    std::vector<const analysis::LedgerEntry *> entries;
    for (const analysis::LedgerEntry &entry : pipeline.ledger.functions) {
      entries.push_back(&entry);
    }
    if (entries.empty()) {
      continue;
    }
    std::ranges::stable_sort(entries, std::greater{}, [](const analysis::LedgerEntry *entry) {
      return std::pair(entry->work.repeatOptimizeNs + entry->work.repeatEmitNs, entry->work.optimizeNs);
    });
    const std::size_t shown = entries.size() <= kFunctions + 1 ? entries.size() : kFunctions;
    std::string name = printable(pipeline.result.pipeline);
    for (std::size_t i = 0; i < shown; ++i) {
      addWork(table, std::exchange(name, {}), printable(entries[i]->name), entries[i]->work, Tone::Plain);
    }
    if (entries.size() > 1) {
      addWork(table, {}, fmt::format("all {}", formatCount(entries.size())), pipeline.ledger.total, Tone::Dim);
    }
    const bool isFine = pipeline.verdict.cause == analysis::RepeatCause::None;
    table.addNote(printable(pipeline.verdict.text), isFine ? Tone::Dim : Tone::Notable);
  }
  return table.isEmpty() ? std::string()
                         : subheading(context, "Work on each function, in the compile recorded in detail") +
                               table.render(context.style, context.options.width);
}

} // namespace

std::string studySection(const TextContext &context) {
  std::string result;
  for (const StudySummary &summary : context.summary.optimizer.studies) {
    result += (result.empty() ? "" : "\n") + studyHeading(context, summary) + "\n" + compileTable(context, summary) +
              resultTable(context, summary) + loopTable(context, summary) + partingLines(context, summary) +
              ledgerTable(context, summary);
  }
  return result;
}

} // namespace jitscope::report
