// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"

namespace CLI {
class App;
} // namespace CLI

namespace jitscope::app {

/// Adds `jitscope cache stat` and `jitscope cache clear`, which are about the disk cache.
void addCacheCommand(CLI::App &app, ExitStatus &status);

} // namespace jitscope::app
