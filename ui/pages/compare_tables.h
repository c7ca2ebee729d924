// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/comparison.h"
#include "analysis/remark_groups.h"
#include "ui/models/rows_model.h"

#include <vector>

/// The tables of a comparison of two sessions.
namespace jitscope::ui {

/// A remark that only one of the sessions has.
struct RemarkChange {
  bool isNew = false;
  analysis::RemarkGroup remark;
};

[[nodiscard]] std::vector<Column<analysis::LegComparison>> comparedLegColumns();
[[nodiscard]] std::vector<Column<analysis::CompileComparison>> comparedCompileColumns();
[[nodiscard]] std::vector<Column<analysis::CountComparison>> comparedCountColumns();
[[nodiscard]] std::vector<Column<RemarkChange>> remarkChangeColumns();

/// What of the remarks of two sessions only one has, the new ones first.
[[nodiscard]] base::Result<std::vector<RemarkChange>> readRemarkChanges(session::SessionReader &base,
                                                                        session::SessionReader &contender);

} // namespace jitscope::ui
