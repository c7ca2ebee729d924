// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/query/near_names.h"

#include <algorithm>
#include <utility>

#include <dtl/dtl.hpp>

namespace jitscope::analysis {

std::vector<std::string> nearNames(std::string_view name, std::vector<std::string> names, std::size_t count) {
  // Longer names would take long to compare, and no one types them.
  constexpr std::size_t kLongest = 200;
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  std::vector<std::pair<long long, std::string>> byDistance;
  for (std::string &known : names) {
    dtl::Diff<char, std::string> diff(std::string(name.substr(0, kLongest)), known.substr(0, kLongest));
    diff.onOnlyEditDistance();
    diff.compose();
    byDistance.emplace_back(diff.getEditDistance(), std::move(known));
  }
  std::ranges::stable_sort(byDistance, {}, &std::pair<long long, std::string>::first);
  byDistance.resize(std::min(count, byDistance.size()));
  std::vector<std::string> nearest;
  for (auto &[distance, known] : byDistance) {
    nearest.push_back(std::move(known));
  }
  return nearest;
}

} // namespace jitscope::analysis
