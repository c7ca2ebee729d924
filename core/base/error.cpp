// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

namespace jitscope::base {

std::string_view groupOf(ErrorCode code) {
  switch (static_cast<unsigned>(code) / 100) {
  case 1:
    return "script";
  case 2:
    return "compile";
  case 3:
    return "runtime";
  case 4:
    return "storage";
  default:
    return "internal";
  }
}

std::string describe(const Error &error) {
  std::string text = error.message;
  for (const std::string &place : error.context) {
    text += "\n  ";
    text += place;
  }
  return text;
}

} // namespace jitscope::base
