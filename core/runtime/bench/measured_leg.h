// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

#include <cstdint>
#include <vector>

namespace jitscope::runtime {

/// What came of measuring a leg.
struct MeasuredLeg {
  std::vector<script::Sample> samples; ///< thread by thread
  std::uint64_t callsPerSample = 1;    ///< more than 1: samples that were hits are means of as many calls
  double clockStepNs = 0;              ///< the shortest time that the clock tells from none
  double overheadNs = 0;               ///< what measuring adds to a sample
  bool isCapped = false;               ///< it ended before its time, as there were as many samples as are kept
};

} // namespace jitscope::runtime
