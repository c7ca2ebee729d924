// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/study_command.h"

#include "commands/report_command.h"
#include "commands/shared_options.h"
#include "manual/help_text.h"
#include "manual/value_type.h"
#include "output/message.h"
#include "output/output_path.h"
#include "process/child_process.h"
#include "run/activity_line.h"
#include "run/module_study_process.h"
#include "run/session_recording.h"
#include "run/stop_watcher.h"

#include "base/clock.h"
#include "base/temporary_folder.h"
#include "base/try.h"
#include "event/activity.h"
#include "event/sink.h"
#include "pipeline/pipeline.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/dispatch/id_registry.h"
#include "runtime/engine_options.h"
#include "runtime/study/module_study.h"
#include "runtime/study/study_plan.h"
#include "session/file/session_info.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

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

/// What the command says at its end.
ExitStatus conclude(const StudyArguments &arguments, const std::filesystem::path &path, const Result<void> &studied,
                    StopWatcher &stop) {
  if (arguments.isInProcess) {
    return studied ? ExitStatus::Done : reportError(studied.error());
  }
  // Before the report where the study was stopped: that may be long, and there is little time.
  const bool isStopped = !studied && studied.error().code == base::ErrorCode::ScriptInterrupted;
  if (isStopped) {
    reportError(studied.error());
    stop.wasTold();
  }
  // Where the modules could not be used there is nothing to report on.
  const bool hasResult = studied || statusFor(studied.error().code) != ExitStatus::BadInput;
  const ExitStatus reported =
      hasResult ? writeReport({path.string(), arguments.asJson ? "json" : "text", {}, false}) : ExitStatus::BadInput;
  const ExitStatus status = studied ? reported : isStopped ? statusFor(studied.error().code) : reportError(studied.error());
  say(fmt::format("Session: {}\n", path.string()));
  return status;
}

/// What cannot be read leaves no session, and one that is there already stays: so nothing is written before the modules were read.
Result<void> checkInput(const StudyArguments &arguments, const runtime::ModuleStudyRequest &request,
                        const std::filesystem::path &path, base::ClockEpoch epoch, StopWatcher &stop) {
  if (std::error_code unknown; !arguments.overwrites && std::filesystem::exists(path, unknown)) {
    return {}; // the recorder says what is wrong with that
  }
  event::NullSink sink;
  event::ActivityBoard activities;
  Children children;
  ProgressDisplay display({ProgressMode::Never, stdout});
  return ModuleStudyProcess({epoch, sink, display, {stop.stopRequested(), activities, children}}).check(request);
}

/// A study on its way, in this process or in one of its own.
class Study {
public:
  Study(const StudyArguments &arguments, runtime::ModuleStudyRequest request, const base::Clock &clock, base::ClockEpoch epoch,
        record::Recorder &recorder, StopWatcher &stop)
      : m_arguments(arguments), m_request(std::move(request)), m_clock(clock), m_recorder(recorder), m_stop(stop), m_ids(recorder),
        m_reporter(m_activities),
        m_display({progressModeFrom(arguments.isInProcess ? "never" : arguments.progress), stdout, &m_activities}),
        m_process({epoch, recorder, m_display, {stop.stopRequested(), m_activities, m_children}}) {}

  Result<void> run() {
    m_request.section = m_ids.nextSection();
    m_recorder.record(event::SectionEvent{m_request.section, "", m_clock.nowNs()});
    Result<std::vector<script::StudyPipeline>> outcome;
    if (m_arguments.isInProcess) {
      StepPrinter steps;
      outcome = runtime::studyModules(m_request, {m_clock, m_recorder, m_ids, steps, m_stop.stopRequested(), &m_activities});
    } else {
      outcome = m_process.launch(m_request, m_ids);
    }
    m_stop.comeBack();
    if (outcome) {
      return {};
    }
    if (m_stop.stopRequested()) {
      return std::unexpected(interrupted(std::move(outcome.error())));
    }
    return std::unexpected(std::move(outcome.error()));
  }

  /// Whatever is seen of it while it runs.
  StopWatcher::Guard guard(std::function<ExitStatus(const Result<void> &)> end) {
    return {.onStop = [this] { noteUnderWay(); },
            .onTick =
                [this] {
                  if (m_arguments.isInProcess) {
                    m_reporter.look();
                  }
                },
            .takeOver =
                [this, end = std::move(end)](const std::optional<base::Error> & /*limit*/) {
                  m_display.silence();
                  m_children.endAll();
                  return end(std::unexpected(
                      interrupted({base::ErrorCode::ScriptInterrupted, "interrupted while pipelines were studied", {}})));
                }};
  }

private:
  void noteUnderWay() {
    const std::lock_guard lock(m_mutex);
    m_underWay = event::describe(m_activities.activities());
  }
  /// The error with what was under way and why it had to end.
  base::Error interrupted(base::Error error) const {
    const std::lock_guard lock(m_mutex);
    error.context.insert(error.context.end(), m_underWay.begin(), m_underWay.end());
    error.context.push_back(m_stop.reason());
    return error;
  }

  const StudyArguments &m_arguments;
  runtime::ModuleStudyRequest m_request;
  const base::Clock &m_clock;
  record::Recorder &m_recorder;
  StopWatcher &m_stop;
  runtime::IdRegistry m_ids;
  event::ActivityBoard m_activities;
  ActivityReporter m_reporter;
  Children m_children;
  ProgressDisplay m_display;
  ModuleStudyProcess m_process;
  mutable std::mutex m_mutex;
  std::vector<std::string> m_underWay; ///< guarded by `m_mutex`
};

ExitStatus run(const StudyArguments &arguments) {
  if (!arguments.isInProcess) {
    base::TemporaryFolder::removeAbandoned();
  }
  StopWatcher stop({.timeoutSeconds = arguments.timeoutSeconds});
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
  Result<std::unique_ptr<record::Recorder>> recorder = startRecording(
      path, sessionInfoFor(arguments, *request, *clock),
      {.overwrites = arguments.overwrites, .isDurable = !arguments.isInProcess, .summarizes = !arguments.isInProcess}, stop);
  if (!recorder) {
    return reportError(recorder.error());
  }
  const auto end = [&](const Result<void> &studied) {
    record::SessionEnd last;
    last.endNs = clock->nowNs();
    if (!studied) {
      const bool isStopped = studied.error().code == base::ErrorCode::ScriptInterrupted;
      last.status = isStopped ? record::SessionStatus::Interrupted : record::SessionStatus::Failed;
      last.error = base::describe(studied.error());
    }
    stop.nowDoing("the session was written");
    if (const Result<void> finished = (*recorder)->finish(last); !finished) {
      return reportError(finished.error());
    }
    stop.nowDoing("the report was made; the session is complete, and jitscope report shows it");
    return conclude(arguments, path, studied, stop);
  };
  stop.nowDoing("pipelines were studied");
  Study study(arguments, *request, *clock, epoch, **recorder, stop);
  stop.guard(study.guard(end));
  return end(study.run());
}

} // namespace

void addStudyCommand(CLI::App &app, ExitStatus &status) {
  auto arguments = std::make_shared<StudyArguments>();
  CLI::App *command = app.add_subcommand("study", "Compile LLVM modules under several pipelines and compare the results");
  command->add_option("MODULE", arguments->modules, "LLVM modules (.bc or .ll); they are optimized and never executed")
      ->type_name(value::kModule)
      ->required();
  command->add_option("--root", arguments->root, "Function to start from, by symbol or by name")
      ->type_name(value::kSymbol)
      ->default_str("the only function that no other refers to");
  command->add_option("--pipelines", arguments->pipelines, "Pipelines to compare, separated by commas")
      ->type_name(value::kPipelines)
      ->delimiter(',')
      ->default_str(fmt::format("{}", fmt::join(pipeline::pipelineNames(), ",")));
  command->add_option("--triple", arguments->triple, "Target to compile for")
      ->type_name(value::kTriple)
      ->default_str("the modules' own, or this machine's");
  command->add_option("--cpu", arguments->cpu, "CPU to compile for; it overrides the CPUs that the functions name")
      ->type_name(value::kCpu)
      ->default_str("the CPU that the functions name, or this machine's");
  command
      ->add_option("--repetitions", arguments->repetitions,
                   "Number of compiles to time, 0 to 1000, besides the one recorded in detail")
      ->type_name(value::kCount)
      ->check(CLI::Range(0, 1000).description(""))
      ->capture_default_str();
  addSettingOption(*command, arguments->settings);
  command->add_option("-o,--output", arguments->output, "Session file to write")
      ->type_name(value::kSession)
      ->default_str("MODULE-DATE-TIME.jitscope in the current folder");
  command->add_flag("--overwrite", arguments->overwrites, kOverwriteHelp);
  command->add_flag("--json", arguments->asJson, "Print the summary as one JSON object");
  addProgressOption(*command, arguments->progress);
  command->add_option("--timeout", arguments->timeoutSeconds, "Stop the study after this time; 0: never")
      ->type_name(value::kSeconds)
      ->check(checkSeconds)
      ->capture_default_str();
  command->add_flag("--in-process", arguments->isInProcess)->group("");
  command->add_flag("--check", arguments->isCheck)->group("");
  command->add_option("--epoch", arguments->epochNs)->group("");
  command->add_option("--line", arguments->line)->group("");
  command->footer(
      helpFooter(kStopHelp, {{ExitStatus::Done, "done"}, {ExitStatus::Failed, "the study failed or was interrupted"}, kBadInput},
                 {{"jitscope study a.bc b.ll --root main_loop", "compare all pipelines on what main_loop reaches"},
                  {"jitscope study a.bc --pipelines per-function,deferred --cpu skylake", "compare two, for another CPU"}}));
  command->callback([arguments, &status] { status = run(*arguments); });
}

} // namespace jitscope::app
