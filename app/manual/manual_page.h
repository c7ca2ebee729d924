// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "manual/command_outline.h"

#include <string>
#include <string_view>

namespace jitscope::app {

/// The manual page of the command in the macros of man(7): synopsis, options, exit statuses and examples of every command,
/// environment and files.
[[nodiscard]] std::string manualPage(const CommandOutline &outline, std::string_view version);

} // namespace jitscope::app
