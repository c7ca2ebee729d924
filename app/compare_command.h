// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exit_status.h"

#include "analysis/comparison.h"

namespace CLI {
class App;
} // namespace CLI

namespace jitscope::app {

/// Adds `jitscope compare`.
void addCompareCommand(CLI::App &app, ExitStatus &status);

/// `Failed` for a regression, `TooLittle` for what must not be called alike, else `Done`.
ExitStatus statusFor(const analysis::Comparison &comparison);

/// A share from "5%", "5 %" or "5", which all mean 0.05; RuntimeOption for anything else.
base::Result<double> parsePercent(const std::string &text);

} // namespace jitscope::app
