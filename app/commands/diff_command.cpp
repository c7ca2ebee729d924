// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/diff_command.h"

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
  CLI::App *command = app.add_subcommand("diff", "Compare what two pipelines, or two passes, made of a function");
  command->add_option("session", arguments->session, "Session file (.jitscope)")->required();
  command->add_option("-f,--function", request.function, "Function: its name, the last part of it, or a part that no other has")
      ->required();
  command->add_option("-b,--between", arguments->between,
                      "Two pipelines (default: per-function,deferred, or the first two there are), or two points of one "
                      "pipeline: stage:before,stage:final or pass:12,pass:40 or pass:sroa,pass:gvn");
  command
      ->add_option("--stage", request.point,
                   "Where two pipelines are compared: final, before, a stage, the number or name of a pass; LEFT,RIGHT for "
                   "different ones")
      ->capture_default_str();
  command->add_option("--pipeline", request.pipeline, "Of two points: the pipeline they belong to");
  command->add_option("--study", request.study, "Only code of this study (default: the latest that has both)");
  command->add_option("--compile", request.compile, "Of two points: only code of this compile");
  auto *sideBySide = command->add_flag("-y,--side-by-side", arguments->isSideBySide,
                                       "Two columns (the default in terminals of 160 columns and more)");
  command->add_flag("-u,--unified", arguments->isUnified, "One column")->excludes(sideBySide);
  command->add_flag("--full", arguments->isFull, "Fold nothing and cut no line");
  command->add_option("-c,--context", arguments->context, "Equal lines around a difference")->capture_default_str();
  command->add_flag("--debug-info", request.text.debugInfo, "Show and compare debug information");
  command->add_flag("--attributes", request.text.attributes, "Show and compare attributes, and metadata of instructions");
  command->add_flag("--json", arguments->isJson, "Print one JSON object with every line");
  command->callback([arguments, &status] {
    const base::Result<void> done = run(*arguments);
    status = done ? ExitStatus::Done : reportError(done.error());
  });
}

} // namespace jitscope::app
