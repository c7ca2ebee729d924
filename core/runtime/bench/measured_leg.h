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
  double clockStepNs = 0;              ///< the resolution of the clock
  double overheadNs = 0;               ///< what measuring adds to a sample
  bool isCapped = false;               ///< it ended early, because it reached the maximum number of samples
};

} // namespace jitscope::runtime
