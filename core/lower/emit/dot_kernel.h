// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/emission.h"

namespace jitscope::lower {

/// The step of a dot: a loop where it is small, else a call of CBLAS.
void emitDot(Emission &emission, const Step &step);

} // namespace jitscope::lower
