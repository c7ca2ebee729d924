// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/recompile_storms.h"

#include <string>
#include <vector>

namespace jitscope::analysis {

/// "What varies: dimension 0 of argument 0 took 7 sizes, 3 to 47."; empty where nothing does.
[[nodiscard]] std::string varyingSentence(const std::vector<VaryingPart> &varying);

/// What to do about a storm; empty where nothing is known to help. Advice is given only where it can be followed: what keys an
/// eager operation by its value, such as the shape of `ones`, cannot be a tensor, nor can a string or a function; and templates
/// that keep only ranks do not help where something besides sizes varies as much.
[[nodiscard]] std::string stormAdvice(const RecompileStorm &storm);

} // namespace jitscope::analysis
