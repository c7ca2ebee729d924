// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jitscope::script {

/// The totals of some samples in nanoseconds, ascending.
std::vector<std::uint64_t> sortedTotals(std::span<const Sample> samples);

} // namespace jitscope::script
