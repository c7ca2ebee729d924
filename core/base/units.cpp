// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>
#include <string_view>

namespace jitscope::base {

namespace {

struct Unit {
  double size;
  std::string_view name;
};

/// Decimals that make three significant digits, of the value as it will be after rounding.
int decimalsFor(double value) {
  if (value < 9.995) {
    return 2;
  }
  return value < 99.95 ? 1 : 0;
}

/// In the largest unit that leaves at least 1 before the point, or would after rounding.
std::string scale(double value, std::span<const Unit> units) {
  std::size_t chosen = 0;
  for (std::size_t i = 1; i < units.size(); ++i) {
    const double inSmaller = value / units[i - 1].size;
    const double step = units[i].size / units[i - 1].size;
    // Half a digit below the step is rounded up to it: 999.6 µs is 1.00 ms.
    if (inSmaller >= step - 0.5) {
      chosen = i;
    }
  }
  const double scaled = value / units[chosen].size;
  const bool wholeSmallest = chosen == 0 && scaled == std::floor(scaled);
  const std::string number = fmt::format("{:.{}f}", scaled, wholeSmallest ? 0 : decimalsFor(scaled));
  const std::string_view name = units[chosen].name;
  return name.empty() ? number : fmt::format("{} {}", number, name);
}

} // namespace

std::string formatDuration(double ns) {
  constexpr std::array<Unit, 5> kUnits{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}, {60e9, "min"}}};
  // Up to two minutes seconds are easier to compare.
  const std::size_t count = ns < 120e9 ? 4 : 5;
  return scale(ns, std::span(kUnits).first(count));
}

std::string formatBytes(std::uint64_t bytes) {
  constexpr std::array<Unit, 5> kUnits{
      {{1, "B"}, {1024, "KiB"}, {1024.0 * 1024, "MiB"}, {1024.0 * 1024 * 1024, "GiB"}, {1024.0 * 1024 * 1024 * 1024, "TiB"}}};
  return scale(static_cast<double>(bytes), kUnits);
}

std::string formatCount(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) {
    digits.insert(i - 3, ",");
  }
  return digits;
}

std::string formatRate(double perSecond) {
  constexpr std::array<Unit, 4> kUnits{{{1, ""}, {1e3, "K"}, {1e6, "M"}, {1e9, "G"}}};
  return scale(perSecond, kUnits);
}

double shareOf(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string formatShare(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) {
    return "<0.1 %";
  }
  if (percent < 100 && percent >= 99.95) {
    return ">99.9 %";
  }
  return fmt::format("{:.1f} %", percent);
}

} // namespace jitscope::base
