// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/remark_groups.h"
#include "event/event.h"
#include "ui/models/rows_model.h"

#include <vector>

/// The tables beside a comparison of IR.
namespace jitscope::ui {

/// A remark that only one of the two sides has.
struct SideRemark {
  bool isLeft = false;
  analysis::RemarkGroup remark;
};

/// A pass over the function, in the compile of the right side.
struct PassRow {
  event::PassRun pass;
  bool hasText = false; ///< the text after it was kept
};

[[nodiscard]] std::vector<Column<SideRemark>> sideRemarkColumns();
[[nodiscard]] std::vector<Column<PassRow>> passRowColumns();

/// What of two sets of remarks only one has.
[[nodiscard]] std::vector<SideRemark> differing(const std::vector<analysis::RemarkGroup> &left,
                                                const std::vector<analysis::RemarkGroup> &right);

} // namespace jitscope::ui
