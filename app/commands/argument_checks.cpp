// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/argument_checks.h"

#include "base/number.h"

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

namespace jitscope::app {

std::string checkSeconds(const std::string &text) {
  const std::optional<double> seconds = base::numberFrom<double>(text);
  const bool isGood = seconds && std::isfinite(*seconds) && *seconds >= 0;
  return isGood ? "" : fmt::format("takes seconds, 0 or more, not '{}'", text);
}

std::string checkSeed(const std::string &text) {
  // SQLite's numbers have a sign.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::optional<std::uint64_t> number = base::numberFrom<std::uint64_t>(text);
  return text == "random" || (number && std::cmp_less_equal(*number, kMost))
             ? ""
             : fmt::format("takes a whole number from 0 to {}, or random, not '{}'", kMost, text);
}

std::uint64_t seedFrom(const std::string &text) {
  constexpr std::uint64_t kDrawn = 1'000'000;
  return text == "random" ? std::random_device()() % kDrawn : base::numberFrom<std::uint64_t>(text).value_or(0);
}

ProgressMode progressModeFrom(const std::string &name) {
  return name == "always" ? ProgressMode::Always : name == "never" ? ProgressMode::Never : ProgressMode::Auto;
}

} // namespace jitscope::app
