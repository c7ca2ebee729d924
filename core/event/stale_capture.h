// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The warning about a function that computes with a value from outside that has changed since its trace. It is recorded as a log
/// line; this is the one place that knows its words.
namespace jitscope::event {

struct StaleCapture {
  std::string place;    ///< "script.lua:12: ", or empty
  std::string function; ///< as the warning names it
  std::string changes;  ///< "scale = 2, though it is 3 now"
  std::string names;    ///< "scale": what has to be passed instead
};

[[nodiscard]] std::string staleCaptureMessage(const StaleCapture &capture);
/// The way back; empty for any other message.
[[nodiscard]] std::optional<StaleCapture> staleCaptureFrom(std::string_view message);
/// The line that a place such as "script.lua:12: " names; 0 for none.
[[nodiscard]] int lineOfPlace(std::string_view place);

} // namespace jitscope::event
