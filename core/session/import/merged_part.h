// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "record/session_end.h"

#include <cstdint>
#include <string>

namespace jitscope::session {

/// A session that another one was merged from, and the numbers there of what came from it; a last one before its first where there
/// is nothing.
struct MergedPart {
  std::string uuid;
  std::string scriptPath;
  std::string scriptSha256;
  std::string scriptText;
  std::string commandLine;
  std::string startedUtc;
  std::string host;
  std::string cpu;
  std::string options;
  record::SessionStatus status = record::SessionStatus::Finished;
  std::string error;
  std::uint64_t startNs = 0; ///< after the earliest of the parts
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
