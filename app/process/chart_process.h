// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace jitscope::analysis {
struct Selection;
} // namespace jitscope::analysis

namespace jitscope::app {

/// The program that draws, jitscope-charts, which stands beside this command where the window is installed, too. The command itself
/// links nothing that draws. RuntimeOption where it is not there.
[[nodiscard]] base::Result<std::filesystem::path> findCharts();

/// A whole report with its drawings, "html" or "pdf", of what is selected, by that program in a process of its own: whatever
/// becomes of it, this one goes on. RuntimeOption where it is not there, RuntimeProcess with what it said where it failed.
[[nodiscard]] base::Result<std::string> drawnReport(const std::filesystem::path &session, std::string_view format,
                                                    const analysis::Selection &selection);

} // namespace jitscope::app
