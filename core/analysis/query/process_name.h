// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/import/merged_part.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::analysis {

/// What a process of a session did.
struct ProcessName {
  std::uint32_t part = 0;    ///< of a merged session, the run that it belongs to, from 1; 0 where only one was recorded
  std::uint32_t coldLeg = 0; ///< of its run, from 1; 0 for the process that ran the script
  std::string scriptPath;    ///< of the run; empty where only one was recorded
};

/// The process with a number, in a session that was merged from `parts`, which are none where it was recorded.
[[nodiscard]] ProcessName nameOfProcess(std::uint16_t process, const std::vector<session::MergedPart> &parts);

} // namespace jitscope::analysis
