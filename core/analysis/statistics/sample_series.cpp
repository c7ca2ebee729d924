// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/sample_series.h"

#include "base/try.h"
#include "session/file/database.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace jitscope::analysis {

base::Result<std::vector<SeriesSample>> readSampleSeries(session::Database &database, const Selection &selection,
                                                         base::CaseId caseId, event::Leg leg) {
  Selection onRecords;
  onRecords.range = selection.range;
  Selection onContexts = selection;
  onContexts.range.reset();
  const std::string sql =
      fmt::format("SELECT r.id, r.total_ns, x.outcome "
                  "FROM (SELECT id, outcome FROM call_context WHERE case_id = {} AND leg = '{}' AND phase = 'sample' "
                  "AND {}) x JOIN (SELECT * FROM call_record WHERE {}) r ON r.context_id = x.id "
                  "ORDER BY r.start_ns, r.id",
                  caseId.value, nameOf(leg), contextCondition(onContexts), callCondition(onRecords));
  JITSCOPE_TRY(session::Statement select, database.prepare(sql));
  std::vector<SeriesSample> samples;
  for (;;) {
    JITSCOPE_TRY(const bool row, select.step());
    if (!row) {
      return samples;
    }
    samples.push_back({base::CallId(select.unsignedInteger(0)), select.unsignedInteger(1),
                       event::outcomeFromName(select.text(2)).value_or(event::Outcome::Hit)});
  }
}

std::vector<RunOrderColumn> runOrder(const std::vector<SeriesSample> &samples, std::size_t columns) {
  std::vector<RunOrderColumn> result;
  const std::size_t count = std::min(columns, samples.size());
  for (std::size_t column = 0; column < count; ++column) {
    const std::size_t first = column * samples.size() / count;
    const std::size_t end = (column + 1) * samples.size() / count;
    RunOrderColumn entry{first, end - first, samples[first].totalNs, samples[first].totalNs};
    for (std::size_t i = first; i < end; ++i) {
      entry.minNs = std::min(entry.minNs, samples[i].totalNs);
      entry.maxNs = std::max(entry.maxNs, samples[i].totalNs);
    }
    result.push_back(entry);
  }
  return result;
}

std::vector<HistogramBin> logHistogram(const std::vector<std::uint64_t> &values, double minNs, double maxNs, std::size_t bins) {
  std::vector<HistogramBin> result;
  if (bins == 0 || minNs < 1 || maxNs <= minNs) {
    return result;
  }
  const double from = std::log10(minNs);
  const double width = (std::log10(maxNs) - from) / static_cast<double>(bins);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    result.push_back(
        {std::pow(10, from + width * static_cast<double>(bin)), std::pow(10, from + width * static_cast<double>(bin + 1)), 0});
  }
  for (const std::uint64_t value : values) {
    const double level = std::log10(static_cast<double>(std::max<std::uint64_t>(value, 1)));
    const double bin = std::clamp(std::floor((level - from) / width), 0.0, static_cast<double>(bins - 1));
    ++result[static_cast<std::size_t>(bin)].count;
  }
  return result;
}

} // namespace jitscope::analysis
