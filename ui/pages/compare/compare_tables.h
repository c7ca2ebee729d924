// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compare/comparison.h"
#include "analysis/compare/remark_changes.h"
#include "ui/models/rows_model.h"

#include <vector>

/// The tables of a comparison of two sessions.
namespace jitscope::ui {

/// With the options that the legs were judged by.
[[nodiscard]] std::vector<Column<analysis::LegComparison>> comparedLegColumns(const analysis::CompareOptions &options = {});
[[nodiscard]] std::vector<Column<analysis::CompileComparison>> comparedCompileColumns();
[[nodiscard]] std::vector<Column<analysis::CountComparison>> comparedCountColumns();
[[nodiscard]] std::vector<Column<analysis::RemarkChange>> remarkChangeColumns();

} // namespace jitscope::ui
