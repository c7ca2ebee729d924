// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/diff_command.h"
#include "report/diff/diff_json.h"

#include "manual/help_text.h"
#include "manual/value_type.h"
#include "output/output_file.h"
#include "output/terminal_options.h"

#include "analysis/code/code_comparison.h"
#include "base/try.h"
#include "report/diff/diff_text.h"
#include "session/session_reader.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace jitscope::app {

namespace {

struct DiffArguments {
  std::string session;
  std::string between;
  analysis::CodeRequest request;
  bool isSideBySide = false;
  bool isUnified = false;
  bool isFull = false;
  bool isJson = false;
  std::size_t context = report::DiffTextOptions().context;
};

/// "a,b" to its two sides. Neither may be empty, nor both the same.
base::Result<void> split(const std::string &between, analysis::CodeRequest &request) {
  const std::size_t comma = between.find(',');
  if (comma != std::string::npos) {
    request.left = between.substr(0, comma);
    request.right = between.substr(comma + 1);
  }
  if (request.left.empty() || request.right.empty() || request.right.find(',') != std::string::npos) {
    return base::fail(base::ErrorCode::RuntimeOption,
                      fmt::format("--between \"{}\": two pipelines or two points are needed, e.g. per-function,deferred or "
                                  "stage:before,stage:final or pass:12,pass:40",
                                  between));
  }
  if (request.left == request.right && request.point.find(',') == std::string::npos) {
    return base::fail(base::ErrorCode::RuntimeOption,
                      fmt::format("--between \"{}\": there is nothing to compare with itself", between));
  }
  return {};
}

base::Result<void> run(const DiffArguments &arguments) {
  analysis::CodeRequest request = arguments.request;
  if (!arguments.between.empty()) {
    if (base::Result<void> sides = split(arguments.between, request); !sides) {
      return sides;
    }
  }
  JITSCOPE_TRY(std::unique_ptr<session::SessionReader> reader, session::SessionReader::open(arguments.session));
  JITSCOPE_TRY(const analysis::CodeComparison comparison, analysis::compareCode(*reader, request));
  if (arguments.isJson) {
    return writeResult({}, report::renderDiffJson(comparison));
  }
  // Two columns of code need room.
  constexpr std::size_t kWide = 160;
  const report::ReportOptions terminal = optionsForTerminal({});
  report::DiffTextOptions options;
  options.colour = terminal.colour;
  options.width = terminal.width;
  options.isSideBySide = arguments.isSideBySide || (!arguments.isUnified && terminal.width >= kWide);
  options.isFull = arguments.isFull;
  options.context = arguments.context;
  return writeResult({}, report::renderDiff(comparison, options));
}

} // namespace

void addDiffCommand(CLI::App &app, ExitStatus &status) {
  auto arguments = std::make_shared<DiffArguments>();
  analysis::CodeRequest &request = arguments->request;
  CLI::App *command = app.add_subcommand("diff", "Compare the code that two pipelines, or two passes, made of a function");
  command->add_option("SESSION", arguments->session, "Session file (.jitscope)")->type_name(value::kSession)->required();
  command->add_option("-f,--function", request.function, "Name of the function, its last part, or any part that only this one has")
      ->type_name(value::kFunction)
      ->required();
  command
      ->add_option(
          "-b,--between", arguments->between,
          "Two pipelines, or two points of one pipeline: stage:before,stage:final or pass:12,pass:40 or pass:sroa,pass:gvn")
      ->type_name(value::kSides)
      ->default_str("per-function,deferred, or the first two pipelines in the session");
  command
      ->add_option("--stage", request.point,
                   "Point at which two pipelines are compared: final, before, another stage, or the number or name of a pass; "
                   "LEFT,RIGHT for different points")
      ->type_name(value::kPoint)
      ->capture_default_str();
  command->add_option("--pipeline", request.pipeline, "Pipeline of the two points")->type_name(value::kPipeline);
  command->add_option("--study", request.study, "Compare only code of this study")
      ->type_name(value::kId)
      ->default_str("the latest study that has both sides");
  command->add_option("--compile", request.compile, "Compile of the two points")->type_name(value::kId);
  auto *sideBySide = command->add_flag("-y,--side-by-side", arguments->isSideBySide,
                                       "Print two columns (default in terminals of at least 160 columns); not with --unified");
  command->add_flag("-u,--unified", arguments->isUnified, "Print one column; not with --side-by-side")->excludes(sideBySide);
  command->add_flag("--full", arguments->isFull, "Print every line in full");
  command->add_option("-c,--context", arguments->context, "Number of equal lines around a difference")
      ->type_name(value::kCount)
      ->capture_default_str();
  command->add_flag("--debug-info", request.text.debugInfo, "Show and compare debug information");
  command->add_flag("--attributes", request.text.attributes, "Show and compare attributes, and metadata of instructions");
  command->add_flag("--json", arguments->isJson, "Print one JSON object with every line");
  command->footer(helpFooter(
      "",
      {{ExitStatus::Done, "done, whether or not the code differs"},
       {ExitStatus::BadInput, "wrong usage, or a function, pipeline or point that the session does not have"}},
      {{"jitscope diff s.jitscope -f outer", "compare per-function and deferred"},
       {"jitscope diff s.jitscope -f outer -b separate,pre-link --stage before", "compare the code before it is optimized"},
       {"jitscope diff s.jitscope -f outer -b pass:sroa,pass:gvn --pipeline deferred", "compare two points of one pipeline"}}));
  command->callback([arguments, &status] {
    const base::Result<void> done = run(*arguments);
    status = done ? ExitStatus::Done : reportError(done.error());
  });
}

} // namespace jitscope::app
