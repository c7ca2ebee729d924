// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/exit_status.h"

#include "analysis/findings/finding_gate.h"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace jitscope::app {

/// Adds `jitscope report`.
void addReportCommand(CLI::App &app, ExitStatus &status);

/// The help of the option that `run` and `report` share.
inline constexpr auto kExtendedHelp =
    "Show more statistics of benchmarks: minimum, maximum, sample size, mode and intervals (text only)";

/// The format that needs the program that draws.
inline constexpr auto kPdf = "pdf";

struct ReportRequest {
  std::filesystem::path session;
  std::string format = "text";
  std::filesystem::path output = {};              ///< empty: standard output
  bool extended = false;                          ///< see `report::ReportOptions`
  bool hasDrawings = true;                        ///< in HTML, as far as they can be drawn
  std::vector<std::string> only = {};             ///< conditions on the calls to report on, see `analysis::readSelection`
  std::vector<analysis::FindingGate> failOn = {}; ///< findings that make the status Failed
};

/// The report of a session to a file or to standard output. HTML that cannot have drawings is written without, and standard error
/// says why; a PDF is an error then. Text is coloured when standard output is a terminal and NO_COLOR is not
/// set. Findings that `failOn` forbids are named on standard error; they are those of the whole session, whatever `only` selects.
ExitStatus writeReport(const ReportRequest &request);

} // namespace jitscope::app
