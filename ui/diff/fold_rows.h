// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/text_diff.h"

#include <cstddef>
#include <vector>

namespace jitscope::ui {

/// A line of a diff as it is shown: a row of both texts, or a stretch of equal rows folded into one line.
struct ShownRow {
  std::size_t first = 0; ///< of the diff's rows
  std::size_t count = 1; ///< above 1: folded

  [[nodiscard]] bool isFold() const { return count > 1; }
  friend bool operator==(const ShownRow &, const ShownRow &) = default;
};

/// The rows of a diff with unchanged stretches folded except for `context` rows around each change. `unfolded` holds the first rows
/// of stretches that somebody opened, sorted. Texts without a difference are shown whole.
[[nodiscard]] std::vector<ShownRow> foldRows(const analysis::TextDiff &diff, std::size_t context,
                                             const std::vector<std::size_t> &unfolded);

/// Where changes begin: the first of each run of differing rows, as indices into the diff's rows.
[[nodiscard]] std::vector<std::size_t> changeStarts(const analysis::TextDiff &diff);

} // namespace jitscope::ui
