// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"

namespace CLI {
class App;
} // namespace CLI

namespace jitscope::app {

/// Adds `jitscope run`. Its status lands in `status` when the command line is parsed.
void addRunCommand(CLI::App &app, ExitStatus &status);

} // namespace jitscope::app
