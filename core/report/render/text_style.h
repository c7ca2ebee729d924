// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/document/document.h"

#include <string>
#include <string_view>

namespace jitscope::report {

/// Puts terminal colours around text, or leaves it as it is.
class TextStyle {
public:
  explicit TextStyle(bool colour) : m_colour(colour) {}

  [[nodiscard]] std::string apply(std::string_view text, Tone tone) const {
    if (!m_colour || tone == Tone::Plain || text.empty()) {
      return std::string(text);
    }
    return std::string(codeFor(tone)).append(text).append("\x1b[0m");
  }

private:
  static std::string_view codeFor(Tone tone) {
    switch (tone) {
    case Tone::Heading:
      return "\x1b[1m";
    case Tone::Dim:
      return "\x1b[2m";
    case Tone::Good:
      return "\x1b[32m";
    case Tone::Bad:
      return "\x1b[1;31m";
    case Tone::Notable:
      return "\x1b[33m";
    case Tone::Plain:
      break;
    }
    return "";
  }

  bool m_colour;
};

} // namespace jitscope::report
