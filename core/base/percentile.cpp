// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/percentile.h"

#include <algorithm>
#include <cmath>

namespace jitscope::base {

double percentile(std::span<const std::uint64_t> ascending, double p) {
  if (ascending.empty()) {
    return 0;
  }
  const double position = std::clamp(p, 0.0, 100.0) / 100.0 * static_cast<double>(ascending.size() + 1);
  const double below = std::floor(position);
  if (below < 1) {
    return static_cast<double>(ascending.front());
  }
  const auto index = static_cast<std::size_t>(below);
  if (index >= ascending.size()) {
    return static_cast<double>(ascending.back());
  }
  const auto lower = static_cast<double>(ascending[index - 1]);
  const auto upper = static_cast<double>(ascending[index]);
  return lower + (position - below) * (upper - lower);
}

double medianOf(std::span<const double> ascending) {
  if (ascending.empty()) {
    return 0;
  }
  const std::size_t middle = ascending.size() / 2;
  const double upper = ascending[middle];
  return ascending.size() % 2 == 0 ? (ascending[middle - 1] + upper) / 2 : upper;
}

} // namespace jitscope::base
