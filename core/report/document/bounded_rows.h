// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

/// Tables that show some rows of many: which ones, and what is said of the others. Every format and the window bound tables with
/// this.
namespace jitscope::report {

/// In which order the rows of a bounded table stand.
enum class RowOrder : std::uint8_t {
  ByCost,       ///< the most expensive first
  GivenIfAllFit ///< as they were given, such as in the order of time, as long as none is left out; else the most expensive first
};

/// The rows that a table shows, and those that it leaves out: no row that is left out costs more than one that is shown.
template <typename Row> struct BoundedRows {
  std::vector<const Row *> shown;
  std::vector<const Row *> leftOut;

  /// Adds up something of the rows that are left out.
  template <typename Value> [[nodiscard]] std::uint64_t sumLeftOut(const Value &valueOf) const {
    return std::accumulate(leftOut.begin(), leftOut.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, const Row *row) { return sum + std::invoke(valueOf, *row); });
  }
};

/// Chooses at most `limit` of some rows, by what `costOf` gives; rows of one cost keep their order. `rows` must outlive the result.
template <typename Row, typename Cost>
[[nodiscard]] BoundedRows<Row> boundedRows(const std::vector<Row> &rows, std::size_t limit, const Cost &costOf,
                                           RowOrder order = RowOrder::ByCost) {
  BoundedRows<Row> result;
  std::ranges::transform(rows, std::back_inserter(result.shown), [](const Row &row) { return &row; });
  if (order == RowOrder::ByCost || rows.size() > limit) {
    std::ranges::stable_sort(result.shown, std::ranges::greater{}, [&](const Row *row) { return std::invoke(costOf, *row); });
  }
  if (rows.size() > limit) {
    result.leftOut.assign(result.shown.begin() + static_cast<std::ptrdiff_t>(limit), result.shown.end());
    result.shown.resize(limit);
  }
  return result;
}

/// "and 312 more templates: 4,201 calls, 1.2 s"; empty where nothing is left out. `one` and `many` name what the rows are; `sums`
/// are what those left out add up to, with their units.
[[nodiscard]] std::string leftOutText(std::size_t count, std::string_view one, std::string_view many,
                                      const std::vector<std::string> &sums = {});

/// "1 call", "4,201 calls".
[[nodiscard]] std::string countOf(std::uint64_t count, std::string_view one, std::string_view many);
[[nodiscard]] std::string countOf(std::uint64_t count, std::string_view one);

} // namespace jitscope::report
