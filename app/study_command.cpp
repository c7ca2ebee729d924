// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_command.h"

#include "argument_checks.h"
#include "message.h"
#include "module_study_process.h"
#include "output_path.h"
#include "report_command.h"
#include "session_recording.h"
#include "stop_watcher.h"

#include "base/clock.h"
#include "base/temporary_folder.h"
#include "base/try.h"
#include "event/sink.h"
#include "pipeline/pipeline.h"
#include "runtime/compiler.h"
#include "runtime/engine_options.h"
#include "runtime/id_registry.h"
#include "runtime/module_study.h"
#include "runtime/study_plan.h"
#include "session/session_info.h"

#include <csignal>
#include <filesystem>
#include <memory>

#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::app {

using base::Result;

namespace {

struct StudyArguments {
  std::vector<std::string> modules;
  std::string root;
  std::string triple;
  std::string cpu;
  std::vector<std::string> pipelines;
  std::vector<std::string> settings;
  std::uint32_t repetitions = 5;
  std::string output;
  bool overwrites = false;
  bool asJson = false;
  std::string progress = "auto";
  double timeoutSeconds = 0;
  // Of the process that does the work.
  bool isInProcess = false;
  bool isCheck = false;
  std::uint64_t epochNs = 0;
  int parent = 0;
  int line = 0;
};

Result<runtime::ModuleStudyRequest> requestFrom(const StudyArguments &arguments) {
  runtime::EngineOptions options;
  for (const std::string &setting : arguments.settings) {
    JITSCOPE_TRY_VOID(runtime::setOptionFromText(options, setting));
  }
  if (!arguments.cpu.empty()) {
    options.dispatch.compile.cpu = arguments.cpu;
  }
  JITSCOPE_TRY(const std::vector<std::string> pipelines, runtime::studiedPipelines(arguments.pipelines));
  runtime::ModuleStudyRequest request;
  request.modules = {arguments.modules, arguments.root, arguments.triple};
  request.pipelines = pipelines;
  request.repetitions = arguments.repetitions;
  request.options = options.dispatch.compile;
  request.observation = options.dispatch.observation;
  request.line = arguments.line;
  return request;
}

session::SessionInfo sessionInfoFor(const StudyArguments &arguments, const runtime::ModuleStudyRequest &request,
                                    const base::Clock &clock) {
  session::SessionInfo info = session::describeThisMachine();
  info.llvmVersion = runtime::llvmVersion();
  info.scriptPath = arguments.modules.back();
  if (arguments.modules.size() > 1) {
    info.scriptPath += fmt::format(" and {} more", arguments.modules.size() - 1);
  }
  info.commandLine = fmt::format("jitscope study {}", fmt::join(arguments.modules, " "));
  runtime::EngineOptions options;
  options.dispatch.compile = request.options;
  options.dispatch.observation = request.observation;
  info.options = optionsAsJson(options);
  info.clockReadNs = base::measureReadNs(clock);
  return info;
}

/// The study itself, in this process or in one of its own.
Result<void> study(const StudyArguments &arguments, runtime::ModuleStudyRequest request, const base::Clock &clock,
                   base::ClockEpoch epoch, record::Recorder &recorder, StopWatcher &stop) {
  runtime::IdRegistry ids(recorder);
  request.section = ids.nextSection();
  recorder.record(event::SectionEvent{request.section, "", clock.nowNs()});
  Result<std::vector<script::StudyPipeline>> outcome;
  if (arguments.isInProcess) {
    StepPrinter steps;
    outcome = runtime::studyModules(request, {clock, recorder, ids, steps, stop.stopRequested()});
  } else {
    ProgressDisplay display({progressModeFrom(arguments.progress), stdout});
    outcome = ModuleStudyProcess({epoch, recorder, display, stop.stopRequested()}).launch(request, ids);
  }
  return outcome ? Result<void>() : std::unexpected(std::move(outcome.error()));
}

/// What cannot be read leaves no session, and one that is there already stays: so nothing is written before the modules were read.
Result<void> checkInput(const StudyArguments &arguments, const runtime::ModuleStudyRequest &request,
                        const std::filesystem::path &path, base::ClockEpoch epoch, StopWatcher &stop) {
  if (std::error_code unknown; !arguments.overwrites && std::filesystem::exists(path, unknown)) {
    return {}; // the recorder says what is wrong with that
  }
  event::NullSink sink;
  ProgressDisplay display({ProgressMode::Never, stdout});
  return ModuleStudyProcess({epoch, sink, display, stop.stopRequested()}).check(request);
}

ExitStatus run(const StudyArguments &arguments) {
  if (arguments.isInProcess) {
    // Whoever wanted this is gone: nobody is there to report to.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  } else {
    base::TemporaryFolder::removeAbandoned();
  }
  StopWatcher stop({.timeoutSeconds = arguments.timeoutSeconds});
  if (arguments.parent != 0 && ::getppid() != arguments.parent) {
    stop.request("the process that wanted the study had ended before it began");
  }
  const Result<runtime::ModuleStudyRequest> request = requestFrom(arguments);
  if (!request) {
    return reportError(request.error());
  }
  if (arguments.isCheck) {
    const Result<void> sound = runtime::checkModules(*request);
    return sound ? ExitStatus::Done : reportError(sound.error());
  }
  const base::ClockEpoch epoch = arguments.epochNs != 0 ? base::ClockEpoch{arguments.epochNs} : base::ClockEpoch::now();
  const std::unique_ptr<base::Clock> clock = base::makeClock(epoch);
  const std::filesystem::path path =
      arguments.output.empty() ? defaultSessionPath(arguments.modules.back()) : std::filesystem::path(arguments.output);
  if (!arguments.isInProcess) {
    if (Result<void> sound = checkInput(arguments, *request, path, epoch, stop); !sound) {
      if (const std::string reason = stop.reason(); !reason.empty()) {
        sound.error().context.push_back(reason);
      }
      return reportError(sound.error());
    }
  }
  Result<std::unique_ptr<record::Recorder>> recorder =
      startRecording(path, sessionInfoFor(arguments, *request, *clock),
                     {.overwrites = arguments.overwrites, .isDurable = !arguments.isInProcess}, stop);
  if (!recorder) {
    return reportError(recorder.error());
  }
  Result<void> studied = study(arguments, *request, *clock, epoch, **recorder, stop);
  record::SessionEnd end;
  end.endNs = clock->nowNs();
  if (!studied) {
    const std::string reason = stop.reason();
    if (!reason.empty()) {
      studied.error().context.push_back(reason);
    }
    end.status = stop.stopRequested() ? record::SessionStatus::Interrupted : record::SessionStatus::Failed;
    end.error = base::describe(studied.error());
  }
  if (const Result<void> finished = (*recorder)->finish(end); !finished) {
    return reportError(finished.error());
  }
  if (arguments.isInProcess) {
    return studied ? ExitStatus::Done : reportError(studied.error());
  }
  // Where the modules could not be used there is nothing to report on.
  const bool hasResult = studied || statusFor(studied.error().code) != ExitStatus::BadInput;
  const ExitStatus reported =
      hasResult ? writeReport({path.string(), arguments.asJson ? "json" : "text", {}, false}) : ExitStatus::BadInput;
  const ExitStatus status = studied ? reported : reportError(studied.error());
  say(fmt::format("Session: {}\n", path.string()));
  return status;
}

} // namespace

void addStudyCommand(CLI::App &app, ExitStatus &status) {
  auto arguments = std::make_shared<StudyArguments>();
  CLI::App *command = app.add_subcommand("study", "Compile LLVM modules under every pipeline and show what each makes of them");
  command->add_option("modules", arguments->modules, "Modules, .bc or .ll; they are optimized and never executed")->required();
  command->add_option("--root", arguments->root,
                      "Function to start from, by symbol or name (default: the one function that no other refers to)");
  command
      ->add_option(
          "--pipelines", arguments->pipelines,
          fmt::format("Pipelines to compare, separated by commas (default: {})", fmt::join(pipeline::pipelineNames(), ",")))
      ->delimiter(',');
  command->add_option("--triple", arguments->triple, "Target to compile for (default: the modules' own, or this machine's)");
  command->add_option("--cpu", arguments->cpu,
                      "CPU to compile for, whatever the functions say themselves (default: the one that they name, or native)");
  command->add_option("--repetitions", arguments->repetitions, "Compiles to time, beside the one that is recorded in detail")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--set", arguments->settings, "Set an option, NAME=VALUE, as for run; may be given several times")
      ->allow_extra_args(false);
  command->add_option("-o,--output", arguments->output,
                      "Session file to write (default: MODULE-DATE-TIME.jitscope in this folder)");
  command->add_flag("--overwrite", arguments->overwrites,
                    "Replace the session file if it is there; other files are never replaced");
  command->add_flag("--json", arguments->asJson, "Print the summary as one JSON object");
  command->add_option("--progress", arguments->progress, "Progress on standard error: auto (on a terminal), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->add_option("--timeout", arguments->timeoutSeconds, "Stop the study after so many seconds (0: never)")
      ->check(checkSeconds)
      ->capture_default_str();
  command->add_flag("--in-process", arguments->isInProcess)->group("");
  command->add_flag("--check", arguments->isCheck)->group("");
  command->add_option("--epoch", arguments->epochNs)->group("");
  command->add_option("--parent", arguments->parent)->group("");
  command->add_option("--line", arguments->line)->group("");
  command->callback([arguments, &status] { status = run(*arguments); });
}

} // namespace jitscope::app
