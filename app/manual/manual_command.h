// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"

namespace CLI {
class App;
} // namespace CLI

namespace jitscope::app {

/// Adds the hidden command `jitscope manual man|bash|zsh|fish|schema`, which prints the manual page, the completions of a shell,
/// or the reference of a session's tables in docs/sessions.md. The build calls it to make the files that are installed.
void addManualCommand(CLI::App &app, ExitStatus &status);

} // namespace jitscope::app
