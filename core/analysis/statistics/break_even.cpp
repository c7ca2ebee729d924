// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics/break_even.h"

#include <cmath>

namespace jitscope::analysis {

namespace {

/// Beyond this, a count of calls says no more than "never".
constexpr double kMaxCalls = 1e18;

} // namespace

std::optional<std::uint64_t> breakEvenCalls(const CostLine &investment, const CostLine &alternative) {
  const double moreOnce = investment.onceNs - alternative.onceNs;
  const double lessPerCall = alternative.perCallNs - investment.perCallNs;
  if (moreOnce <= lessPerCall && moreOnce <= 0 && lessPerCall >= 0) {
    return 1;
  }
  if (!(lessPerCall > 0)) {
    return std::nullopt;
  }
  const double calls = std::ceil(moreOnce / lessPerCall);
  if (!(calls < kMaxCalls)) {
    return std::nullopt;
  }
  return calls < 1 ? 1 : static_cast<std::uint64_t>(calls);
}

std::optional<std::uint64_t> callsWorth(double compileNs, double perCallNs) {
  if (!(perCallNs > 0) || !(compileNs >= 0)) {
    return std::nullopt;
  }
  const double calls = std::ceil(compileNs / perCallNs);
  if (!(calls < kMaxCalls)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(calls);
}

} // namespace jitscope::analysis
