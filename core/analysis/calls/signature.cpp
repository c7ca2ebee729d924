// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/calls/signature.h"

#include <algorithm>
#include <cctype>

namespace jitscope::analysis {

std::vector<std::string_view> splitSignature(std::string_view text) {
  std::vector<std::string_view> parts;
  bool isQuoted = false;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isQuoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && (c == '[' || c == '{')) {
      ++depth;
    } else if (!isQuoted && (c == ']' || c == '}')) {
      --depth;
    } else if (!isQuoted && depth == 0 && c == ',') {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  if (begin < text.size()) {
    parts.push_back(text.substr(begin));
  }
  for (std::string_view &part : parts) {
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
  }
  return parts;
}

SignatureArgument parseArgument(std::string_view text) {
  SignatureArgument argument{text, {}, {}, false};
  const std::size_t bracket = text.find('[');
  const std::string_view name = text.substr(0, std::min(bracket, text.size()));
  const bool isName = !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0; });
  if (bracket != std::string_view::npos && isName && text.back() == ']') {
    argument.isTensor = true;
    argument.elementType = name;
    argument.sizes = splitSignature(text.substr(bracket + 1, text.size() - bracket - 2));
  }
  return argument;
}

} // namespace jitscope::analysis
