// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jitscope::script {

/// The totals of some samples in nanoseconds, ascending.
std::vector<std::uint64_t> sortedTotals(std::span<const Sample> samples);

/// The `percent`th percentile (0 … 100) by R's type 6, as Benchee gives it. `sorted` must not be empty.
double percentileOf(std::span<const std::uint64_t> sorted, double percent);

} // namespace jitscope::script
