// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/ir_text.h"

#include <string_view>
#include <vector>

namespace jitscope::analysis {

/// The tokens of one line of IR, comments left out. Joined they are the line again, with runs of spaces within it as one space.
[[nodiscard]] std::vector<IrToken> lexIrLine(std::string_view line);

} // namespace jitscope::analysis
