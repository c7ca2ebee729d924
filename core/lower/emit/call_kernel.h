// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/emission.h"

namespace jitscope::lower {

/// The step of a call, or of a map, of another function.
void emitCall(Emission &emission, const Step &step);

} // namespace jitscope::lower
