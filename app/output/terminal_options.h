// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/reporter.h"

#include <filesystem>

namespace jitscope::app {

/// How text looks in this file, or on standard output if there is none: coloured and as wide as the terminal where it is one,
/// colours only as NO_COLOR allows.
report::ReportOptions optionsForTerminal(const std::filesystem::path &output);

} // namespace jitscope::app
