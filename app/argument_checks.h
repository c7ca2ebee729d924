// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "progress_display.h"

#include <string>

/// What the commands' arguments have in common.
namespace jitscope::app {

/// "" for a time that can be waited for, else what is wrong with it.
std::string checkSeconds(const std::string &text);

/// The mode of that name: "auto", "always" or "never".
ProgressMode progressModeFrom(const std::string &name);

} // namespace jitscope::app
