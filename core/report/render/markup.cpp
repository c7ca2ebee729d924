// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/render/markup.h"

#include "report/render/display_text.h"

#include <fmt/format.h>

namespace jitscope::report {

namespace {

void appendEscaped(std::string &result, std::string_view text) {
  for (const char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  }
}

} // namespace

std::string escapeMarkup(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\n\t");
    appendEscaped(result, printable(text.substr(0, end)));
    if (end == std::string_view::npos) {
      break;
    }
    result += text[end];
    text.remove_prefix(end + 1);
  }
  return result;
}

std::string encodeUri(std::string_view path) {
  std::string result;
  for (const char c : path) {
    const bool isPlain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("-._~/").contains(c);
    result += isPlain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

} // namespace jitscope::report
