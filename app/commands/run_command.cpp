// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/run_command.h"

#include "commands/report_command.h"
#include "commands/shared_options.h"
#include "manual/help_text.h"
#include "manual/value_type.h"
#include "output/message.h"
#include "output/output_path.h"
#include "run/script_run.h"
#include "run/stop_watcher.h"

#include "base/try.h"
#include "lower/target.h"
#include "pipeline/pipeline.h"
#include "runtime/engine_options.h"

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace jitscope::app {

namespace {

struct RunArguments {
  std::string script;
  std::string output;
  std::string pipeline;
  std::vector<std::string> settings;
  bool overwrites = false;
  bool asJson = false;
  bool extended = false;
  std::string progress = "auto";
  double timeoutSeconds = 0;
  std::vector<std::string> failOn;
  std::string seed;    ///< empty: benches keep the script's order
  std::string coldLeg; ///< "bench,case,input" in the process of a cold leg
  std::uint64_t epochNs = 0;
  std::string scriptSha256; ///< what the script of a cold leg must be
};

/// What a compile would refuse is refused before there is a session.
base::Result<void> checkCompileOptions(const lower::CompileOptions &options) {
  JITSCOPE_TRY_VOID(pipeline::makePipeline(options.pipeline));
  if (options.cpu == "native") {
    return {};
  }
  const base::Result<lower::TargetSpec> target = lower::hostTarget(options.cpu);
  base::Result<void> fits = target ? lower::checkRunsHere(*target) : std::unexpected(target.error());
  if (!fits) {
    fits.error().code = base::ErrorCode::RuntimeOption;
  }
  return fits;
}

/// The options as the command line gives them, and the arguments that give them to a child.
base::Result<RunRequest> requestFrom(const RunArguments &arguments) {
  RunRequest request;
  if (arguments.script.empty()) {
    return base::fail(base::ErrorCode::RuntimeOption, "the script has no name: run takes the path of a graph script");
  }
  request.scriptPath = arguments.script;
  std::vector<std::string> settings = arguments.settings;
  if (!arguments.pipeline.empty()) {
    settings.push_back("pipeline=" + arguments.pipeline);
  }
  for (const std::string &setting : settings) {
    JITSCOPE_TRY_VOID(runtime::setOptionFromText(request.options, setting));
    request.optionArguments.insert(request.optionArguments.end(), {"--set", setting});
  }
  JITSCOPE_TRY_VOID(checkCompileOptions(request.options.dispatch.compile));
  if (!arguments.seed.empty()) {
    request.seed = seedFrom(arguments.seed);
  }
  request.timeoutSeconds = arguments.timeoutSeconds;
  request.progress = progressModeFrom(arguments.progress);
  request.overwrites = arguments.overwrites;
  request.scriptOutput = arguments.asJson ? stderr : stdout;
  if (!arguments.coldLeg.empty()) {
    runtime::ColdTarget target;
    if (std::sscanf(arguments.coldLeg.c_str(), "%u,%u,%u", &target.bench, &target.caseIndex, &target.inputIndex) != 3) {
      return base::fail(base::ErrorCode::RuntimeOption, "--cold-leg takes BENCH,CASE,INPUT");
    }
    request.coldTarget = target;
  }
  request.expectedSha256 = arguments.scriptSha256;
  if (arguments.epochNs != 0) {
    request.epoch = base::ClockEpoch{arguments.epochNs};
  }
  return request;
}

ExitStatus run(const RunArguments &arguments, const std::string &commandLine) {
  base::Result<RunRequest> request = requestFrom(arguments);
  if (!request) {
    return reportError(request.error());
  }
  request->commandLine = commandLine;
  if (request->seed) {
    request->commandLine += fmt::format(" --seed {}", *request->seed);
    if (!request->coldTarget) {
      say(fmt::format("Benches measure in an order shuffled with --seed {}\n", *request->seed));
    }
  }
  request->sessionPath = arguments.output.empty() ? defaultSessionPath(arguments.script) : std::filesystem::path(arguments.output);
  return runScript(*request, [&](const RunOutcome &outcome, StopWatcher &stop) {
    if (!outcome.hasSession || request->coldTarget) {
      return outcome.error ? reportError(*outcome.error) : outcome.status;
    }
    // Before the report where the run was stopped: that may be long, and there is little time.
    const bool isStopped = outcome.error && outcome.error->code == base::ErrorCode::ScriptInterrupted;
    if (isStopped) {
      reportError(*outcome.error);
      stop.wasTold();
    }
    // The session is the truth: what is shown is read back from it.
    std::fflush(stdout);
    const ExitStatus reported = writeReport({.session = request->sessionPath,
                                             .format = arguments.asJson ? "json" : "text",
                                             .extended = arguments.extended,
                                             .failOn = gatesFrom(arguments.failOn)});
    if (outcome.error && !isStopped) {
      reportError(*outcome.error);
    }
    say(fmt::format("Session: {}\n", request->sessionPath.string()));
    return outcome.status != ExitStatus::Done ? outcome.status : reported;
  });
}

std::string optionHelp() {
  std::string text = "Options for --set (a script sets most of them with options{}):\n";
  for (const runtime::OptionDescription &option : runtime::describeOptions({})) {
    text += helpEntry(option.name, fmt::format("{} (default: {})", option.help, option.value));
  }
  return text + "\n";
}

} // namespace

void addRunCommand(CLI::App &app, ExitStatus &status) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App *command = app.add_subcommand("run", "Run a graph script, record a session and report on it");
  command->add_option("SCRIPT", arguments->script, "Graph script (.lua)")->type_name(value::kScript)->required();
  command->add_option("-o,--output", arguments->output, "Session file to write")
      ->type_name(value::kSession)
      ->default_str("SCRIPT-DATE-TIME.jitscope in the current folder");
  command->add_flag("--overwrite", arguments->overwrites, kOverwriteHelp);
  addSettingOptions(*command, arguments->settings, arguments->pipeline, "see below");
  command->add_flag("--json", arguments->asJson,
                    "Print the summary as one JSON object; what the script prints goes to standard error");
  command->add_flag("--extended", arguments->extended, kExtendedHelp);
  addProgressOption(*command, arguments->progress);
  command->add_option("--timeout", arguments->timeoutSeconds, "Stop the run after this time; 0: never")
      ->type_name(value::kSeconds)
      ->check(checkSeconds)
      ->capture_default_str();
  addFailOnOption(*command, arguments->failOn);
  command->add_option("--seed", arguments->seed, kSeedHelp)->type_name(value::kSeed)->check(checkSeed);
  command->add_option("--cold-leg", arguments->coldLeg)->group("");
  command->add_option("--epoch", arguments->epochNs)->group("");
  command->add_option("--script-sha256", arguments->scriptSha256)->group("");
  command->footer(helpFooter(
      optionHelp() + kStopHelp,
      {{ExitStatus::Done, "done"},
       {ExitStatus::Failed,
        "an expectation failed, there is a finding that --fail-on forbids, or the script failed or was interrupted"},
       kBadInput},
      {{"jitscope run axpy.lua -o axpy.jitscope", "run a script and name its session"},
       {"jitscope run axpy.lua --pipeline per-function --set opt=2", "run it with other options"},
       {"jitscope run axpy.lua --fail-on storm,made-anew:0.5", "fail if one of these findings costs more than half a second"},
       {"jitscope run axpy.lua --timeout 60 --json > axpy.json", "stop after a minute; print JSON for a program"}}));
  command->callback([arguments, &status] {
    std::string commandLine = "jitscope run " + arguments->script;
    for (const std::string &setting : arguments->settings) {
      commandLine += " --set " + setting;
    }
    if (!arguments->pipeline.empty()) {
      commandLine += " --pipeline " + arguments->pipeline;
    }
    status = run(*arguments, commandLine);
  });
}

} // namespace jitscope::app
