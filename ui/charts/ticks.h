// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace jitscope::charts {

/// A line of an axis: where, in the axis's own values, and what it says.
struct Tick {
  double value = 0;
  QString label;
  friend bool operator==(const Tick &, const Tick &) = default;
};

/// Round moments between two times in nanoseconds, at most `most` of them, with labels such as "1.25 s" that have as many digits as
/// their distance needs.
[[nodiscard]] std::vector<Tick> timeTicks(double fromNs, double toNs, int most);

/// The value of a duration on a logarithmic axis. A duration of 0 stands where 1 ns does, for it has no logarithm.
[[nodiscard]] double durationLevel(double ns);

/// Powers of ten, in the levels of `durationLevel`, from at or below `minNs` to at or above `maxNs`: "100 ns", "1 µs", "10 µs".
/// At least two ticks.
[[nodiscard]] std::vector<Tick> durationTicks(double minNs, double maxNs);

/// The value of a percentile, 0 to below 100, on an axis stretched towards 100: each further nine takes as much room as the one
/// before, so that 90, 99 and 99.9 stand evenly at 1, 2 and 3.
[[nodiscard]] double percentileLevel(double percentile);
/// The way back.
[[nodiscard]] double percentileAtLevel(double level);

/// Round counts from 0 to at least `most`.
[[nodiscard]] std::vector<Tick> countTicks(double most, int maxTicks);
/// The same for numbers of bytes, in powers of 1024.
[[nodiscard]] std::vector<Tick> byteTicks(double most, int maxTicks);

} // namespace jitscope::charts
