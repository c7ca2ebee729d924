// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/batch_command.h"
#include "commands/cache_command.h"
#include "commands/compare_command.h"
#include "commands/diff_command.h"
#include "commands/exit_status.h"
#include "commands/export_command.h"
#include "commands/merge_command.h"
#include "commands/report_command.h"
#include "commands/run_command.h"
#include "commands/study_command.h"
#include "manual/help_text.h"
#include "manual/manual_command.h"
#include "output/message.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace {

/// If a standard stream is closed, the next file opened would take its number and receive its output. This prevents that.
void occupyStandardStreams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (::fcntl(stream, F_GETFD) == -1) {
      // Opened the wrong way round: reading and writing fail as before.
      static_cast<void>(::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY));
    }
  }
}

/// "" if every command named exists. CLI11 alone would only say that a command is required.
std::string unknownCommand(const CLI::App &app, int argc, char **argv) {
  const CLI::App *current = &app;
  for (int i = 1; i < argc && current->get_require_subcommand_min() > 0; ++i) {
    const std::string word = argv[i];
    if (word.starts_with('-')) {
      return "";
    }
    const CLI::App *named = nullptr;
    std::vector<std::string> names;
    for (const CLI::App *command : current->get_subcommands([](const CLI::App *) { return true; })) {
      if (!command->get_group().empty()) {
        names.push_back(command->get_name());
      }
      named = command->get_name() == word ? command : named;
    }
    if (named == nullptr) {
      return fmt::format("there is no command '{}'; the commands are: {}", word, fmt::join(names, ", "));
    }
    current = named;
  }
  return "";
}

} // namespace

int main(int argc, char **argv) {
  using jitscope::app::ExitStatus;
  occupyStandardStreams();
  // A closed pipe and a file-size limit are errors to report; they must not kill the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app{"Jitscope runs graph scripts through its own cached JIT and shows which calls hit, which missed, and why",
               "jitscope"};
  app.formatter(std::make_shared<jitscope::app::HelpFormatter>());
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_version_flag("--version", "jitscope " JITSCOPE_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  const auto meanings = jitscope::app::exitStatusMeanings();
  app.footer(
      jitscope::app::helpFooter("jitscope COMMAND --help describes a command.", {meanings.begin(), meanings.end()},
                                {{"jitscope run axpy.lua -o axpy.jitscope", "run a script, record a session, print a report"},
                                 {"jitscope report axpy.jitscope -f html -o axpy.html", "write the report as a page"}}));
  ExitStatus status = ExitStatus::Done;
  jitscope::app::addRunCommand(app, status);
  jitscope::app::addStudyCommand(app, status);
  jitscope::app::addBatchCommand(app, status);
  jitscope::app::addReportCommand(app, status);
  jitscope::app::addCompareCommand(app, status);
  jitscope::app::addDiffCommand(app, status);
  jitscope::app::addExportCommand(app, status);
  jitscope::app::addMergeCommand(app, status);
  jitscope::app::addCacheCommand(app, status);
  jitscope::app::addManualCommand(app, status);
  app.failure_message([](const CLI::App *, const CLI::Error &error) {
    return fmt::format("jitscope: {}\nRun with --help for more information.\n", error.what());
  });
  if (const std::string problem = unknownCommand(app, argc, argv); !problem.empty()) {
    jitscope::app::say(fmt::format("jitscope: {}\nRun with --help for more information.\n", problem));
    return static_cast<int>(ExitStatus::BadInput);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    // Help and version are not errors; everything else is wrong usage.
    return app.exit(error) == 0 ? static_cast<int>(ExitStatus::Done) : static_cast<int>(ExitStatus::BadInput);
  }
  return static_cast<int>(status);
}
