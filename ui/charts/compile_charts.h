// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "event/event.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/palette.h"

#include <QString>
#include <QtCharts/QChart>

#include <array>
#include <memory>
#include <vector>

namespace jitscope::charts {

/// A bar of `phaseChart`.
struct PhaseBar {
  QString name;
  std::array<std::uint64_t, 6> phasesNs{}; ///< trace, lower, optimize, codegen, link, between
};

/// Compiles, or groups of them, as bars split by phase; the first bar on top.
[[nodiscard]] BarChart phaseBars(const std::vector<PhaseBar> &bars, const Palette &palette);
/// The same drawn; the title says so where they are only the longest of all.
[[nodiscard]] std::unique_ptr<QChart> phaseChart(const std::vector<PhaseBar> &bars, std::size_t all, const Palette &palette);

/// A bar of `durationChart`.
struct DurationBar {
  QString name;
  std::uint64_t ns = 0;
};

/// Durations as bars, the first on top.
[[nodiscard]] std::unique_ptr<QChart> durationChart(const QString &title, const std::vector<DurationBar> &bars,
                                                    const QColor &colour, const Palette &palette);

/// Entries and bytes of the cache over a stretch of time, with evictions marked. The first entry may be older: it holds until the
/// next one.
[[nodiscard]] std::unique_ptr<QChart> cacheChart(const std::vector<event::MemoryEvent> &memory,
                                                 const std::vector<event::EvictionEvent> &evictions, analysis::TimeRange shown,
                                                 const Palette &palette);

} // namespace jitscope::charts
