// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/bounded_rows.h"

#include "base/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::report {

std::string leftOutText(std::size_t count, std::string_view one, std::string_view many, const std::vector<std::string> &sums) {
  if (count == 0) {
    return {};
  }
  std::string text = fmt::format("and {} more {}", base::formatCount(count), count == 1 ? one : many);
  if (!sums.empty()) {
    text += fmt::format(": {}", fmt::join(sums, ", "));
  }
  return text;
}

std::string countOf(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", base::formatCount(count), count == 1 ? one : many);
}

std::string countOf(std::uint64_t count, std::string_view one) { return countOf(count, one, fmt::format("{}s", one)); }

} // namespace jitscope::report
