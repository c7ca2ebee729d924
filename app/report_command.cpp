// SPDX-License-Identifier: GPL-3.0-or-later
#include "report_command.h"

#include "output_file.h"
#include "terminal_options.h"

#include "analysis/summary.h"
#include "report/reporter.h"
#include "session/session_reader.h"

#include <memory>

#include <CLI/CLI.hpp>

namespace jitscope::app {

ExitStatus writeReport(const ReportRequest &request) {
  report::ReportOptions options = optionsForTerminal(request.output);
  options.extended = request.extended;
  base::Result<std::unique_ptr<report::Reporter>> reporter = report::makeReporter(request.format, options);
  if (!reporter) {
    return reportError(reporter.error());
  }
  base::Result<std::unique_ptr<session::SessionReader>> reader = session::SessionReader::open(request.session);
  if (!reader) {
    return reportError(reader.error());
  }
  const base::Result<analysis::Summary> summary = analysis::summarize(**reader);
  if (!summary) {
    return reportError(summary.error());
  }
  if (base::Result<void> written = writeResult(request.output, (*reporter)->render(*summary)); !written) {
    return reportError(written.error());
  }
  return ExitStatus::Done;
}

void addReportCommand(CLI::App &app, ExitStatus &status) {
  struct ReportArguments {
    std::string session;
    std::string format = "text";
    std::string output;
    bool extended = false;
  };
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App *command = app.add_subcommand("report", "Show what a session holds");
  command->add_option("session", arguments->session, "Session file (.jitscope)")->required();
  command->add_option("-f,--format", arguments->format, "Format of the report")
      ->check(CLI::IsMember([] {
        std::vector<std::string> formats;
        for (const std::string_view format : report::reportFormats()) {
          formats.emplace_back(format);
        }
        return formats;
      }()))
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "File to write (default: standard output)");
  command->add_flag("--extended", arguments->extended, kExtendedHelp);
  command->callback([arguments, &status] {
    status = writeReport({arguments->session, arguments->format, arguments->output, arguments->extended});
  });
}

} // namespace jitscope::app
