// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

/// This very command as a child process.
namespace jitscope::app {

/// Where a child's streams go; what is empty goes nowhere. Both may name one file.
struct ChildStreams {
  std::filesystem::path output;
  std::filesystem::path errors;
};

/// Starts this command with other arguments, the first of which is its name. RuntimeProcess where that is not possible.
base::Result<pid_t> spawnSelf(std::vector<std::string> arguments, const ChildStreams &streams);

/// How a child ended.
struct ChildEnd {
  int waitStatus = 0;     ///< as `waitpid` gives it
  bool wasKilled = false; ///< it was still there at the end of its time
};

/// Waits for the child; passes a stop on to it. Kills it once `limit` is over, should there be one.
ChildEnd waitFor(pid_t child, const std::atomic<bool> &stopRequested, std::optional<std::chrono::duration<double>> limit = {});

/// The end of a text file, without the line feeds behind it.
std::string tailOf(const std::filesystem::path &file);

} // namespace jitscope::app
