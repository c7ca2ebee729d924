// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"

namespace CLI {
class App;
} // namespace CLI

namespace jitscope::app {

/// Adds `jitscope study`, which leaves its exit status in `status`.
void addStudyCommand(CLI::App &app, ExitStatus &status);

} // namespace jitscope::app
