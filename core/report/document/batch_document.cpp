// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/batch_document.h"
#include "report/document/comparison_document.h"
#include "report/document/finding_sections.h"

#include "base/units.h"
#include "report/batch/batch_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace jitscope::report {

namespace {

namespace fs = std::filesystem;

Tone toneOfScript(const ScriptResult &script) {
  if (script.hasFailed()) {
    return Tone::Bad;
  }
  return script.isInsufficient() ? Tone::Notable : Tone::Good;
}

std::string linkTo(const std::string &target, const fs::path &from) {
  if (target.empty()) {
    return {};
  }
  std::error_code ignored;
  const fs::path relative = fs::relative(target, from.empty() ? fs::path(".") : from, ignored);
  return relative.empty() ? target : relative.string();
}

DocumentSection scriptsSection(const BatchResult &batch, const fs::path &from) {
  DocumentSection section;
  section.title = fmt::format("{} script{}", batch.scripts.size(), batch.scripts.size() == 1 ? "" : "s");
  DocumentTable table;
  table.columns = {{"Script", false, 16}, {"Result", false, 24}, {"Expectations"}, {"Took"}};
  if (batch.hasBaseline) {
    table.columns.push_back({"Against the baseline", false, 20});
  }
  for (const ScriptResult &script : batch.scripts) {
    const std::size_t all = script.expectations.size();
    DocumentCell name(script.script);
    name.link = linkTo(script.report, from);
    std::vector<DocumentCell> row{std::move(name),
                                  {script.verdict(), toneOfScript(script)},
                                  all == 0 ? std::string("none") : fmt::format("{} of {}", all - script.failedExpectations(), all),
                                  base::formatDuration(script.seconds * 1e9)};
    if (batch.hasBaseline) {
      row.emplace_back(script.comparison ? comparisonVerdict(*script.comparison) : script.baselineProblem);
    }
    table.rows.push_back(std::move(row));
  }
  if (!table.rows.empty()) {
    section.blocks.emplace_back(std::move(table));
  } else {
    section.blocks.emplace_back(DocumentText{"This shard has no scripts.", Tone::Dim});
  }
  return section;
}

/// What is to be said of a script beyond its row; no blocks where that is nothing.
DocumentSection detailSection(const ScriptResult &script) {
  DocumentSection section;
  section.title = script.script;
  if (!script.message.empty()) {
    section.blocks.emplace_back(DocumentText{script.message, Tone::Bad});
  }
  DocumentList failed;
  for (const event::ExpectationEvent &entry : script.expectations) {
    if (!entry.passed) {
      failed.items.emplace_back(
          fmt::format("line {}: {}: expected {}, got {}", entry.line, entry.name, entry.expected, entry.actual), Tone::Bad);
    }
  }
  for (const ScriptFinding &entry : script.findings) {
    if (entry.isForbidden) {
      DocumentCell item("forbidden finding: " + findingHeadline(entry.finding), Tone::Bad);
      item.lines = findingParagraphs(entry.finding);
      failed.items.push_back(std::move(item));
    }
  }
  if (!failed.items.empty()) {
    section.blocks.emplace_back(std::move(failed));
  }
  // A script that failed said so in its message; of a process that died this is all there is.
  const bool isDead = script.state == ScriptState::Crashed || script.state == ScriptState::NotStarted;
  if (isDead && !script.output.empty()) {
    section.blocks.emplace_back(DocumentCode{script.output});
  }
  if (script.comparison && (script.comparison->hasRegressed() || script.isInsufficient() || !script.comparison->warnings.empty())) {
    for (DocumentSection &part : comparisonDocument(*script.comparison).sections) {
      if (!part.blocks.empty()) {
        section.blocks.emplace_back(DocumentText{part.title + ":", Tone::Heading});
        std::ranges::move(part.blocks, std::back_inserter(section.blocks));
      }
    }
  }
  return section;
}

} // namespace

Document batchDocument(const BatchResult &batch, const fs::path &from) {
  Document document;
  const auto failed = std::ranges::count_if(batch.scripts, &ScriptResult::hasFailed);
  const auto unclear = std::ranges::count_if(batch.scripts, &ScriptResult::isInsufficient);
  document.title =
      batch.shard.empty() ? std::string("Batch of graph scripts") : fmt::format("Batch of graph scripts, shard {}", batch.shard);
  if (failed > 0) {
    document.head.push_back({fmt::format("{} of {} failed", failed, batch.scripts.size()), Tone::Bad});
  } else if (batch.isInsufficient()) {
    document.head.push_back(
        {unclear > 0 ? fmt::format("None failed, and {} cannot be told", unclear) : "None failed, and not all could be compared",
         Tone::Notable});
  } else {
    document.head.push_back({fmt::format("All {} passed", batch.scripts.size()), Tone::Good});
  }
  if (!batch.problems.empty()) {
    DocumentList list;
    for (const std::string &problem : batch.problems) {
      list.items.emplace_back(problem, Tone::Notable);
    }
    document.sections.push_back({"Problems", {std::move(list)}});
  }
  document.sections.push_back(scriptsSection(batch, from));
  for (const ScriptResult &script : batch.scripts) {
    document.sections.push_back(detailSection(script));
  }
  return document;
}

} // namespace jitscope::report
