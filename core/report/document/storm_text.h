// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/storm_advice.h"

#include <string>
#include <vector>

/// Recompile storms in words: the same ones in reports and in the window.
namespace jitscope::report {

/// "f was compiled 7 times for 14 calls; compiling took 28.0 ms. Reason: new-shape. What varies: dimension 0 of argument 0 took 7
/// sizes, 3 to 47."
[[nodiscard]] std::string stormText(const analysis::RecompileStorm &storm);

using analysis::stormAdvice;

/// What the storms after the first `shown` ones add up to: "and 2 more storms: 41 compiles for 96 calls, 1.2 s"; empty for none.
[[nodiscard]] std::string stormsLeftOut(const std::vector<analysis::RecompileStorm> &storms, std::size_t shown);

} // namespace jitscope::report
