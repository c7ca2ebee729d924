// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"

#include "analysis/compare/comparison.h"

#include <filesystem>

namespace CLI {
class App;
} // namespace CLI

namespace jitscope::app {

/// Adds `jitscope compare`.
void addCompareCommand(CLI::App &app, ExitStatus &status);

/// Compares the sessions in two files; the errors of opening and reading them.
base::Result<analysis::Comparison> compareFiles(const std::filesystem::path &base, const std::filesystem::path &contender,
                                                const analysis::CompareOptions &options);

/// `Failed` for a regression, `TooLittle` for what must not be called alike, else `Done`.
ExitStatus statusFor(const analysis::Comparison &comparison);

/// A share from "5%", "5 %" or "5", which all mean 0.05; RuntimeOption for anything else.
base::Result<double> parsePercent(const std::string &text);

} // namespace jitscope::app
