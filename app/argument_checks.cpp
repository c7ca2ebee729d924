// SPDX-License-Identifier: GPL-3.0-or-later
#include "argument_checks.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

namespace jitscope::app {

std::string checkSeconds(const std::string &text) {
  double seconds = 0;
  const char *end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seconds);
  const bool isGood = parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(seconds) && seconds >= 0;
  return isGood ? "" : fmt::format("takes seconds, 0 or more, not '{}'", text);
}

namespace {

std::optional<std::uint64_t> numberFrom(const std::string &text) {
  std::uint64_t number = 0;
  const char *end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(number) : std::nullopt;
}

} // namespace

std::string checkSeed(const std::string &text) {
  // SQLite's numbers have a sign.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::optional<std::uint64_t> number = numberFrom(text);
  return text == "random" || (number && std::cmp_less_equal(*number, kMost))
             ? ""
             : fmt::format("takes a whole number from 0 to {}, or random, not '{}'", kMost, text);
}

std::uint64_t seedFrom(const std::string &text) {
  constexpr std::uint64_t kDrawn = 1'000'000;
  return text == "random" ? std::random_device()() % kDrawn : numberFrom(text).value_or(0);
}

ProgressMode progressModeFrom(const std::string &name) {
  return name == "always" ? ProgressMode::Always : name == "never" ? ProgressMode::Never : ProgressMode::Auto;
}

} // namespace jitscope::app
