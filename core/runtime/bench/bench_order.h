// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace jitscope::runtime {

/// One leg that a bench measures, by its places in the request.
struct BenchPlace {
  std::size_t caseIndex = 0;
  std::size_t inputIndex = 0;
  std::size_t legIndex = 0;

  friend bool operator==(const BenchPlace &, const BenchPlace &) = default;
};

/// Every leg of every case on every input, as the request has them: cases first, legs last.
std::vector<BenchPlace> placesOf(const script::BenchRequest &request);

/// The order in which to measure `count` legs of the script's bench number `bench`: as they are without a seed, else drawn by the
/// seed and the number. The same on every machine, as the generator and the way to draw (Fisher and Yates, by the remainder) are
/// fixed here; the standard library's are not.
std::vector<std::size_t> measuringOrder(std::size_t count, std::optional<std::uint64_t> seed, std::uint32_t bench);

} // namespace jitscope::runtime
