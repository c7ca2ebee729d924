// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <vector>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// One sample of a benchmark, as a picture needs it.
struct SeriesSample {
  base::CallId id;
  std::uint64_t totalNs = 0;
  event::Outcome outcome = event::Outcome::Hit;
};

/// The selected samples of a case's leg in the order of their start, neither warm-up nor set-up.
[[nodiscard]] base::Result<std::vector<SeriesSample>> readSampleSeries(session::Database &database, const Selection &selection,
                                                                       base::CaseId caseId, event::Leg leg);

/// A column of a picture of samples in their order.
struct RunOrderColumn {
  std::size_t first = 0; ///< index of its first sample
  std::size_t count = 0;
  std::uint64_t minNs = 0;
  std::uint64_t maxNs = 0;

  friend bool operator==(const RunOrderColumn &, const RunOrderColumn &) = default;
};

/// Minimum and maximum of samples in at most `columns` columns, each of nearly as many samples.
[[nodiscard]] std::vector<RunOrderColumn> runOrder(const std::vector<SeriesSample> &samples, std::size_t columns);

/// A bar of a histogram on a logarithmic axis.
struct HistogramBin {
  double fromNs = 0;
  double toNs = 0;
  std::uint64_t count = 0;
};

/// Counts of values between two bounds in bins that are equally wide on a logarithmic axis; what lies outside goes to the nearest
/// bin. Values of 0 count as 1. Empty for no bins or bounds that are not in order.
[[nodiscard]] std::vector<HistogramBin> logHistogram(const std::vector<std::uint64_t> &values, double minNs, double maxNs,
                                                     std::size_t bins);

} // namespace jitscope::analysis
