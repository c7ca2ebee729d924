// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/remark_groups.h"
#include "analysis/summary.h"

#include <QMap>
#include <QString>

#include <vector>

namespace jitscope::ui {

/// What a session says of a script's lines: in short for the margin, in full for tool tips.
struct ScriptNotes {
  QMap<int, QString> notes;
  QMap<int, QString> tips;
};

/// Misses stand at the line where their function begins, remarks at the line they are about: "3 misses", "2 ⚑".
[[nodiscard]] ScriptNotes scriptNotes(const std::vector<analysis::FunctionSummary> &functions,
                                      const std::vector<analysis::RemarkGroup> &remarks);

} // namespace jitscope::ui
