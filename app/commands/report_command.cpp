// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/report_command.h"

#include "commands/shared_options.h"
#include "manual/help_text.h"
#include "manual/value_type.h"
#include "output/message.h"
#include "output/output_file.h"
#include "output/terminal_options.h"
#include "process/chart_process.h"

#include "analysis/findings/findings.h"
#include "analysis/query/selection_text.h"
#include "analysis/summary.h"
#include "base/try.h"
#include "report/document/finding_sections.h"
#include "report/reporter.h"
#include "session/session_reader.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::app {

namespace {

/// What `report::makeReporter` knows, and what only the program that draws can make.
std::vector<std::string> formats() {
  std::vector<std::string> names;
  for (const std::string_view format : report::reportFormats()) {
    names.emplace_back(format);
  }
  names.emplace_back(kPdf);
  return names;
}

bool isTerminal(const std::filesystem::path &output) { return (output.empty() || output == "-") && ::isatty(STDOUT_FILENO) == 1; }

/// Without drawings.
base::Result<std::string> plainReport(const ReportRequest &request, session::SessionReader &reader,
                                      const analysis::Selection &selection) {
  report::ReportOptions options = optionsForTerminal(request.output);
  options.density = request.extended ? report::Density::Extended : report::Density::Short;
  JITSCOPE_TRY(const report::Reporter reporter, report::makeReporter(request.format, options));
  JITSCOPE_TRY(const analysis::Summary summary, analysis::summarize(reader, {.selection = selection}));
  return reporter.render(summary);
}

base::Result<std::string> reportText(const ReportRequest &request, session::SessionReader &reader) {
  JITSCOPE_TRY(const analysis::Selection selection, analysis::readSelection(reader, request.only));
  const bool isPdf = request.format == kPdf;
  if (isPdf || (request.format == "html" && request.hasDrawings)) {
    base::Result<std::string> drawn = drawnReport(request.session, request.format, selection);
    if (drawn) {
      return drawn;
    }
    if (isPdf) {
      return base::fail(drawn.error().code, "a PDF cannot be made: " + drawn.error().message);
    }
    say(fmt::format("jitscope: the report has no drawings: {}\n", drawn.error().message));
  }
  return plainReport(request, reader, selection);
}

/// Names the findings that are forbidden; Failed if there is one.
ExitStatus checkFindings(session::SessionReader &reader, const std::vector<analysis::FindingGate> &gates) {
  if (gates.empty()) {
    return ExitStatus::Done;
  }
  const base::Result<std::vector<analysis::Finding>> findings = analysis::readFindings(reader);
  if (!findings) {
    return reportError(findings.error());
  }
  ExitStatus status = ExitStatus::Done;
  for (const analysis::Finding &finding : *findings) {
    if (analysis::isForbidden(finding, gates)) {
      say(fmt::format("jitscope: a finding that --fail-on forbids: {}\n", report::findingHeadline(finding)));
      status = ExitStatus::Failed;
    }
  }
  return status;
}

} // namespace

ExitStatus writeReport(const ReportRequest &request) {
  if (request.format == kPdf && isTerminal(request.output)) {
    return reportError({base::ErrorCode::RuntimeOption, "a PDF is not for a terminal; name a file for it with --output", {}});
  }
  base::Result<std::unique_ptr<session::SessionReader>> reader = session::SessionReader::open(request.session);
  if (!reader) {
    return reportError(reader.error());
  }
  const base::Result<std::string> text = reportText(request, **reader);
  if (!text) {
    return reportError(text.error());
  }
  if (base::Result<void> written = writeResult(request.output, *text); !written) {
    return reportError(written.error());
  }
  return checkFindings(**reader, request.failOn);
}

void addReportCommand(CLI::App &app, ExitStatus &status) {
  struct ReportArguments {
    std::string session;
    std::string format = "text";
    std::string output;
    bool extended = false;
    std::vector<std::string> only;
    std::vector<std::string> failOn;
  };
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App *command = app.add_subcommand("report", "Show what a session holds");
  command->add_option("SESSION", arguments->session, "Session file (.jitscope)")->type_name(value::kSession)->required();
  command->add_option("-f,--format", arguments->format, "Format of the report")
      ->type_name(value::kFormat)
      ->check(CLI::IsMember(formats()))
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "File to write")->type_name(value::kFile)->default_str("standard output");
  command->add_flag("--extended", arguments->extended, kExtendedHelp);
  command
      ->add_option(
          "--only", arguments->only,
          fmt::format("Report only on calls that meet this condition; repeated conditions are combined with AND. KEY is one "
                      "of {}. VALUE is a name, an id (#3) or a time since the session began (1.5, 250ms)",
                      fmt::join(analysis::selectionKeys(), ", ")))
      ->type_name(value::kFilter)
      ->allow_extra_args(false);
  addFailOnOption(*command, arguments->failOn);
  command->footer(helpFooter(
      "", {{ExitStatus::Done, "done"}, {ExitStatus::Failed, "there is a finding that --fail-on forbids"}, kBadInput},
      {{"jitscope report s.jitscope", "print the report"},
       {"jitscope report s.jitscope -f html -o s.html", "write one page for a browser"},
       {"jitscope report s.jitscope --only outcome=miss --only section=warm", "report on some of the calls"},
       {"jitscope report s.jitscope --fail-on storm,made-anew:0.5", "fail if one of these costs more than half a second"}}));
  command->callback([arguments, &status] {
    status = writeReport({.session = arguments->session,
                          .format = arguments->format,
                          .output = arguments->output,
                          .extended = arguments->extended,
                          .only = arguments->only,
                          .failOn = gatesFrom(arguments->failOn)});
  });
}

} // namespace jitscope::app
