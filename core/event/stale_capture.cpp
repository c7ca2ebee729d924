// SPDX-License-Identifier: GPL-3.0-or-later
#include "event/stale_capture.h"

#include "base/number.h"

#include <fmt/format.h>

#include <algorithm>

namespace jitscope::event {

namespace {

constexpr std::string_view kComputes = " still computes with ";
constexpr std::string_view kWhy = ": a trace freezes the numbers, strings and booleans that the function reads from outside; pass ";
constexpr std::string_view kEnd = " as an argument";

} // namespace

std::string staleCaptureMessage(const StaleCapture &capture) {
  return fmt::format("{}{}{}{}{}{}{}", capture.place, capture.function, kComputes, capture.changes, kWhy, capture.names, kEnd);
}

std::optional<StaleCapture> staleCaptureFrom(std::string_view message) {
  const std::size_t computes = message.find(kComputes);
  const std::size_t why = message.rfind(kWhy);
  if (computes == std::string_view::npos || why == std::string_view::npos || why < computes + kComputes.size() ||
      !message.ends_with(kEnd) || message.size() < why + kWhy.size() + kEnd.size()) {
    return std::nullopt;
  }
  StaleCapture capture;
  const std::string_view head = message.substr(0, computes);
  const std::size_t place = head.find(": ");
  const std::size_t function = place == std::string_view::npos ? 0 : place + 2;
  capture.place = head.substr(0, function);
  capture.function = head.substr(function);
  capture.changes = message.substr(computes + kComputes.size(), why - computes - kComputes.size());
  const std::string_view names = message.substr(why + kWhy.size());
  capture.names = names.substr(0, names.size() - kEnd.size());
  return capture;
}

int lineOfPlace(std::string_view place) {
  const std::size_t end = place.rfind(':');
  const std::size_t begin = end == std::string_view::npos || end == 0 ? std::string_view::npos : place.rfind(':', end - 1);
  if (begin == std::string_view::npos) {
    return 0;
  }
  return std::max(base::numberFrom<int>(place.substr(begin + 1, end - begin - 1)).value_or(0), 0);
}

} // namespace jitscope::event
