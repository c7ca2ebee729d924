// SPDX-License-Identifier: GPL-3.0-or-later
#include "argument_checks.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace jitscope::app {

std::string checkSeconds(const std::string &text) {
  double seconds = 0;
  const char *end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, seconds);
  const bool isGood = parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(seconds) && seconds >= 0;
  return isGood ? "" : fmt::format("takes seconds, 0 or more, not '{}'", text);
}

ProgressMode progressModeFrom(const std::string &name) {
  return name == "always" ? ProgressMode::Always : name == "never" ? ProgressMode::Never : ProgressMode::Auto;
}

} // namespace jitscope::app
