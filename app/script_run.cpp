// SPDX-License-Identifier: GPL-3.0-or-later
#include "script_run.h"

#include "cold_leg_process.h"
#include "module_study_process.h"
#include "session_recording.h"
#include "stop_watcher.h"

#include "base/clock.h"
#include "base/temporary_folder.h"
#include "base/try.h"
#include "jit/disk_cache.h"
#include "record/batch_writer.h"
#include "record/recorder.h"
#include "runtime/call_overhead.h"
#include "runtime/compiler.h"
#include "runtime/engine.h"
#include "script/lua_script.h"
#include "session/session_info.h"

#include <csignal>

#include <sys/prctl.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

/// Takes batches and keeps nothing: the overhead of recording is measured against a queue like the run's own.
class DiscardingWriter final : public record::BatchWriter {
public:
  Result<void> write(const record::Batch & /*batch*/) override { return {}; }
  Result<void> finish(const record::SessionEnd & /*end*/) override { return {}; }
};

double measuredOverheadNs(const base::Clock &clock) {
  Result<std::unique_ptr<record::Recorder>> recorder = record::Recorder::start(std::make_unique<DiscardingWriter>());
  return recorder ? runtime::measureCallOverheadNs(clock, **recorder) : 0;
}

session::SessionInfo sessionInfoFor(const RunRequest &request, const script::ScriptSource &source, const base::Clock &clock) {
  session::SessionInfo info = session::describeThisMachine();
  info.llvmVersion = runtime::llvmVersion();
  info.scriptPath = request.scriptPath.string();
  info.scriptSha256 = source.sha256;
  info.scriptText = source.text;
  info.commandLine = request.commandLine;
  info.options = optionsAsJson(request.options);
  info.clockReadNs = base::measureReadNs(clock);
  info.callOverheadNs = measuredOverheadNs(clock);
  return info;
}

script::LuaOptions luaOptionsFor(const RunRequest &request) {
  script::LuaOptions options;
  options.limits.memoryBytes = request.options.luaMemoryBytes;
  options.limits.traceNs = request.options.traceNs;
  options.limits.callDepth = static_cast<std::uint32_t>(request.options.callDepth);
  options.limits.graphOperations = static_cast<std::uint32_t>(request.options.graphOperations);
  return options;
}

/// Everything of a run that lives as long as the script runs.
class Run {
public:
  Run(const RunRequest &request, const script::ScriptSource &source, const base::Clock &clock, base::ClockEpoch epoch,
      StopWatcher &stop, record::Recorder &recorder)
      : m_request(request), m_source(source), m_stop(stop), m_clock(clock), m_recorder(recorder),
        m_display({request.coldTarget ? ProgressMode::Never : request.progress, request.scriptOutput}),
        m_coldLegs({request.scriptPath.string(), source.sha256, request.optionArguments, epoch, recorder, stop.stopRequested()}),
        m_moduleStudies({epoch, recorder, m_display, stop.stopRequested()}) {}

  /// The script to its end. `failedExpectations` and `coldLegDone` hold afterwards.
  Result<void> run() {
    runtime::EngineSetup setup{
        m_clock,       m_recorder,       m_display, m_stop.stopRequested(), &m_coldLegs,   &m_moduleStudies, m_request.options,
        m_source.name, JITSCOPE_VERSION, {},        m_request.coldTarget,   m_request.seed};
    if (Result<std::filesystem::path> folder = jit::DiskCache::defaultFolder()) {
      setup.diskFolder = std::move(*folder);
    }
    JITSCOPE_TRY(std::unique_ptr<runtime::Engine> engine, runtime::Engine::create(std::move(setup)));
    Result<void> result;
    {
      script::LuaScript script(m_source, *engine, m_stop.stopRequested(), luaOptionsFor(m_request));
      result = script.run();
    }
    m_failedExpectations = engine->failedExpectations();
    m_coldLegDone = engine->coldLegDone();
    return result;
  }

  [[nodiscard]] std::uint64_t failedExpectations() const { return m_failedExpectations; }
  [[nodiscard]] bool coldLegDone() const { return m_coldLegDone; }

private:
  const RunRequest &m_request;
  const script::ScriptSource &m_source;
  StopWatcher &m_stop;
  const base::Clock &m_clock;
  record::Recorder &m_recorder;
  ProgressDisplay m_display;
  ColdLegProcess m_coldLegs;
  ModuleStudyProcess m_moduleStudies;
  std::uint64_t m_failedExpectations = 0;
  bool m_coldLegDone = false;
};

RunOutcome failure(Error error, bool hasSession) {
  const ExitStatus status = statusFor(error.code);
  return {status, std::move(error), hasSession};
}

/// How the run ended, as the session and the shell are told.
struct Verdict {
  record::SessionEnd end;
  std::optional<Error> error;
};

Verdict verdictOn(const Result<void> &result, const Run &run, const StopWatcher &stop, std::uint64_t nowNs) {
  Verdict verdict;
  verdict.end.endNs = nowNs;
  if (result || run.coldLegDone()) {
    return verdict;
  }
  verdict.error = result.error();
  verdict.end.status = record::SessionStatus::Failed;
  if (stop.stopRequested() || result.error().code == ErrorCode::ScriptInterrupted) {
    verdict.end.status = record::SessionStatus::Interrupted;
    if (const std::string reason = stop.reason(); !reason.empty()) {
      verdict.error->context.push_back(reason);
    }
  }
  verdict.end.error = base::describe(*verdict.error);
  return verdict;
}

} // namespace

RunOutcome runScript(const RunRequest &request) {
  if (request.coldTarget) {
    // A cold leg whose parent is gone has nobody to report to.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  StopWatcher stop({.timeoutSeconds = request.timeoutSeconds});
  if (request.coldTarget && request.parentProcess != 0 && ::getppid() != request.parentProcess) {
    stop.request("the run that wanted the cold leg had ended before it began");
  }
  const Result<script::ScriptSource> source = script::loadScript(request.scriptPath, {.maxBytes = request.options.scriptFileBytes});
  if (!source) {
    return failure(source.error(), false);
  }
  if (!request.expectedSha256.empty() && source->sha256 != request.expectedSha256) {
    return failure(
        {ErrorCode::ScriptUnreadable, source->name + " was changed while it ran: a cold leg would measure another script", {}},
        false);
  }
  if (!request.coldTarget) {
    // What earlier runs had to leave behind because they were killed.
    base::TemporaryFolder::removeAbandoned();
  }
  const base::ClockEpoch epoch = request.epoch.value_or(base::ClockEpoch::now());
  const std::unique_ptr<base::Clock> clock = base::makeClock(epoch);
  Result<std::unique_ptr<record::Recorder>> recorder =
      startRecording(request.sessionPath, sessionInfoFor(request, *source, *clock),
                     {.overwrites = request.overwrites, .isDurable = !request.coldTarget, .summarizes = !request.coldTarget}, stop);
  if (!recorder) {
    return failure(std::move(recorder.error()), false);
  }
  Verdict verdict;
  ExitStatus status = ExitStatus::Done;
  {
    Run run(request, *source, *clock, epoch, stop, **recorder);
    const Result<void> result = run.run();
    verdict = verdictOn(result, run, stop, clock->nowNs());
    // Once the script runs, whatever ends it is its failure, an option that it asked for in vain too.
    status = verdict.error || run.failedExpectations() > 0 ? ExitStatus::Failed : ExitStatus::Done;
  }
  if (Result<void> finished = (*recorder)->finish(verdict.end); !finished) {
    // What went wrong with the file outweighs what it led to.
    return failure(
        std::move(finished.error()).within(fmt::format("what was recorded before is in {}", request.sessionPath.string())), true);
  }
  return {status, std::move(verdict.error), true};
}

} // namespace jitscope::app
