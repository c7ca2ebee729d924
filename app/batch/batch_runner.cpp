// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/batch_runner.h"

#include "commands/compare_command.h"
#include "process/child_process.h"

#include "analysis/findings/findings.h"
#include "base/units.h"
#include "session/file/session_info.h"
#include "session/session_reader.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

#include <sys/wait.h>

#include <fmt/format.h>

namespace jitscope::app {

namespace fs = std::filesystem;
using report::ScriptResult;
using report::ScriptState;
using session::SessionReader;

namespace {

/// A run ends within a second of its limit, or of a signal; what is still there after that is stuck, or the machine is.
constexpr double kOverrunSeconds = 2;
/// How long one that was told to stop may take when the batch itself is to end within that second.
constexpr double kPatienceSeconds = 0.9;

} // namespace

std::vector<ScriptResult> BatchRunner::run(const std::vector<BatchScript> &scripts) {
  std::vector<ScriptResult> results(scripts.size());
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> done{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < scripts.size(); i = next++) {
      results[i] = runScript(scripts[i]);
      tell(fmt::format("[{}/{}] {}: {} ({})", ++done, scripts.size(), scripts[i].path, results[i].verdict(),
                       base::formatDuration(results[i].seconds * 1e9)));
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < std::min(m_options.jobs, scripts.size()); ++i) {
      threads.emplace_back(work);
    }
    work();
  }
  return results;
}

void BatchRunner::tell(const std::string &line) const {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  m_progress(line);
}

ScriptResult BatchRunner::runScript(const BatchScript &script) const {
  ScriptResult result;
  result.script = script.path;
  result.name = script.name;
  if (m_stopRequested.load(std::memory_order_relaxed)) {
    result.message = "the batch was stopped before";
    return result;
  }
  const fs::path session = m_options.folder / (script.name + ".jitscope");
  result.startedUtc = session::utcNow();
  runOnce(script, session, result);
  std::error_code ignored;
  if (fs::exists(session, ignored)) {
    result.session = session.string();
    readSession(result);
  }
  if (m_options.baseline != nullptr && result.state == ScriptState::Finished) {
    compareWithBaseline(script, result);
  }
  return result;
}

void BatchRunner::runOnce(const BatchScript &script, const fs::path &session, ScriptResult &result) const {
  const fs::path log = fs::path(session).replace_extension(".log");
  std::ofstream(log, std::ios::trunc).close();
  std::error_code ignored;
  // What an earlier batch left must not pass for what this one recorded.
  if (fs::exists(session, ignored) && !fs::remove(session, ignored)) {
    result.message = fmt::format("the session {} of an earlier batch cannot be removed", session.string());
    return;
  }
  std::vector<std::string> arguments{"run", script.path, "-o", session.string(), "--progress", "never"};
  double limitSeconds = 0;
  if (m_options.timeoutSeconds > 0) {
    arguments.insert(arguments.end(), {"--timeout", fmt::format("{}", m_options.timeoutSeconds)});
    limitSeconds = m_options.timeoutSeconds + kOverrunSeconds;
  }
  arguments.insert(arguments.end(), m_options.runArguments.begin(), m_options.runArguments.end());
  const auto start = std::chrono::steady_clock::now();
  const base::Result<ChildEnd> ended = runChild({.arguments = std::move(arguments),
                                                 .log = log,
                                                 .stopRequested = m_stopRequested,
                                                 .logsOutput = true,
                                                 .deathSignal = SIGTERM, // it finishes its session, and has a limit for that
                                                 .patienceSeconds = kPatienceSeconds,
                                                 .limitSeconds = limitSeconds});
  if (!ended) {
    result.message = ended.error().message;
    return;
  }
  const ChildEnd &end = *ended;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.output = end.messages;
  const double overrun = result.seconds - m_options.timeoutSeconds;
  const bool isOverdue = m_options.timeoutSeconds > 0 && overrun >= 0;
  const bool hasFailed = WIFEXITED(end.waitStatus) && WEXITSTATUS(end.waitStatus) != 0;
  if (isOverdue && (end.wasKilled || hasFailed || overrun >= kOverrunSeconds)) {
    result.state = ScriptState::TimedOut;
    result.message = fmt::format("did not end within {:g} seconds (it ended {:.2f} s later{})", m_options.timeoutSeconds, overrun,
                                 end.wasKilled ? ", killed" : "");
  } else if (end.wasKilled) {
    result.state = ScriptState::Failed;
    result.message = "the batch was stopped, and it did not end in time";
  } else if (WIFSIGNALED(end.waitStatus)) {
    result.state = ScriptState::Crashed;
    result.message = "its process " + end.description();
  } else {
    // Failed expectations are a status of their own; the session tells them from a script that failed.
    result.state = WEXITSTATUS(end.waitStatus) == 0 ? ScriptState::Finished : ScriptState::Failed;
    result.message = result.state == ScriptState::Failed ? end.description() : "";
  }
}

void BatchRunner::readSession(ScriptResult &result) const {
  const auto give = [&result](const base::Error &error) {
    result.state = result.state == ScriptState::Finished ? ScriptState::Failed : result.state;
    result.message = error.message;
  };
  const base::Result<std::unique_ptr<SessionReader>> reader = SessionReader::open(result.session);
  if (!reader) {
    give(reader.error());
    return;
  }
  const session::SessionRow &row = (*reader)->session();
  result.host = row.info.host;
  result.llvmVersion = row.info.llvmVersion;
  if (result.state == ScriptState::Failed && row.status == record::SessionStatus::Finished) {
    result.state = ScriptState::Finished;
    result.message.clear();
  } else if (result.state == ScriptState::Failed && !row.error.empty()) {
    // The lines behind the first say where it was met; the log has them.
    result.message = row.error.substr(0, row.error.find('\n'));
  }
  base::Result<std::vector<event::ExpectationEvent>> expectations = (*reader)->expectations();
  if (!expectations) {
    give(expectations.error());
    return;
  }
  result.expectations = *std::move(expectations);
  base::Result<std::vector<analysis::Finding>> findings = analysis::readFindings(**reader);
  if (!findings) {
    give(findings.error());
    return;
  }
  for (analysis::Finding &finding : *findings) {
    const bool isForbidden = analysis::isForbidden(finding, m_options.failOn);
    result.findings.push_back({std::move(finding), isForbidden});
  }
  result.forbiddenKinds = analysis::kindsOf(m_options.failOn);
  base::Result<analysis::LoopSummary> loops = analysis::readLoopSummary(**reader, {}, analysis::LoopScope::All);
  if (!loops) {
    give(loops.error());
    return;
  }
  std::ranges::copy_if(loops->findings, std::back_inserter(result.scalarLoops), [](const analysis::LoopFinding &finding) {
    return finding.loop.state == event::LoopState::Scalar || finding.loop.state == event::LoopState::Interleaved;
  });
}

void BatchRunner::compareWithBaseline(const BatchScript &script, ScriptResult &result) const {
  const std::optional<fs::path> base = m_options.baseline->sessionFor(script);
  if (!base) {
    result.baselineProblem = "new: there is no baseline for it";
    return;
  }
  base::Result<analysis::Comparison> comparison = compareFiles(*base, result.session, m_options.compare);
  if (!comparison) {
    result.state = ScriptState::Failed;
    result.message = fmt::format("it cannot be compared: {}", comparison.error().message);
    return;
  }
  result.comparison = *std::move(comparison);
  confirm(script, *base, result);
}

void BatchRunner::confirm(const BatchScript &script, const fs::path &base, ScriptResult &result) const {
  // What the sessions lack, such as samples, they would lack again.
  const auto isInDoubt = [&result] {
    const analysis::Comparison &comparison = *result.comparison;
    return comparison.legVerdicts().slower > 0 || (comparison.insufficient.empty() && !comparison.possiblySlower().empty());
  };
  for (std::size_t i = 1; i <= m_options.confirmations && isInDoubt(); ++i) {
    if (m_stopRequested.load(std::memory_order_relaxed)) {
      return;
    }
    tell(fmt::format("{}: {}; measuring again ({} of {})", script.path, result.verdict(), i, m_options.confirmations));
    // In a folder of their own: who merges or keeps the batch's sessions has each script once.
    const fs::path folder = m_options.folder / "again";
    std::error_code ignored;
    fs::create_directory(folder, ignored);
    const fs::path session = folder / fmt::format("{}-{}.jitscope", script.name, i);
    ScriptResult again;
    runOnce(script, session, again);
    result.seconds += again.seconds;
    const base::Result<analysis::Comparison> comparison = compareFiles(base, session, m_options.compare);
    // A run that broke confirms nothing and refutes nothing.
    if (comparison && comparison->contender.session.status == record::SessionStatus::Finished) {
      result.comparison->confirmBy(*comparison);
    }
  }
}

} // namespace jitscope::app
