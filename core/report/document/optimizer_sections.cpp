// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/optimizer_sections.h"

#include "base/units.h"
#include "report/document/bounded_rows.h"
#include "report/document/section_context.h"
#include "report/document/summary_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::report {

namespace {

DocumentTable passTable(const analysis::OptimizerSummary &optimizer, std::size_t count) {
  DocumentTable table;
  table.columns = {{"Pass", false, 20}, {"Time"}, {"Share"}, {"Runs"}, {"Changed code"}};
  for (std::size_t i = 0; i < count; ++i) {
    const analysis::PassTotal &pass = optimizer.passes[i];
    table.rows.push_back({pass.name, base::formatNs(pass.total.durationNs),
                          base::formatShare(base::shareOf(pass.total.durationNs, optimizer.passTotal.durationNs)),
                          base::formatCount(pass.total.runs), base::formatCount(pass.total.changes)});
  }
  return table;
}

DocumentTable passTableByPipeline(const analysis::OptimizerSummary &optimizer, std::size_t count) {
  DocumentTable table;
  table.columns = {{"Pass", false, 20}};
  for (const std::string &pipeline : optimizer.pipelines) {
    table.columns.push_back({pipeline, true, 6});
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<DocumentCell> &cells = table.rows.emplace_back();
    cells.emplace_back(optimizer.passes[i].name);
    for (const analysis::PassCost &cost : optimizer.passes[i].byPipeline) {
      cells.emplace_back(cost.runs == 0 ? std::string() : base::formatNs(cost.durationNs));
    }
  }
  return table;
}

/// How many remarks there are of each pass, in a sentence.
DocumentText remarksInShort(const std::vector<analysis::RemarkTotal> &remarks) {
  constexpr std::size_t kMaxPasses = 6;
  const BoundedRows<analysis::RemarkTotal> rows = boundedRows(remarks, kMaxPasses, &analysis::RemarkTotal::count);
  std::vector<std::string> parts;
  for (const analysis::RemarkTotal *total : rows.shown) {
    std::vector<std::string> kinds;
    for (const auto &[name, number] :
         {std::pair("passed", total->passed), std::pair("missed", total->missed), std::pair("analysis", total->analysis)}) {
      if (number > 0) {
        kinds.push_back(fmt::format("{} {}", base::formatCount(number), name));
      }
    }
    parts.push_back(fmt::format("{} {}", total->pass, fmt::join(kinds, ", ")));
  }
  if (std::string more =
          leftOutText(rows.leftOut.size(), "pass", "passes", {countOf(rows.sumLeftOut(&analysis::RemarkTotal::count), "remark")});
      !more.empty()) {
    parts.push_back(std::move(more));
  }
  return {fmt::format("{}", fmt::join(parts, " · "))};
}

DocumentTable remarkTable(const std::vector<analysis::RemarkCount> &remarks, std::size_t maxRows) {
  DocumentTable table;
  table.columns = {{"Kind", false}, {"Pass", false}, {"Name", false}, {"Count"}};
  const BoundedRows<analysis::RemarkCount> rows = boundedRows(remarks, maxRows, &analysis::RemarkCount::count);
  for (const analysis::RemarkCount *entry : rows.shown) {
    table.rows.push_back({entry->kind, entry->pass, entry->name, base::formatCount(entry->count)});
  }
  table.more =
      leftOutText(rows.leftOut.size(), "kind", "kinds", {countOf(rows.sumLeftOut(&analysis::RemarkCount::count), "remark")});
  return table;
}

} // namespace

DocumentSection passSection(const SectionContext &context) {
  constexpr std::size_t kInWhole = 30;
  constexpr std::size_t kOfRuns = 5;
  constexpr std::size_t kOfStudies = 12;
  const analysis::OptimizerSummary &optimizer = context.summary.optimizer;
  DocumentSection section;
  if (optimizer.passes.empty()) {
    return section;
  }
  section.title = fmt::format("Passes by time: {} in {} runs", base::formatNs(optimizer.passTotal.durationNs),
                              base::formatCount(optimizer.passTotal.runs));
  const std::size_t maxRows = context.isWhole() ? kInWhole : optimizer.studies.empty() ? kOfRuns : kOfStudies;
  const std::size_t count = std::min(optimizer.passes.size(), maxRows);
  DocumentTable table = optimizer.pipelines.size() > 1 ? passTableByPipeline(optimizer, count) : passTable(optimizer, count);
  const BoundedRows<analysis::PassTotal> rows =
      boundedRows(optimizer.passes, maxRows, [](const analysis::PassTotal &pass) { return pass.total.durationNs; });
  table.more =
      leftOutText(rows.leftOut.size(), "pass", "passes",
                  {base::formatNs(rows.sumLeftOut([](const analysis::PassTotal &pass) { return pass.total.durationNs; })) + " in " +
                   countOf(rows.sumLeftOut([](const analysis::PassTotal &pass) { return pass.total.runs; }), "run")});
  section.blocks.emplace_back(std::move(table));
  return section;
}

DocumentSection remarkSection(const SectionContext &context) {
  const analysis::OptimizerSummary &optimizer = context.summary.optimizer;
  DocumentSection section;
  if (optimizer.remarks == 0) {
    return section;
  }
  section.title = fmt::format("Remarks: {}", base::formatCount(optimizer.remarks));
  if (context.isWhole()) {
    section.blocks.emplace_back(remarkTable(optimizer.remarkCounts, context.options.rows));
  } else {
    section.blocks.emplace_back(remarksInShort(optimizer.remarksByPass));
  }
  return section;
}

DocumentSection workSection(const SectionContext &context) {
  using analysis::FunctionWorkSummary;
  const std::vector<FunctionWorkSummary> &work = context.summary.optimizer.work;
  DocumentSection section{"Work on functions, and what its repeats cost"};
  if (work.empty()) {
    return section;
  }
  DocumentTable table;
  table.columns = {{"Function", false, 12}, {"Compiles"}, {"Optimized"}, {"Linked"}, {"Emitted"}, {"Optimize"}, {"Emit"},
                   {"Repeats cost"}};
  const BoundedRows<FunctionWorkSummary> rows = boundedRows(work, context.options.rows, &FunctionWorkSummary::repeatNs);
  for (const FunctionWorkSummary *entry : rows.shown) {
    table.rows.push_back({functionText(entry->name, 0, entry->eager), base::formatCount(entry->compiles),
                          base::formatCount(entry->optimized), base::formatCount(entry->linked), base::formatCount(entry->emitted),
                          base::formatNs(entry->optimizeNs), base::formatNs(entry->emitNs), base::formatNs(entry->repeatNs)});
  }
  table.more = leftOutText(rows.leftOut.size(), "function", "functions",
                           {"repeats that cost " + base::formatNs(rows.sumLeftOut(&FunctionWorkSummary::repeatNs))});
  section.blocks.emplace_back(std::move(table));
  return section;
}

} // namespace jitscope::report
