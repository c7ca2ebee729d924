// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/script_run.h"

#include "process/child_process.h"
#include "run/activity_line.h"
#include "run/cold_leg_process.h"
#include "run/module_study_process.h"
#include "run/recorded_findings.h"
#include "run/session_recording.h"
#include "run/stop_watcher.h"

#include "base/clock.h"
#include "base/temporary_folder.h"
#include "base/try.h"
#include "event/activity.h"
#include "jit/disk_cache.h"
#include "record/batch_writer.h"
#include "record/recorder.h"
#include "runtime/bench/call_overhead.h"
#include "runtime/dispatch/compiler.h"
#include "runtime/engine.h"
#include "script/lua_script.h"
#include "session/file/session_info.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <utility>

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

/// Beyond a limit on Lua's time so much, a script is ended from outside.
constexpr std::uint64_t kLimitGraceNs = 300'000'000;

/// Everything of a run that lives as long as the script runs.
class Run {
public:
  Run(const RunRequest &request, const script::ScriptSource &source, const base::Clock &clock, base::ClockEpoch epoch,
      StopWatcher &stop, record::Recorder &recorder)
      : m_request(request), m_source(source), m_stop(stop), m_clock(clock), m_recorder(recorder), m_reporter(m_activities),
        m_display({request.coldTarget ? ProgressMode::Never : request.progress, request.scriptOutput, &m_activities}),
        m_coldLegs({request.scriptPath.string(),
                    source.sha256,
                    request.optionArguments,
                    epoch,
                    recorder,
                    {stop.stopRequested(), m_activities, m_children}}),
        m_moduleStudies({epoch, recorder, m_display, {stop.stopRequested(), m_activities, m_children}}),
        m_findings(request.sessionPath, recorder, stop.stopRequested()) {}

  /// The script to its end. `failedExpectations` and `coldLegDone` hold afterwards.
  Result<void> run() {
    runtime::EngineSetup setup{.clock = m_clock,
                               .sink = m_recorder,
                               .observer = m_display,
                               .stopRequested = m_stop.stopRequested(),
                               .coldLegs = &m_coldLegs,
                               .moduleStudies = &m_moduleStudies,
                               .findings = &m_findings,
                               .options = m_request.options,
                               .scriptPath = m_source.name,
                               .version = JITSCOPE_VERSION,
                               .coldTarget = m_request.coldTarget,
                               .seed = m_request.seed,
                               .activities = &m_activities};
    if (Result<std::filesystem::path> folder = jit::DiskCache::defaultFolder()) {
      setup.diskFolder = std::move(*folder);
    }
    JITSCOPE_TRY(const std::unique_ptr<runtime::Engine> engine, runtime::Engine::create(std::move(setup)));
    script::LuaScript script(m_source, *engine, m_stop.stopRequested(), luaOptionsFor(m_request));
    m_script = &script;
    m_stop.guard({.onStop = [this] { noteUnderWay(); },
                  .onTick = [this] { tick(); },
                  .overrun = [this] { return m_script.load()->overrun(kLimitGraceNs); },
                  .takeOver = [this](std::optional<Error> limit) { return m_takeOver(std::move(limit)); }});
    Result<void> result = script.run();
    m_stop.comeBack();
    m_failedExpectations = engine->failedExpectations();
    m_coldLegDone = engine->coldLegDone();
    return result;
  }

  /// What ends the run where `run` does not come back; see `StopWatcher::Guard`.
  void setTakeOver(std::function<ExitStatus(std::optional<Error>)> takeOver) { m_takeOver = std::move(takeOver); }
  /// Takes away what others would stumble over, for a run that does not come back. Says where it is: the limit that it has passed,
  /// or what it was doing when it was stopped.
  Error abandon(std::optional<Error> limit) {
    m_display.silence();
    m_children.endAll();
    if (limit) {
      return *std::move(limit);
    }
    const script::LuaScript::Place place = m_script.load()->place();
    Error error{ErrorCode::ScriptInterrupted, place.line + "interrupted" + (place.what.empty() ? "" : " during " + place.what),
                event::describe(m_activities.activities())};
    return error;
  }

  [[nodiscard]] std::uint64_t failedExpectations() const { return m_failedExpectations; }
  [[nodiscard]] bool coldLegDone() const { return m_coldLegDone; }
  /// What was under way when the stop was asked for, one line each.
  [[nodiscard]] std::vector<std::string> underWay() const {
    const std::lock_guard lock(m_mutex);
    return m_underWay;
  }

private:
  void noteUnderWay() {
    std::vector<std::string> lines = event::describe(m_activities.activities());
    const std::lock_guard lock(m_mutex);
    m_underWay = std::move(lines);
  }
  void tick() {
    if (m_request.coldTarget) {
      m_reporter.look();
    }
  }

  const RunRequest &m_request;
  const script::ScriptSource &m_source;
  StopWatcher &m_stop;
  const base::Clock &m_clock;
  record::Recorder &m_recorder;
  event::ActivityBoard m_activities;
  ActivityReporter m_reporter; ///< used in the process of a cold leg
  Children m_children;
  ProgressDisplay m_display;
  ColdLegProcess m_coldLegs;
  ModuleStudyProcess m_moduleStudies;
  RecordedFindings m_findings;
  std::function<ExitStatus(std::optional<Error>)> m_takeOver;
  std::atomic<const script::LuaScript *> m_script = nullptr;
  mutable std::mutex m_mutex;
  std::vector<std::string> m_underWay; ///< guarded by `m_mutex`
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
    std::vector<std::string> lines = run.underWay();
    std::ranges::move(lines, std::back_inserter(verdict.error->context));
    if (const std::string reason = stop.reason(); !reason.empty()) {
      verdict.error->context.push_back(reason);
    }
  }
  verdict.end.error = base::describe(*verdict.error);
  return verdict;
}

/// Ends the session; what went wrong with the file outweighs what it led to.
RunOutcome finish(const RunRequest &request, record::Recorder &recorder, const record::SessionEnd &end, RunOutcome outcome) {
  if (Result<void> finished = recorder.finish(end); !finished) {
    return failure(
        std::move(finished.error()).within(fmt::format("what was recorded before is in {}", request.sessionPath.string())), true);
  }
  return outcome;
}

} // namespace

ExitStatus runScript(const RunRequest &request, const RunConclusion &conclude) {
  StopWatcher stop({.timeoutSeconds = request.timeoutSeconds});
  const Result<script::ScriptSource> source = script::loadScript(request.scriptPath, {.maxBytes = request.options.scriptFileBytes});
  if (!source) {
    return conclude(failure(source.error(), false), stop);
  }
  if (!request.expectedSha256.empty() && source->sha256 != request.expectedSha256) {
    return conclude(
        failure(
            {ErrorCode::ScriptUnreadable, source->name + " was changed while it ran: a cold leg would measure another script", {}},
            false),
        stop);
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
    return conclude(failure(std::move(recorder.error()), false), stop);
  }
  Verdict verdict;
  RunOutcome outcome{.status = ExitStatus::Done, .hasSession = true};
  stop.nowDoing("the script ran");
  {
    Run run(request, *source, *clock, epoch, stop, **recorder);
    run.setTakeOver([&](std::optional<Error> limit) {
      const record::SessionStatus status = limit ? record::SessionStatus::Failed : record::SessionStatus::Interrupted;
      Error error = run.abandon(std::move(limit));
      if (status == record::SessionStatus::Interrupted) {
        error.context.push_back(stop.reason());
      }
      const record::SessionEnd end{status, base::describe(error), clock->nowNs()};
      return conclude(finish(request, **recorder, end, {ExitStatus::Failed, std::move(error), true}), stop);
    });
    const Result<void> result = run.run();
    verdict = verdictOn(result, run, stop, clock->nowNs());
    // Once the script runs, whatever ends it is its failure, an option that it asked for in vain too.
    outcome.status = verdict.error || run.failedExpectations() > 0 ? ExitStatus::Failed : ExitStatus::Done;
  }
  outcome.error = std::move(verdict.error);
  stop.nowDoing("the session was written");
  outcome = finish(request, **recorder, verdict.end, std::move(outcome));
  if (stop.stopRequested() && !outcome.error && !request.coldTarget) {
    outcome.status = ExitStatus::Failed;
    outcome.error = interruptedWhile("the session was written", stop);
  }
  stop.nowDoing("the report was made; the session is complete, and jitscope report shows it");
  return conclude(outcome, stop);
}

} // namespace jitscope::app
