// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace jitscope::app {

/// The exit status of a command. `exitStatusMeanings` says what each means.
enum class ExitStatus : std::uint8_t { Done = 0, Failed = 1, BadInput = 2, TooLittle = 3 };

struct ExitStatusMeaning {
  ExitStatus status;
  std::string_view meaning; ///< begins in lower case, without a full stop
};

/// The row for `BadInput`, which is the same for most commands.
inline constexpr ExitStatusMeaning kBadInput{ExitStatus::BadInput,
                                             "wrong usage, unreadable input, or an output that cannot be written"};

/// The statuses in ascending order: `--help` and the manual page print them.
[[nodiscard]] std::span<const ExitStatusMeaning> exitStatusMeanings();

/// Errors in files and options are bad input; all other errors are failures of the run.
constexpr ExitStatus statusFor(base::ErrorCode code) {
  const bool isStorage = code >= base::ErrorCode::StorageOpen && code <= base::ErrorCode::StorageCorrupt;
  const bool isUsage =
      code == base::ErrorCode::ScriptUnreadable || code == base::ErrorCode::RuntimeOption || code == base::ErrorCode::CompileInput;
  return isStorage || isUsage ? ExitStatus::BadInput : ExitStatus::Failed;
}

/// Prints the error to standard error, after "jitscope: ", and gives the status for it.
ExitStatus reportError(const base::Error &error);

} // namespace jitscope::app
