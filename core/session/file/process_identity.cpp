// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/file/process_identity.h"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <sstream>

#include <unistd.h>

namespace jitscope::session {

namespace {

struct ProcessState {
  char state = '?';
  std::uint64_t startTicks = 0;
};

std::string firstLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// State and start time (proc(5), fields 3 and 22). The second field is the command in parentheses and may itself hold spaces and
/// parentheses, so reading begins after the last one.
std::optional<ProcessState> stateOf(std::int64_t pid) {
  const std::string line = firstLine(fmt::format("/proc/{}/stat", pid));
  const std::size_t commandEnd = line.rfind(')');
  if (commandEnd == std::string::npos) {
    return std::nullopt;
  }
  std::istringstream fields(line.substr(commandEnd + 1));
  ProcessState result;
  fields >> result.state;
  std::string skipped;
  for (int field = 4; field < 22; ++field) {
    fields >> skipped;
  }
  fields >> result.startTicks;
  return fields ? std::optional(result) : std::nullopt;
}

std::string currentBootId() { return firstLine("/proc/sys/kernel/random/boot_id"); }

} // namespace

ProcessIdentity ProcessIdentity::current() {
  ProcessIdentity identity{getpid(), 0, currentBootId()};
  if (const std::optional<ProcessState> state = stateOf(identity.pid)) {
    identity.startTicks = state->startTicks;
  }
  return identity;
}

bool ProcessIdentity::isAlive() const {
  if (pid <= 0 || bootId != currentBootId()) {
    return false;
  }
  const std::optional<ProcessState> state = stateOf(pid);
  return state && state->startTicks == startTicks && state->state != 'Z' && state->state != 'X';
}

} // namespace jitscope::session
