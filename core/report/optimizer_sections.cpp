// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/optimizer_sections.h"

#include "analysis/summary.h"
#include "report/display_text.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::report {

namespace {

std::string duration(std::uint64_t ns) { return formatDuration(static_cast<double>(ns)); }

double shareOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string morePasses(const TextContext &context, std::size_t hidden) {
  return hidden == 0 ? std::string()
                     : context.style.apply(fmt::format("  … and {} more passes", formatCount(hidden)), Tone::Dim) + "\n";
}

std::string passTable(const TextContext &context, std::size_t count) {
  const analysis::OptimizerSummary &optimizer = context.summary.optimizer;
  TextTable table({{"Pass", TextTable::Align::Left, 20}, {"Time"}, {"Share"}, {"Runs"}, {"Changed code"}});
  for (std::size_t i = 0; i < count; ++i) {
    const analysis::PassTotal &pass = optimizer.passes[i];
    table.addRow({printable(pass.name), duration(pass.total.durationNs),
                  formatShare(shareOf(pass.total.durationNs, optimizer.passTotal.durationNs)), formatCount(pass.total.runs),
                  formatCount(pass.total.changes)});
  }
  return table.render(context.style, context.options.width);
}

std::string passTableByPipeline(const TextContext &context, std::size_t count) {
  const analysis::OptimizerSummary &optimizer = context.summary.optimizer;
  std::vector<TextTable::Column> columns{{"Pass", TextTable::Align::Left, 20}};
  for (const std::string &pipeline : optimizer.pipelines) {
    columns.push_back({printable(pipeline), TextTable::Align::Right, 6});
  }
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<TextTable::Cell> cells{printable(optimizer.passes[i].name)};
    for (const analysis::PassCost &cost : optimizer.passes[i].byPipeline) {
      cells.emplace_back(cost.runs == 0 ? std::string() : duration(cost.durationNs));
    }
    table.addRow(std::move(cells));
  }
  return table.render(context.style, context.options.width);
}

} // namespace

std::string passSection(const TextContext &context) {
  const analysis::OptimizerSummary &optimizer = context.summary.optimizer;
  if (optimizer.passes.empty()) {
    return {};
  }
  constexpr std::size_t kOfRuns = 5;
  constexpr std::size_t kOfStudies = 12;
  const std::size_t count = std::min(optimizer.passes.size(), optimizer.studies.empty() ? kOfRuns : kOfStudies);
  const std::string heading =
      fmt::format("Passes by time: {} in {} runs", duration(optimizer.passTotal.durationNs), formatCount(optimizer.passTotal.runs));
  return context.heading(heading) +
         (optimizer.pipelines.size() > 1 ? passTableByPipeline(context, count) : passTable(context, count)) +
         morePasses(context, optimizer.passes.size() - count);
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
          kinds.push_back(fmt::format("{} {}", formatCount(number), name));
        }
      }
      parts.push_back(fmt::format("{} {}", printable(total.pass), fmt::join(kinds, ", ")));
    }
  }
  std::string text = fmt::format("{}", fmt::join(parts, " · "));
  text += remarks.size() > kMost ? fmt::format(" · {} more passes", remarks.size() - kMost) : std::string();
  std::string result = context.heading(fmt::format("Remarks: {}", formatCount(context.summary.optimizer.remarks)));
  for (const std::string &line : wrap(text, context.options.width - 2)) {
    result += "  " + line + "\n";
  }
  return result;
}

} // namespace jitscope::report
