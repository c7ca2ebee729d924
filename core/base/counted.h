// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/units.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Counts and lists inside sentences.
namespace jitscope::base {

/// "1 function", "2 functions", "1,234 functions". `one` is the singular; the plural has an s, or is `many`.
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {}) {
  std::string text = formatCount(count) + ' ';
  if (count != 1 && !many.empty()) {
    return text += many;
  }
  text += one;
  return count == 1 ? text : text += 's';
}

/// "is" or "are".
inline std::string_view isOrAre(std::uint64_t count) { return count == 1 ? "is" : "are"; }

/// "a", "a and b", "a, b and c"; of a longer list the first `shown` and how many more there are: "a, b, c and 4 more".
inline std::string listed(const std::vector<std::string> &names, std::size_t shown = 4) {
  const bool isCut = names.size() > shown + 1; // "and 1 more" takes the room of the name itself
  const std::size_t count = isCut ? shown : names.size();
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const bool isLast = i + 1 == names.size();
    text += (i == 0 ? "" : isLast ? " and " : ", ") + names[i];
  }
  return isCut ? text + " and " + formatCount(names.size() - shown) + " more" : text;
}

} // namespace jitscope::base
