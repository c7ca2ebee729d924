// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>

namespace jitscope::app {

/// What a command tells the shell.
enum class ExitStatus : std::uint8_t {
  Done = 0,
  Failed = 1,   ///< an expectation failed, a regression was found, or the script failed or was interrupted
  BadInput = 2, ///< wrong usage, unreadable input, an output that cannot be written
  TooLittle = 3 ///< too little or incomparable data
};

/// Errors in what was asked for (files, options) are bad input; everything else is a failure of the run.
constexpr ExitStatus statusFor(base::ErrorCode code) {
  const bool isStorage = code >= base::ErrorCode::StorageOpen && code <= base::ErrorCode::StorageCorrupt;
  const bool isUsage =
      code == base::ErrorCode::ScriptUnreadable || code == base::ErrorCode::RuntimeOption || code == base::ErrorCode::CompileInput;
  return isStorage || isUsage ? ExitStatus::BadInput : ExitStatus::Failed;
}

/// Prints the error to standard error, after "jitscope: ", and gives the status for it.
ExitStatus reportError(const base::Error &error);

} // namespace jitscope::app
