// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/optimizer_summary.h"

#include "analysis/study_summary.h"
#include "session/database.h"
#include "session/query.h"
#include "session/session_reader.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

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

struct RemarkRow {
  std::string pass;
  event::RemarkKind kind;
  std::uint64_t count;
};

RemarkRow readRemark(const Statement &row) {
  return {session::textOf(row, 0), event::remarkKindFromName(row.text(1)).value_or(event::RemarkKind::Analysis),
          row.unsignedInteger(2)};
}

std::string readName(const Statement &row) { return session::textOf(row, 0); }

void add(PassCost &total, const PassCost &cost) {
  total.durationNs += cost.durationNs;
  total.runs += cost.runs;
  total.changes += cost.changes;
}

base::Result<void> addPasses(session::Database &database, OptimizerSummary &summary) {
  base::Result<std::vector<std::string>> pipelines = session::collect(
      database, "SELECT pipeline FROM compile WHERE id IN (SELECT compile_id FROM pass) GROUP BY pipeline ORDER BY min(id)",
      readName);
  base::Result<std::vector<PassRow>> rows =
      session::collect(database,
                       "SELECT p.name, c.pipeline, sum(p.duration_ns), count(*), sum(p.changed) FROM pass p JOIN compile c ON "
                       "c.id = p.compile_id GROUP BY p.name, c.pipeline",
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

base::Result<void> addRemarks(session::Database &database, OptimizerSummary &summary) {
  base::Result<std::vector<RemarkRow>> rows =
      session::collect(database, "SELECT pass, kind, count(*) FROM remark GROUP BY pass, kind", readRemark);
  if (!rows) {
    return std::unexpected(std::move(rows.error()));
  }
  std::map<std::string, RemarkTotal> byPass;
  for (const RemarkRow &row : *rows) {
    RemarkTotal &total = byPass[row.pass];
    total.pass = row.pass;
    (row.kind == event::RemarkKind::Passed   ? total.passed
     : row.kind == event::RemarkKind::Missed ? total.missed
                                             : total.analysis) += row.count;
  }
  for (auto &[pass, total] : byPass) {
    summary.remarks.push_back(std::move(total));
  }
  std::ranges::stable_sort(summary.remarks, std::greater{}, &RemarkTotal::count);
  return {};
}

} // namespace

base::Result<OptimizerSummary> summarizeOptimizer(session::SessionReader &reader) {
  OptimizerSummary summary;
  base::Result<void> added = addPasses(reader.database(), summary);
  added = added ? addRemarks(reader.database(), summary) : added;
  if (!added) {
    return std::unexpected(std::move(added.error()));
  }
  base::Result<std::vector<StudySummary>> studies = summarizeStudies(reader);
  if (!studies) {
    return std::unexpected(std::move(studies.error()));
  }
  summary.studies = *std::move(studies);
  return summary;
}

} // namespace jitscope::analysis
