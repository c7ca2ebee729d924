// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache_command.h"
#include "exit_status.h"
#include "report_command.h"
#include "run_command.h"

#include <csignal>

#include <CLI/CLI.hpp>

int main(int argc, char **argv) {
  using jitscope::app::ExitStatus;
  // A closed pipe is an error to be told, not a death.
  std::signal(SIGPIPE, SIG_IGN);
  CLI::App app{"Jitscope: runs graph scripts through its own cached JIT and shows which calls hit, which missed and why",
               "jitscope"};
  app.set_version_flag("--version", "jitscope " JITSCOPE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done; 1 an expectation failed, or the script failed or was interrupted; 2 wrong usage, unreadable input or\n"
      "an output that cannot be written; 3 too little or incomparable data.");
  ExitStatus status = ExitStatus::Done;
  jitscope::app::addRunCommand(app, status);
  jitscope::app::addReportCommand(app, status);
  jitscope::app::addCacheCommand(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // Help and version are no errors; everything else is wrong usage.
    return app.exit(error) == 0 ? static_cast<int>(ExitStatus::Done) : static_cast<int>(ExitStatus::BadInput);
  }
  return static_cast<int>(status);
}
