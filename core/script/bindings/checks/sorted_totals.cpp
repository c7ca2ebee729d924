// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/bindings/checks/sorted_totals.h"

#include <algorithm>

namespace jitscope::script {

std::vector<std::uint64_t> sortedTotals(std::span<const Sample> samples) {
  std::vector<std::uint64_t> totals(samples.size());
  std::ranges::transform(samples, totals.begin(), &Sample::totalNs);
  std::ranges::sort(totals);
  return totals;
}

} // namespace jitscope::script
