// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/loop_summary.h"
#include "analysis/compiles/optimizer_tables.h"
#include "analysis/summary.h"
#include "ui/models/rows_model.h"

#include <vector>

/// The tables of compiles, of their passes, of redundant work, and of loops.
namespace jitscope::ui {

[[nodiscard]] std::vector<Column<analysis::MissSummary>> compileColumns();
[[nodiscard]] std::vector<Column<analysis::PassSum>> passColumns();
[[nodiscard]] std::vector<Column<analysis::WorkTotal>> redundantWorkColumns();
[[nodiscard]] std::vector<Column<analysis::LoopFinding>> loopColumns();

} // namespace jitscope::ui
