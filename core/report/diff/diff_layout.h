// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/text_diff.h"

#include <cstddef>
#include <vector>

namespace jitscope::report {

/// What of a diff is shown: a row, or how many rows are not.
struct ShownRow {
  const analysis::DiffRow *row = nullptr; ///< null for rows that are left out
  std::size_t hidden = 0;
  analysis::RowKind hiddenKind = analysis::RowKind::Equal; ///< what is left out
};

struct DiffLayoutOptions {
  std::size_t context = 2; ///< equal rows around a difference
  /// Show everything that differs. Otherwise long stretches that only one side has are folded block by block, except for blocks
  /// with vector instructions, which are what most such comparisons are about.
  bool isFull = false;
};

/// The rows to show of a diff, in their order.
[[nodiscard]] std::vector<ShownRow> layOut(const analysis::TextDiff &diff, const DiffLayoutOptions &options);

} // namespace jitscope::report
