// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/recompile_storms.h"

#include <string>
#include <vector>

/// Recompile storms in words: the same ones in reports and in the window.
namespace jitscope::report {

/// "f was compiled 7 times for 14 calls; compiling took 28.0 ms. Reason: new-shape. What varies: dimension 0 of argument 0 took 7
/// sizes, 3 to 47."
[[nodiscard]] std::string stormText(const analysis::RecompileStorm &storm);

/// What to do about a storm; empty where nothing is known to help. Advice is given only where it can be followed: what keys an
/// eager operation by its value, such as the shape of `ones`, cannot be a tensor, nor can a string or a function; and templates
/// that keep only ranks do not help where something besides sizes varies as much.
[[nodiscard]] std::string stormAdvice(const analysis::RecompileStorm &storm);

/// What the storms after the first `shown` ones add up to: "and 2 more storms: 41 compiles for 96 calls, 1.2 s"; empty for none.
[[nodiscard]] std::string stormsLeftOut(const std::vector<analysis::RecompileStorm> &storms, std::size_t shown);

} // namespace jitscope::report
