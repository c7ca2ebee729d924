// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "manual/command_outline.h"

#include <string>

namespace jitscope::app {

/// Completion of commands, options, fixed values and files, as a script that the shell reads.
[[nodiscard]] std::string bashCompletion(const CommandOutline &outline);
[[nodiscard]] std::string zshCompletion(const CommandOutline &outline);
[[nodiscard]] std::string fishCompletion(const CommandOutline &outline);

} // namespace jitscope::app
