// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "runtime/bench/measured_leg.h"

#include <cstdint>

namespace jitscope::runtime {

class IdRegistry;

/// One cold leg: a case on an input, found by its place in the script's run.
struct ColdTarget {
  std::uint32_t bench = 1; ///< counts the script's `bench` calls from 1
  std::uint32_t caseIndex = 0;
  std::uint32_t inputIndex = 0;

  friend bool operator==(const ColdTarget &, const ColdTarget &) = default;
};

struct ColdLegRequest {
  ColdTarget target;
  base::CaseId caseId;       ///< what the recorded calls belong to
  base::SectionId sectionId; ///< and in which section
  std::uint16_t process = 1; ///< the number of the process that measures
};

/// Measures a cold leg in a fresh process: it runs the script again up to the case, unrecorded, empties the cache and measures. The
/// engine knows only this; how processes are made is the application's business.
class ColdLegLauncher {
public:
  virtual ~ColdLegLauncher() = default;
  /// What it measured, after everything that was recorded has gone to the sink of this run. RuntimeProcess when the process could
  /// not be started or failed; the message holds what it said. Called on the script's thread.
  virtual base::Result<MeasuredLeg> launch(const ColdLegRequest &request, IdRegistry &ids) = 0;
};

} // namespace jitscope::runtime
