// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "output/progress_display.h"

#include <cstdint>
#include <string>

/// What the commands' arguments have in common.
namespace jitscope::app {

/// "" for a time that can be waited for, else what is wrong with it.
std::string checkSeconds(const std::string &text);

/// What `--seed` is for, in the help of commands.
inline constexpr const char *kSeedHelp =
    "Shuffle the order in which benches measure cases and legs: by a number, or random to draw one. The number is printed and "
    "recorded, and the same one gives the same order";
/// "" for a seed that a session can keep, or "random"; else what is wrong with it.
std::string checkSeed(const std::string &text);
/// The seed that such a text stands for; "random" draws one that is short enough to be typed again.
std::uint64_t seedFrom(const std::string &text);

/// The mode of that name: "auto", "always" or "never".
ProgressMode progressModeFrom(const std::string &name);

} // namespace jitscope::app
