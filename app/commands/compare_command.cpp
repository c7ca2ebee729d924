// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/compare_command.h"

#include "commands/shared_options.h"
#include "manual/help_text.h"
#include "manual/value_type.h"
#include "output/output_file.h"
#include "output/terminal_options.h"

#include "report/comparison_report.h"
#include "session/session_reader.h"

#include <charconv>
#include <cmath>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace jitscope::app {

namespace {

using session::SessionReader;

struct CompareArguments {
  std::string base;
  std::string contender;
  std::string threshold = "5%";
  std::string format = "text";
  std::string output;
  bool acrossMachines = false;
};

ExitStatus compare(const CompareArguments &arguments) {
  analysis::CompareOptions options;
  const base::Result<double> threshold = parsePercent(arguments.threshold);
  if (!threshold) {
    return reportError(threshold.error());
  }
  options.threshold = *threshold;
  options.acrossMachines = arguments.acrossMachines;
  const base::Result<analysis::Comparison> comparison = compareFiles(arguments.base, arguments.contender, options);
  if (!comparison) {
    return reportError(comparison.error());
  }
  const base::Result<std::string> text =
      report::renderComparison(*comparison, arguments.format, optionsForTerminal(arguments.output));
  if (!text) {
    return reportError(text.error());
  }
  if (base::Result<void> written = writeResult(arguments.output, *text); !written) {
    return reportError(written.error());
  }
  return statusFor(*comparison);
}

} // namespace

base::Result<analysis::Comparison> compareFiles(const std::filesystem::path &base, const std::filesystem::path &contender,
                                                const analysis::CompareOptions &options) {
  const base::Result<std::unique_ptr<SessionReader>> baseReader = SessionReader::open(base);
  const base::Result<std::unique_ptr<SessionReader>> contenderReader =
      baseReader ? SessionReader::open(contender) : std::unexpected(baseReader.error());
  if (!contenderReader) {
    return std::unexpected(contenderReader.error());
  }
  return analysis::compareSessions(**baseReader, **contenderReader, options);
}

ExitStatus statusFor(const analysis::Comparison &comparison) {
  if (comparison.hasRegressed()) {
    return ExitStatus::Failed;
  }
  return comparison.isSufficient() ? ExitStatus::Done : ExitStatus::TooLittle;
}

base::Result<double> parsePercent(const std::string &text) {
  double percent = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), percent);
  std::string_view rest(parsed.ptr, static_cast<std::size_t>(text.data() + text.size() - parsed.ptr));
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const bool isGood = parsed.ec == std::errc() && (rest.empty() || rest == "%") && std::isfinite(percent) && percent >= 0;
  if (!isGood) {
    return base::fail(base::ErrorCode::RuntimeOption, fmt::format("a threshold is a percentage such as 5%, not \"{}\"", text));
  }
  return percent / 100;
}

void addCompareCommand(CLI::App &app, ExitStatus &status) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App *command = app.add_subcommand("compare", "Compare two sessions and find regressions");
  command->add_option("BASE", arguments->base, "Session to compare with (.jitscope)")->type_name(value::kSession)->required();
  command->add_option("CONTENDER", arguments->contender, "Session to judge (.jitscope)")->type_name(value::kSession)->required();
  command->add_option("--threshold", arguments->threshold, kThresholdHelp)->type_name(value::kPercent)->capture_default_str();
  command->add_flag("--across-machines", arguments->acrossMachines, kAcrossMachinesHelp);
  std::vector<std::string> formats;
  for (const std::string_view format : report::comparisonFormats()) {
    formats.emplace_back(format);
  }
  command->add_option("-f,--format", arguments->format, "Format of the comparison")
      ->type_name(value::kFormat)
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "File to write")->type_name(value::kFile)->default_str("standard output");
  command->footer(helpFooter(
      "",
      {{ExitStatus::Done, "no regression"},
       {ExitStatus::Failed, "a time or a count is worse"},
       kBadInput,
       {ExitStatus::TooLittle, "a time may be slower and the comparison cannot tell, too few samples, or nothing comparable"}},
      {{"jitscope compare main.jitscope branch.jitscope", "find out whether the branch is worse"},
       {"jitscope compare main.jitscope branch.jitscope --threshold 10% -f markdown -o summary.md",
        "tolerate 10 % and write Markdown"}}));
  command->callback([arguments, &status] { status = compare(*arguments); });
}

} // namespace jitscope::app
