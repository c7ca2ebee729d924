// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "analysis/statistics/sample_series.h"
#include "base/error.h"
#include "ui/charts/palette.h"

#include <QtCharts/QChart>

#include <memory>
#include <optional>
#include <vector>

namespace jitscope::session {
class SessionReader;
} // namespace jitscope::session

/// Pictures of how long the samples of a benchmark case took. Each leg has a colour and, for those who cannot tell colours apart, a
/// line of its own: cold is dashed, warm is solid. Durations stand on logarithmic axes.
namespace jitscope::charts {

struct LegLatency {
  event::Leg leg = event::Leg::Warm;
  std::vector<analysis::SeriesSample> samples; ///< in the order they were taken
};

/// The selected samples of a case, cold before warm; a leg without any is left out. The error is that of a query.
[[nodiscard]] base::Result<std::vector<LegLatency>> readLegs(session::SessionReader &reader, const analysis::Selection &selection,
                                                             base::CaseId id);

/// Latency by percentile, stretched towards 99.9: where a leg's tail begins.
[[nodiscard]] std::unique_ptr<QChart> percentileChart(const std::vector<LegLatency> &legs, const Palette &palette);

/// How many samples took how long.
[[nodiscard]] std::unique_ptr<QChart> histogramChart(const std::vector<LegLatency> &legs, const Palette &palette);

/// Samples in the order they were taken, those that a compile held up marked.
[[nodiscard]] std::unique_ptr<QChart> runOrderChart(const std::vector<LegLatency> &legs, const Palette &palette);

/// A sample at a place of a chart.
struct SampleLocation {
  event::Leg leg = event::Leg::Warm;
  std::size_t index = 0; ///< within its leg
  analysis::SeriesSample sample;
};

/// The sample nearest to a place of what `runOrderChart` drew of these legs, within a few pixels, and rather one that paid for a
/// compile; nothing of a line that is hidden.
[[nodiscard]] std::optional<SampleLocation> sampleAt(QChart &chart, const std::vector<LegLatency> &legs, const QPointF &place);

/// The samples of each leg without those that a compile held up.
[[nodiscard]] std::vector<LegLatency> withoutCompiles(std::vector<LegLatency> legs);

} // namespace jitscope::charts
