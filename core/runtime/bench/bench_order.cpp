// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/bench/bench_order.h"

#include <numeric>
#include <random>
#include <utility>

namespace jitscope::runtime {

std::vector<BenchPlace> placesOf(const script::BenchRequest &request) {
  std::vector<BenchPlace> places;
  for (std::size_t caseIndex = 0; caseIndex < request.cases.size(); ++caseIndex) {
    for (std::size_t inputIndex = 0; inputIndex < request.cases[caseIndex].inputs.size(); ++inputIndex) {
      for (std::size_t legIndex = 0; legIndex < request.legs.size(); ++legIndex) {
        places.push_back({caseIndex, inputIndex, legIndex});
      }
    }
  }
  return places;
}

std::vector<std::size_t> measuringOrder(std::size_t count, std::optional<std::uint64_t> seed, std::uint32_t bench) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0}); // NOLINT(modernize-use-ranges): GCC 12 has no ranges::iota
  if (seed) {
    std::mt19937_64 generator(*seed + bench);
    for (std::size_t last = count; last > 1; --last) {
      std::swap(order[last - 1], order[generator() % last]);
    }
  }
  return order;
}

} // namespace jitscope::runtime
