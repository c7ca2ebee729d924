// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::session {

/// What a session says about the run it holds and where it took place: one row of table `session`.
struct SessionInfo {
  std::string uuid;
  std::string jitscopeVersion;
  std::string llvmVersion; ///< empty where nothing was compiled by LLVM
  std::string startedUtc;  ///< ISO 8601 with milliseconds, e.g. "2024-05-01T12:00:00.123Z"
  std::string scriptPath;
  std::string scriptSha256; ///< 64 hexadecimal digits
  std::string scriptText;
  std::string commandLine;
  std::string host;
  std::string cpu;           ///< model, e.g. "AMD EPYC 7B13", with the number of logical CPUs
  std::string cpuFeatures;   ///< separated by spaces
  std::string os;            ///< distribution, kernel and architecture
  std::string options;       ///< one JSON object: every option with the value it had
  double clockReadNs = 0;    ///< measured cost of one read of the clock that timed the run
  double callOverheadNs = 0; ///< measured cost that recording adds to one call, nanoseconds
};

/// A `SessionInfo` with what can be known without the run: a new UUID, the version, the present time, host, CPU and system.
SessionInfo describeThisMachine();

/// A random UUID (version 4, RFC 9562) in its usual form with hyphens.
std::string makeUuid();

/// The present time as in `SessionInfo::startedUtc`.
std::string utcNow();

} // namespace jitscope::session
