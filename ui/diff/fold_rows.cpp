// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/fold_rows.h"

#include <algorithm>

namespace jitscope::ui {

std::vector<ShownRow> foldRows(const analysis::TextDiff &diff, std::size_t context, const std::vector<std::size_t> &unfolded) {
  std::vector<ShownRow> shown;
  const auto showAll = [&shown](std::size_t first, std::size_t end) {
    for (std::size_t row = first; row < end; ++row) {
      shown.push_back({row, 1});
    }
  };
  if (diff.isEqual()) {
    showAll(0, diff.rows.size());
    return shown;
  }
  std::size_t next = 0;
  const auto foldUntil = [&](std::size_t end) {
    // A fold takes a line itself, so that one or two rows are better shown.
    const bool folds = end > next + 2 && !std::ranges::binary_search(unfolded, next);
    if (folds) {
      shown.push_back({next, end - next});
    } else {
      showAll(next, end);
    }
    next = end;
  };
  for (const analysis::Hunk &hunk : hunksOf(diff, context)) {
    foldUntil(hunk.firstRow);
    next = hunk.firstRow + hunk.rowCount;
    showAll(hunk.firstRow, next);
  }
  foldUntil(diff.rows.size());
  return shown;
}

std::vector<std::size_t> changeStarts(const analysis::TextDiff &diff) {
  std::vector<std::size_t> starts;
  bool inChange = false;
  for (std::size_t row = 0; row < diff.rows.size(); ++row) {
    const bool changed = diff.rows[row].kind != analysis::RowKind::Equal;
    if (changed && !inChange) {
      starts.push_back(row);
    }
    inChange = changed;
  }
  return starts;
}

} // namespace jitscope::ui
