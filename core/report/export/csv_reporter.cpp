// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/export/csv_reporter.h"

#include "analysis/summary.h"
#include "report/export/csv.h"

#include <array>
#include <optional>

namespace jitscope::report {

namespace {

constexpr std::array kColumns{"bench",
                              "case",
                              "input",
                              "leg",
                              "samples_kind",
                              "sample_size",
                              "ips",
                              "average_ns",
                              "average_lower_ns",
                              "average_upper_ns",
                              "deviation_ns",
                              "deviation_ratio",
                              "median_ns",
                              "median_lower_ns",
                              "median_upper_ns",
                              "p25_ns",
                              "p75_ns",
                              "p90_ns",
                              "p95_ns",
                              "p99_ns",
                              "p99_lower_ns",
                              "p99_upper_ns",
                              "mode_ns",
                              "minimum_ns",
                              "maximum_ns",
                              "first_ns",
                              "low_outliers",
                              "high_outliers",
                              "compiled_samples",
                              "held_up_samples"};

void addInterval(CsvWriter &csv, const std::optional<analysis::Interval> &interval) {
  if (interval) {
    csv.number(interval->lower).number(interval->upper);
  } else {
    csv.blank().blank();
  }
}

void addRow(CsvWriter &csv, const analysis::CaseSummary &entry, const analysis::LegStatistics &leg, const char *kind,
            const analysis::Statistics &times, const analysis::OutcomeCounts &heldUp) {
  csv.number(entry.bench.bench).text(entry.bench.name).text(entry.bench.input).text(nameOf(leg.leg)).text(kind);
  csv.number(times.sampleSize).number(times.perSecond).number(times.average);
  addInterval(csv, times.averageInterval);
  csv.number(times.deviation).number(times.deviationRatio).number(times.median);
  addInterval(csv, times.medianInterval);
  csv.number(times.p25).number(times.p75).number(times.p90).number(times.p95).number(times.p99);
  addInterval(csv, times.p99Interval);
  if (times.mode) {
    csv.number(*times.mode);
  } else {
    csv.blank();
  }
  csv.number(times.minimum).number(times.maximum);
  if (leg.hasFirst()) {
    csv.number(times.first);
  } else {
    csv.blank();
  }
  csv.number(times.lowOutliers)
      .number(times.highOutliers)
      .number(heldUp.paidForCompile())
      .number(heldUp.heldUpByCompile())
      .endRow();
}

} // namespace

std::string renderCsv(const analysis::Summary &summary) {
  CsvWriter csv;
  for (const char *column : kColumns) {
    csv.plain(column);
  }
  csv.endRow();
  for (const analysis::CaseSummary &entry : summary.cases) {
    for (const analysis::LegStatistics &leg : entry.legs) {
      addRow(csv, entry, leg, "all", leg.times, leg.outcomes);
      if (leg.withoutCompiles) {
        addRow(csv, entry, leg, "without compiles", *leg.withoutCompiles, {});
      }
    }
  }
  return csv.take();
}

} // namespace jitscope::report
