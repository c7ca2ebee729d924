// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/finding_sections.h"

#include "base/units.h"
#include "report/document/bounded_rows.h"
#include "report/document/section_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace jitscope::report {

using analysis::Finding;

namespace {

/// Of a path the name of the file.
std::string fileNameOf(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

} // namespace

std::string findingHeadline(const Finding &finding) {
  const std::string cost = finding.costNs == 0
                               ? std::string()
                               : fmt::format("{} ({}), ", base::formatNs(finding.costNs), base::formatShare(finding.share));
  const std::string place = finding.line > 0 ? fmt::format(" ({}:{})", fileNameOf(finding.file), finding.line) : std::string();
  return fmt::format("{}{}: {}{}", cost, nameOf(finding.kind), finding.title, place);
}

std::vector<std::string> findingParagraphs(const Finding &finding) {
  std::vector<std::string> paragraphs{finding.explanation, "What to do: " + finding.remedy};
  if (!finding.effect.empty()) {
    paragraphs.push_back("What it brings: " + finding.effect);
  }
  return paragraphs;
}

std::string noFindingsText(std::uint64_t calls, std::uint64_t compiles) {
  return fmt::format("Nothing to improve was found in {} and {}.", countOf(calls, "call"), countOf(compiles, "compile"));
}

DocumentSection findingSection(const SectionContext &context) {
  const analysis::Summary &summary = context.summary;
  DocumentSection section{"Findings"};
  if (!summary.selection.isEmpty()) {
    return section; // they are about the whole session
  }
  if (summary.findings.empty()) {
    if (summary.calls > 0) {
      section.blocks.emplace_back(DocumentText{noFindingsText(summary.calls, summary.compiles), Tone::Good});
    }
    return section;
  }
  DocumentList list;
  const std::size_t shown = std::min(summary.findings.size(), context.rows(10));
  for (std::size_t i = 0; i < shown; ++i) {
    const Finding &finding = summary.findings[i];
    DocumentCell item(findingHeadline(finding), isAboutCorrectness(finding.kind) ? Tone::Bad : Tone::Notable);
    item.lines = findingParagraphs(finding);
    list.items.push_back(std::move(item));
  }
  section.blocks.emplace_back(std::move(list));
  if (shown < summary.findings.size()) {
    std::uint64_t ns = 0;
    for (std::size_t i = shown; i < summary.findings.size(); ++i) {
      ns += summary.findings[i].costNs;
    }
    section.blocks.emplace_back(
        DocumentText{leftOutText(summary.findings.size() - shown, "finding", "findings", {base::formatNs(ns)}), Tone::Dim});
  }
  return section;
}

} // namespace jitscope::report
