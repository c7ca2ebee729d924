// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/loop_sections.h"

#include "analysis/compiles/loop_summary.h"
#include "base/units.h"
#include "event/loops.h"
#include "report/document/section_context.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::report {

namespace {

using analysis::LoopFinding;
using analysis::LoopSummary;
using event::LoopState;

bool isVectorized(const LoopFinding &finding) { return finding.loop.state == LoopState::Vectorized; }

/// Whether nothing but the order in their line tells two findings apart.
bool isAlike(const LoopFinding &one, const LoopFinding &other) {
  const event::LoopResult &a = one.loop;
  const event::LoopResult &b = other.loop;
  return a.functionId == b.functionId && a.line == b.line && a.column == b.column && one.function == other.function &&
         one.holder == other.holder && one.pipelines == other.pipelines && one.isAgreed == other.isAgreed &&
         one.compiles == other.compiles && one.remedy == other.remedy && event::isSameOutcome(a, b);
}

/// Where the loops from `first` to before `end` are: several of one line are told by their order.
std::string placeText(const LoopSummary &summary, std::size_t first, std::size_t end) {
  std::vector<std::string> orders;
  for (std::size_t i = first; i < end; ++i) {
    orders.push_back(fmt::format("#{}", summary.findings[i].loop.order + 1));
  }
  const event::LoopResult &loop = summary.findings[first].loop;
  const std::string location = event::locationText(loop);
  const bool isToldByOrder = orders.size() > 1 || loop.order > 0;
  return isToldByOrder ? fmt::format("{}{}{}", location, location.empty() ? "" : " ", fmt::join(orders, " ")) : location;
}

Tone toneOfLoop(const LoopFinding &finding) {
  return isVectorized(finding) ? Tone::Good : finding.loop.state == LoopState::Unrolled ? Tone::Plain : Tone::Notable;
}

/// Why a loop is scalar and what to do, in a sentence or two.
std::string explanationOf(const LoopFinding &finding) {
  const std::string reason = event::reasonText(finding.loop);
  return reason.empty() || finding.remedy.empty() ? reason : fmt::format("{}; what would help: {}", reason, finding.remedy);
}

std::string hiddenText(const LoopSummary &summary, std::size_t shown) {
  const auto first = summary.findings.begin() + static_cast<std::ptrdiff_t>(shown);
  const auto hidden = static_cast<std::size_t>(summary.findings.end() - first);
  const auto vectorized = static_cast<std::size_t>(std::count_if(first, summary.findings.end(), isVectorized));
  return fmt::format("and {} more: {} vectorized, {} not", base::formatCount(hidden), base::formatCount(vectorized),
                     base::formatCount(hidden - vectorized));
}

/// What the table is silent about.
std::string restOf(const LoopSummary &summary) {
  std::vector<std::string> parts;
  if (summary.outer > 0) {
    parts.push_back(summary.outer == 1 ? std::string("1 that holds others is not listed: LLVM vectorizes innermost loops")
                                       : fmt::format("{} that hold others are not listed: LLVM vectorizes innermost loops",
                                                     base::formatCount(summary.outer)));
  }
  if (summary.unreached > 0) {
    parts.push_back(summary.unreached == 1 ? std::string("1 copy is in code that the root does not reach, and does not count")
                                           : fmt::format("{} copies are in code that the root does not reach, and do not count",
                                                         base::formatCount(summary.unreached)));
  }
  return parts.empty() ? std::string() : fmt::format("Other loops: {}", fmt::join(parts, "; "));
}

} // namespace

void addLoops(DocumentSection &section, const LoopSummary &summary, std::size_t maxRows) {
  if (summary.findings.empty()) {
    return;
  }
  const bool hasPipelines = summary.pipelines.size() > 1;
  const bool hasTimes =
      std::ranges::any_of(summary.findings, [](const LoopFinding &finding) { return finding.compiles > finding.pipelines.size(); });
  DocumentTable table;
  table.columns = {{"Loop at", false}, {"Function", false, 12}};
  if (hasPipelines) {
    table.columns.push_back({"Under", false});
  }
  table.columns.insert(table.columns.end(), {{"What became of it", false}, {"Pass", false}});
  if (hasTimes) {
    table.columns.push_back({"Compiles"});
  }
  table.columns.push_back({"Why", false, 0, ColumnLayout::Below});
  // Loops of one line that share their fate share a row.
  std::size_t next = 0;
  const LoopFinding *above = nullptr;
  while (next < summary.findings.size() && table.rows.size() < maxRows) {
    const LoopFinding &finding = summary.findings[next];
    const std::size_t first = next;
    while (next < summary.findings.size() && isAlike(finding, summary.findings[next])) {
      ++next;
    }
    const bool isRepeat = above != nullptr && event::keyOf(finding.loop) == event::keyOf(above->loop);
    std::vector<DocumentCell> &cells = table.rows.emplace_back();
    cells.emplace_back(isRepeat ? std::string() : placeText(summary, first, next));
    cells.emplace_back(isRepeat && finding.holder.empty() ? std::string() : functionText(finding));
    if (hasPipelines) {
      cells.emplace_back(pipelinesText(finding));
    }
    cells.emplace_back(event::outcomeText(finding.loop), toneOfLoop(finding));
    cells.emplace_back(finding.loop.pass);
    if (hasTimes) {
      cells.emplace_back(base::formatCount(finding.compiles));
    }
    cells.emplace_back(explanationOf(finding), Tone::Dim);
    above = &finding;
  }
  if (next < summary.findings.size()) {
    table.more = hiddenText(summary, next);
  }
  section.blocks.emplace_back(std::move(table));
  if (std::string rest = restOf(summary); !rest.empty()) {
    section.blocks.emplace_back(DocumentText{std::move(rest), Tone::Dim});
  }
}

DocumentSection loopSection(const SectionContext &context) {
  constexpr std::size_t kInShort = 12;
  const LoopSummary &summary = context.summary.optimizer.loops;
  DocumentSection section;
  section.title =
      fmt::format("Loops: {} of {} vectorized", base::formatCount(summary.vectorized), base::formatCount(summary.innermost));
  addLoops(section, summary, context.rows(kInShort));
  return section;
}

} // namespace jitscope::report
