// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/code/ir_text.h"
#include "analysis/code/sequence_alignment.h"

#include <span>

namespace jitscope::analysis {

/// Which lines of two functions correspond. What computes the same from the same comes first, then what has the same name, then
/// lines of the same form whatever their operands, then lines of the same operation, and last a single line in the place of
/// another.
[[nodiscard]] Alignment alignIr(std::span<const IrLine> left, std::span<const IrLine> right);

} // namespace jitscope::analysis
