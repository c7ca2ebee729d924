// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/compiles/optimizer_summary.h"

#include "analysis/compiles/study_summary.h"
#include "analysis/query/each_row.h"
#include "base/try.h"
#include "session/file/database.h"
#include "session/file/query.h"
#include "session/session_reader.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace jitscope::analysis {

namespace {

using session::Statement;

struct PassRow {
  std::string name;
  std::string pipeline;
  PassCost cost;
};

PassRow readPass(const Statement &row) {
  return {
      session::textOf(row, 0), session::textOf(row, 1), {row.unsignedInteger(2), row.unsignedInteger(3), row.unsignedInteger(4)}};
}

std::string readName(const Statement &row) { return session::textOf(row, 0); }
std::uint32_t readId(const Statement &row) { return row.number(0); }

/// On a column with the id of a compile.
std::string isSelected(const Selection &selection, const char *column) {
  return selection.isEmpty() ? "1"
                             : fmt::format("{} IN (SELECT c.id FROM compile c WHERE {})", column, compileCondition(selection, "c"));
}

void add(PassCost &total, const PassCost &cost) {
  total.durationNs += cost.durationNs;
  total.runs += cost.runs;
  total.changes += cost.changes;
}

base::Result<void> addPasses(session::Database &database, const Selection &selection, OptimizerSummary &summary) {
  base::Result<std::vector<std::string>> pipelines =
      session::collect(database,
                       "SELECT pipeline FROM compile WHERE id IN (SELECT compile_id FROM pass) AND " + isSelected(selection, "id") +
                           " GROUP BY pipeline ORDER BY min(id)",
                       readName);
  base::Result<std::vector<PassRow>> rows =
      session::collect(database,
                       "SELECT p.name, c.pipeline, sum(p.duration_ns), count(*), sum(p.changed) FROM pass p JOIN compile c ON "
                       "c.id = p.compile_id WHERE " +
                           isSelected(selection, "p.compile_id") + " GROUP BY p.name, c.pipeline",
                       readPass);
  if (!pipelines || !rows) {
    return std::unexpected(!pipelines ? std::move(pipelines.error()) : std::move(rows.error()));
  }
  summary.pipelines = *std::move(pipelines);
  std::map<std::string, PassTotal> byName;
  for (const PassRow &row : *rows) {
    PassTotal &pass = byName[row.name];
    pass.name = row.name;
    pass.byPipeline.resize(summary.pipelines.size());
    const auto place = std::ranges::find(summary.pipelines, row.pipeline) - summary.pipelines.begin();
    add(pass.byPipeline[static_cast<std::size_t>(place)], row.cost);
    add(pass.total, row.cost);
    add(summary.passTotal, row.cost);
  }
  for (auto &[name, pass] : byName) {
    summary.passes.push_back(std::move(pass));
  }
  std::ranges::stable_sort(summary.passes, std::greater{}, [](const PassTotal &pass) { return pass.total.durationNs; });
  return {};
}

/// The counts of kinds and names, by pass.
void addUpByPass(OptimizerSummary &summary) {
  std::map<std::string, RemarkTotal> byPass;
  for (const RemarkCount &entry : summary.remarkCounts) {
    RemarkTotal &total = byPass[entry.pass];
    total.pass = entry.pass;
    (entry.kind == "passed" ? total.passed : entry.kind == "missed" ? total.missed : total.analysis) += entry.count;
  }
  for (auto &[pass, total] : byPass) {
    summary.remarksByPass.push_back(std::move(total));
  }
  std::ranges::stable_sort(summary.remarksByPass, std::greater{}, &RemarkTotal::count);
}

base::Result<void> addRemarks(session::Database &database, const Selection &selection, OptimizerSummary &summary) {
  base::Result<void> counted =
      eachRow(database,
              "SELECT kind, pass, name, count(*) AS n FROM remark WHERE " + isSelected(selection, "compile_id") +
                  " GROUP BY kind, pass, name ORDER BY n DESC, kind, pass, name",
              [&summary](const Statement &row) {
                summary.remarkCounts.push_back(
                    {std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2)), row.unsignedInteger(3)});
                summary.remarks += row.unsignedInteger(3);
              });
  if (!counted) {
    return counted;
  }
  addUpByPass(summary);
  return {};
}

base::Result<void> addWork(session::Database &database, const Selection &selection, OptimizerSummary &summary) {
  base::Result<void> read = eachRow(
      database,
      "SELECT f.name, f.eager, count(*), sum(w.optimized), sum(w.linked), sum(w.emitted), sum(w.optimize_ns), sum(w.emit_ns), "
      "sum(w.code_bytes), sum(w.repeat_optimize_ns + w.repeat_emit_ns) FROM function_work w JOIN function f ON f.id = "
      "w.function_id WHERE " +
          isSelected(selection, "w.compile_id") + " GROUP BY f.id ORDER BY f.id",
      [&summary](const Statement &row) {
        FunctionWorkSummary &entry = summary.work.emplace_back();
        entry.name = row.text(0);
        entry.eager = row.integer(1) != 0;
        entry.compiles = row.unsignedInteger(2);
        entry.optimized = row.unsignedInteger(3);
        entry.linked = row.unsignedInteger(4);
        entry.emitted = row.unsignedInteger(5);
        entry.optimizeNs = row.unsignedInteger(6);
        entry.emitNs = row.unsignedInteger(7);
        entry.codeBytes = row.unsignedInteger(8);
        entry.repeatNs = row.unsignedInteger(9);
      });
  std::ranges::stable_sort(summary.work, std::ranges::greater(), &FunctionWorkSummary::repeatNs);
  return read;
}

} // namespace

base::Result<OptimizerSummary> summarizeOptimizer(session::SessionReader &reader, const Selection &selection) {
  OptimizerSummary summary;
  base::Result<void> added = addPasses(reader.database(), selection, summary);
  added = added ? addRemarks(reader.database(), selection, summary) : added;
  added = added ? addWork(reader.database(), selection, summary) : added;
  if (!added) {
    return std::unexpected(std::move(added.error()));
  }
  JITSCOPE_TRY(summary.loops, readLoopSummary(reader, selection, LoopScope::Calls));
  JITSCOPE_TRY(std::vector<StudySummary> studies, summarizeStudies(reader));
  summary.studies = std::move(studies);
  if (!selection.isEmpty()) {
    base::Result<std::vector<std::uint32_t>> selected = session::collect(
        reader.database(),
        "SELECT DISTINCT c.study_id FROM compile c WHERE c.study_id IS NOT NULL AND " + compileCondition(selection, "c"), readId);
    if (!selected) {
      return std::unexpected(std::move(selected.error()));
    }
    std::erase_if(summary.studies, [&selected](const StudySummary &entry) {
      return std::ranges::find(*selected, entry.study.id.value) == selected->end();
    });
  }
  return summary;
}

} // namespace jitscope::analysis
