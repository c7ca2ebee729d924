// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace jitscope::analysis {

/// What a way of computing something costs: once, and for each call after that.
struct CostLine {
  double onceNs = 0;
  double perCallNs = 0;
};

/// The calls after which `investment`, which costs more at first, has cost no more in all than `alternative`; 1 where it never
/// costs more. Empty where its calls are not cheaper, so that it never pays.
std::optional<std::uint64_t> breakEvenCalls(const CostLine &investment, const CostLine &alternative);

/// As many calls as take the time of one compile, rounded up: until then, more time went into compiling than into calling. Empty
/// where calls take no time.
std::optional<std::uint64_t> callsWorth(double compileNs, double perCallNs);

} // namespace jitscope::analysis
