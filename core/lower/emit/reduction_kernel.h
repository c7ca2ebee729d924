// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/emission.h"

namespace jitscope::lower {

/// The step of reductions that share their loops.
void emitReduction(Emission &emission, const Step &step);

} // namespace jitscope::lower
