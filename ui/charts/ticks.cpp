// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/ticks.h"

#include "base/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace jitscope::charts {

namespace {

/// 1, 2 or 5 times a power of ten, at least `least`.
double roundStep(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= least * (1 - 1e-12)) {
      return power * factor;
    }
  }
  return power * 10;
}

struct Unit {
  double ns;
  const char *name;
};
constexpr std::array<Unit, 4> kUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};

} // namespace

std::vector<Tick> timeTicks(double fromNs, double toNs, int most) {
  std::vector<Tick> ticks;
  if (!(toNs > fromNs) || most < 1) {
    return ticks;
  }
  const double step = std::max(roundStep((toNs - fromNs) / most), 1.0);
  const double largest = std::max(std::abs(fromNs), std::abs(toNs));
  const auto *unit = std::ranges::find_if(kUnits, [&](const Unit &u) { return largest >= u.ns; });
  if (unit == kUnits.end()) {
    unit = kUnits.end() - 1;
  }
  const int digits = std::max(0, static_cast<int>(std::ceil(-std::log10(step / unit->ns) - 1e-9)));
  for (double index = std::ceil(fromNs / step - 1e-9); index * step <= toNs * (1 + 1e-12); ++index) {
    const double ns = index * step;
    ticks.push_back({ns, QString::number(ns / unit->ns, 'f', digits) + QLatin1Char(' ') + QString::fromUtf8(unit->name)});
  }
  return ticks;
}

double durationLevel(double ns) { return ns <= 1 ? 0 : std::log10(ns); }

std::vector<Tick> durationTicks(double minNs, double maxNs) {
  const int first = static_cast<int>(std::floor(durationLevel(minNs) + 1e-9));
  const int last = std::max(static_cast<int>(std::ceil(durationLevel(maxNs) - 1e-9)), first + 1);
  std::vector<Tick> ticks;
  for (int level = first; level <= last; ++level) {
    const double ns = std::pow(10, level);
    const auto *unit = std::ranges::find_if(kUnits, [&](const Unit &u) { return ns >= u.ns * (1 - 1e-9); });
    ticks.push_back({static_cast<double>(level),
                     QString::number(std::round(ns / unit->ns), 'f', 0) + QLatin1Char(' ') + QString::fromUtf8(unit->name)});
  }
  return ticks;
}

double percentileLevel(double percentile) { return -std::log10(1 - std::clamp(percentile, 0.0, 99.9999) / 100); }

double percentileAtLevel(double level) { return 100 * (1 - std::pow(10, -level)); }

std::vector<Tick> countTicks(double most, int maxTicks) {
  const double step = std::max(roundStep(std::max(most, 1.0) / std::max(maxTicks, 1)), 1.0);
  std::vector<Tick> ticks;
  for (double value = 0;; value += step) {
    ticks.push_back({value, QString::fromStdString(base::formatCount(static_cast<std::uint64_t>(value)))});
    if (value >= most && ticks.size() > 1) {
      return ticks;
    }
  }
}

std::vector<Tick> byteTicks(double most, int maxTicks) {
  double unit = 1;
  while (most / unit >= 1024) {
    unit *= 1024;
  }
  const double step = std::max(roundStep(std::max(most, 1.0) / unit / std::max(maxTicks, 1)) * unit, 1.0);
  std::vector<Tick> ticks;
  for (double value = 0;; value += step) {
    ticks.push_back({value, QString::fromStdString(base::formatBytes(static_cast<std::uint64_t>(value)))});
    if (value >= most && ticks.size() > 1) {
      return ticks;
    }
  }
}

} // namespace jitscope::charts
