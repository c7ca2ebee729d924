// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace jitscope::base {

/// Percentile `p` (0 to 100, clamped) of ascending samples by R's type 6, as Benchee: position p/100 (n + 1), linear between its
/// neighbours, held within the smallest and largest sample (Hyndman & Fan 1996, definition 6). 0 for no samples.
double percentile(std::span<const std::uint64_t> ascending, double p);

/// The middle value, or the mean of the two middle values; 0 without values.
double medianOf(std::span<const double> ascending);

} // namespace jitscope::base
