// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <string>

namespace jitscope::session {

/// A session that another one was merged from, and the numbers there of what came from it; a last one before its first where there
/// is nothing.
struct MergedPart {
  std::string uuid;
  std::string scriptPath;
  base::FunctionId firstFunction;
  base::FunctionId lastFunction;
  std::uint16_t firstProcess = 0; ///< the script's own; those after it are of its cold legs
  std::uint16_t lastProcess = 0;
  std::uint32_t firstBench = 0;
  std::uint32_t lastBench = 0;
  std::uint64_t firstExpectation = 0; ///< counted from 1
  std::uint64_t lastExpectation = 0;
};

} // namespace jitscope::session
