// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/compiles/remark_groups.h"
#include "event/event.h"
#include "session/optimizer_reader.h"
#include "ui/models/rows_model.h"

#include <cstdint>
#include <set>
#include <vector>

/// The tables beside a comparison of IR.
namespace jitscope::ui {

/// A remark that only one of the two sides has.
struct SideRemark {
  bool isLeft = false;
  analysis::RemarkGroup remark;
};

/// What a pass did to the function.
enum class PassEffect : std::uint8_t {
  None,
  Rest, ///< the instructions are those of before, so that flags, attributes or metadata changed at most
  Code, ///< it may have changed instructions
};

/// A pass over the function, in the compile of the right side.
struct PassRow {
  event::PassRun pass;
  bool hasText = false; ///< the text after it was kept
  PassEffect effect = PassEffect::None;
};

/// Of all passes of a compile those over a function, or over a module; `kept` are the numbers of those after which a text was kept.
[[nodiscard]] std::vector<PassRow> passesOver(base::FunctionId function, const std::vector<session::PassRow> &passes,
                                              const std::set<std::uint32_t> &kept);
/// What the marks before the names of passes mean.
[[nodiscard]] QString passMarksText();

[[nodiscard]] std::vector<Column<SideRemark>> sideRemarkColumns();
[[nodiscard]] std::vector<Column<PassRow>> passRowColumns();

/// What of two sets of remarks only one has.
[[nodiscard]] std::vector<SideRemark> differing(const std::vector<analysis::RemarkGroup> &left,
                                                const std::vector<analysis::RemarkGroup> &right);

} // namespace jitscope::ui
