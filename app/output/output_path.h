// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace jitscope::app {

/// Where a run is recorded when nothing else was asked for: the script's name and the time, in the working folder, e.g.
/// "chain-20240501-120000.jitscope"; with a number behind it when that is taken.
std::filesystem::path defaultSessionPath(const std::filesystem::path &script);

} // namespace jitscope::app
