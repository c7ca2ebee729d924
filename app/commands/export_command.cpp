// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/export_command.h"

#include "manual/help_text.h"
#include "manual/value_type.h"
#include "output/output_file.h"

#include "report/export/exporter.h"
#include "session/session_reader.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace jitscope::app {

namespace {

struct ExportArguments {
  std::string session;
  std::string format = "chrome-trace";
  std::string table; ///< empty: calls
  std::string output;
};

ExitStatus exportSession(const ExportArguments &arguments) {
  if (!arguments.table.empty() && arguments.format != "csv") {
    return reportError(
        {base::ErrorCode::RuntimeOption, fmt::format("--table is for --format csv; {} holds everything", arguments.format), {}});
  }
  const base::Result<std::unique_ptr<report::Exporter>> exporter =
      report::makeExporter(arguments.format, arguments.table.empty() ? "calls" : arguments.table);
  if (!exporter) {
    return reportError(exporter.error());
  }
  const base::Result<std::unique_ptr<session::SessionReader>> reader = session::SessionReader::open(arguments.session);
  if (!reader) {
    return reportError(reader.error());
  }
  base::Result<OutputFile> file = OutputFile::open(arguments.output);
  if (!file) {
    return reportError(file.error());
  }
  base::Result<void> written = (*exporter)->write(**reader, [&file](std::string_view text) { return file->write(text); });
  if (written) {
    written = file->commit();
  }
  return written ? ExitStatus::Done : reportError(written.error());
}

CLI::IsMember memberOf(const std::vector<std::string_view> &names) {
  return CLI::IsMember(std::vector<std::string>(names.begin(), names.end()));
}

} // namespace

void addExportCommand(CLI::App &app, ExitStatus &status) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App *command = app.add_subcommand("export", "Write a session in a format that other programs read");
  command->add_option("SESSION", arguments->session, "Session file (.jitscope)")->type_name(value::kSession)->required();
  command->add_option("-f,--format", arguments->format, "Format of the file; chrome-trace is for Perfetto")
      ->type_name(value::kFormat)
      ->check(memberOf(report::exportFormats()))
      ->capture_default_str();
  command->add_option("--table", arguments->table, "Table that csv holds")
      ->type_name(value::kTable)
      ->check(memberOf(report::exportTables()))
      ->default_str("calls");
  command->add_option("-o,--output", arguments->output, "File to write")->type_name(value::kFile)->default_str("standard output");
  command->footer(
      helpFooter("", {{ExitStatus::Done, "done"}, kBadInput},
                 {{"jitscope export s.jitscope -o s.json", "write a Chrome trace; open it with https://ui.perfetto.dev"},
                  {"jitscope export s.jitscope -f csv --table compiles -o compiles.csv", "write a row for each compile"}}));
  command->callback([arguments, &status] { status = exportSession(*arguments); });
}

} // namespace jitscope::app
