// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/optimizer_sections.h"

#include "analysis/summary.h"
#include "base/units.h"
#include "report/document/bounded_rows.h"
#include "report/document/study_document.h"
#include "report/render/display_text.h"
#include "report/render/text_sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
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

} // namespace

DocumentSection passSection(const analysis::Summary &summary, std::size_t maxRows) {
  const analysis::OptimizerSummary &optimizer = summary.optimizer;
  DocumentSection section;
  if (optimizer.passes.empty()) {
    return section;
  }
  section.title = fmt::format("Passes by time: {} in {} runs", base::formatNs(optimizer.passTotal.durationNs),
                              base::formatCount(optimizer.passTotal.runs));
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

std::string studySection(const TextContext &context) {
  constexpr std::size_t kFunctions = 3;
  std::string result;
  for (const DocumentSection &section : studySections(context.summary, {context.options.rows, kFunctions})) {
    result += (result.empty() ? "" : "\n") + renderText(section, context.options);
  }
  return result;
}

std::string passSection(const TextContext &context) {
  constexpr std::size_t kOfRuns = 5;
  constexpr std::size_t kOfStudies = 12;
  return renderText(passSection(context.summary, context.summary.optimizer.studies.empty() ? kOfRuns : kOfStudies),
                    context.options);
}

std::string remarkSection(const TextContext &context) {
  const std::vector<analysis::RemarkTotal> &remarks = context.summary.optimizer.remarksByPass;
  if (remarks.empty()) {
    return {};
  }
  constexpr std::size_t kMost = 6;
  std::vector<std::string> parts;
  for (const analysis::RemarkTotal &total : remarks) {
    if (parts.size() < kMost) {
      std::vector<std::string> kinds;
      for (const auto &[name, number] :
           {std::pair("passed", total.passed), std::pair("missed", total.missed), std::pair("analysis", total.analysis)}) {
        if (number > 0) {
          kinds.push_back(fmt::format("{} {}", base::formatCount(number), name));
        }
      }
      parts.push_back(fmt::format("{} {}", printable(total.pass), fmt::join(kinds, ", ")));
    }
  }
  std::string text = fmt::format("{}", fmt::join(parts, " · "));
  const BoundedRows<analysis::RemarkTotal> rows = boundedRows(remarks, kMost, &analysis::RemarkTotal::count);
  if (const std::string more =
          leftOutText(rows.leftOut.size(), "pass", "passes", {countOf(rows.sumLeftOut(&analysis::RemarkTotal::count), "remark")});
      !more.empty()) {
    text += " · " + more;
  }
  std::string result = context.heading(fmt::format("Remarks: {}", base::formatCount(context.summary.optimizer.remarks)));
  for (const std::string &line : wrap(text, context.options.width - 2)) {
    result += "  " + line + "\n";
  }
  return result;
}

} // namespace jitscope::report
