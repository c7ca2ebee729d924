// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exit_status.h"

#include <filesystem>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace jitscope::app {

/// Adds `jitscope report`.
void addReportCommand(CLI::App &app, ExitStatus &status);

/// The report of a session to a file or, where `output` is empty, to standard output. Text is coloured when standard output is a
/// terminal and NO_COLOR is not set.
ExitStatus writeReport(const std::filesystem::path &session, const std::string &format, const std::filesystem::path &output);

} // namespace jitscope::app
