// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/optimizer_summary.h"

#include "analysis/each_row.h"
#include "session/database.h"

#include <algorithm>
#include <functional>

namespace jitscope::analysis {

namespace {

using session::Database;
using session::Statement;

base::Result<void> addRemarks(OptimizerSummary &summary, Database &database) {
  base::Result<void> counted = eachRow(
      database, "SELECT kind, pass, name, count(*) AS n FROM remark GROUP BY kind, pass, name ORDER BY n DESC, kind, pass, name",
      [&summary](const Statement &row) {
        summary.remarkCounts.push_back(
            {std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2)), row.unsignedInteger(3)});
        summary.remarks += row.unsignedInteger(3);
      });
  if (!counted) {
    return counted;
  }
  return eachRow(database,
                 "SELECT pass, name, function, line, column_, message, count(*) FROM remark WHERE kind = 'missed' AND pass IN "
                 "('loop-vectorize', 'slp-vectorizer') GROUP BY pass, name, function, line, column_, message "
                 "ORDER BY line, column_, pass, name, function, message",
                 [&summary](const Statement &row) {
                   summary.missed.push_back({std::string(row.text(0)), std::string(row.text(1)), std::string(row.text(2)),
                                             static_cast<int>(row.integer(3)), static_cast<int>(row.integer(4)),
                                             std::string(row.text(5)), row.unsignedInteger(6)});
                 });
}

base::Result<void> addWork(OptimizerSummary &summary, Database &database) {
  base::Result<void> read = eachRow(
      database,
      "SELECT f.name, f.eager, count(*), sum(w.optimized), sum(w.linked), sum(w.emitted), sum(w.optimize_ns), sum(w.emit_ns), "
      "sum(w.code_bytes) FROM function_work w JOIN function f ON f.id = w.function_id GROUP BY f.id ORDER BY f.id",
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
      });
  std::ranges::stable_sort(summary.work, std::ranges::greater(), &FunctionWorkSummary::repeatsNs);
  return read;
}

} // namespace

double FunctionWorkSummary::repeatsNs() const {
  const auto repeats = [](std::uint64_t times, std::uint64_t ns) {
    return times < 2 ? 0.0 : static_cast<double>(ns) * static_cast<double>(times - 1) / static_cast<double>(times);
  };
  return repeats(optimized, optimizeNs) + repeats(emitted, emitNs);
}

base::Result<OptimizerSummary> readOptimizerSummary(Database &database) {
  OptimizerSummary summary;
  base::Result<void> read = addRemarks(summary, database);
  if (read) {
    read = addWork(summary, database);
  }
  if (!read) {
    return std::unexpected(std::move(read.error()));
  }
  return summary;
}

} // namespace jitscope::analysis
