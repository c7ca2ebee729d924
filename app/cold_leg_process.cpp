// SPDX-License-Identifier: GPL-3.0-or-later
#include "cold_leg_process.h"

#include "base/temporary_folder.h"
#include "runtime/id_registry.h"
#include "session/event_importer.h"
#include "session/session_reader.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <tuple>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::fail;
using base::Result;

namespace {

std::string tailOf(const fs::path &file) {
  constexpr std::size_t kMaxTail = 4000;
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return text.size() > kMaxTail ? "…" + text.substr(text.size() - kMaxTail) : text;
}

fs::path logIn(const base::TemporaryFolder &folder) { return folder.path() / "stderr"; }

/// Starts this command with other arguments; its standard error goes to the log in the folder, which stays locked as long as the
/// child lives.
Result<pid_t> spawnSelf(std::vector<std::string> arguments, const base::TemporaryFolder &folder) {
  std::vector<char *> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string &argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, logIn(folder).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (folder.lockDescriptor() >= 0) {
    // Onto itself: the copy is inherited (posix_spawn_file_actions_adddup2(3)).
    posix_spawn_file_actions_adddup2(&files, folder.lockDescriptor(), folder.lockDescriptor());
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, "/proc/self/exe", &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    return fail(ErrorCode::RuntimeProcess, fmt::format("the process of a cold leg could not be started: {}", std::strerror(error)));
  }
  return child;
}

/// Waits for the child; passes a stop on to it.
int waitFor(pid_t child, const std::atomic<bool> &stopRequested) {
  bool isTold = false;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (!isTold && stopRequested.load(std::memory_order_relaxed)) {
      ::kill(child, SIGTERM);
      isTold = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return status;
}

session::ImportIds importIdsFrom(runtime::IdRegistry &ids) {
  session::ImportIds importIds;
  importIds.function = [&ids](const event::FunctionEvent &function) {
    const base::FunctionId known = ids.findFunction(function.name, function.line, function.eager);
    // The registry announces what it adds.
    return session::AssignedId<base::FunctionId>{
        known.isValid() ? known : ids.addFunction(function.name, function.line, function.eager), false};
  };
  importIds.templateOf = [&ids](base::FunctionId function, const event::TemplateEvent &tmpl) {
    return session::AssignedId<base::TemplateId>{ids.templateOf(function, tmpl.signature), false};
  };
  importIds.newCall = [&ids] { return ids.nextCall(); };
  importIds.newCompile = [&ids] { return ids.nextCompile(); };
  return importIds;
}

} // namespace

Result<std::vector<script::Sample>> ColdLegProcess::takeOver(const std::string &sessionPath, const runtime::ColdLegRequest &request,
                                                             runtime::IdRegistry &ids) {
  Result<std::unique_ptr<session::SessionReader>> reader = session::SessionReader::open(sessionPath);
  if (!reader) {
    return std::unexpected(std::move(reader.error()).within("while reading what a cold leg recorded"));
  }
  const session::ImportRequest import{std::nullopt, request.caseId, request.sectionId, request.process};
  if (auto counts = session::importCase(**reader, import, importIdsFrom(ids), m_setup.sink); !counts) {
    return std::unexpected(std::move(counts.error()).within("while taking over what a cold leg recorded"));
  }
  std::vector<script::Sample> samples;
  session::CallFilter filter;
  filter.phase = event::CallPhase::Sample;
  const Result<void> read = (*reader)->eachCall(filter, [&](const event::CallEvent &call) -> Result<void> {
    samples.push_back({call.totalNs(), call.outcome});
    return {};
  });
  if (!read) {
    return std::unexpected(read.error());
  }
  return samples;
}

Result<std::vector<script::Sample>> ColdLegProcess::launch(const runtime::ColdLegRequest &request, runtime::IdRegistry &ids) {
  Result<base::TemporaryFolder> folder = base::TemporaryFolder::create();
  if (!folder) {
    return std::unexpected(std::move(folder.error()).within("while a cold leg was prepared"));
  }
  const fs::path sessionPath = folder->path() / "cold.jitscope";
  std::vector<std::string> arguments{
      "jitscope",
      "run",
      m_setup.scriptPath,
      "-o",
      sessionPath.string(),
      "--progress",
      "never",
      "--cold-leg",
      fmt::format("{},{},{}", request.target.bench, request.target.caseIndex, request.target.inputIndex),
      "--epoch",
      std::to_string(m_setup.epoch.monotonicNs),
      "--script-sha256",
      m_setup.scriptSha256,
      "--parent",
      std::to_string(::getpid())};
  arguments.insert(arguments.end(), m_setup.optionArguments.begin(), m_setup.optionArguments.end());
  const Result<pid_t> child = spawnSelf(std::move(arguments), *folder);
  if (!child) {
    return std::unexpected(child.error());
  }
  const int status = waitFor(*child, m_setup.stopRequested);
  if (m_setup.stopRequested.load(std::memory_order_relaxed)) {
    // What it had measured until then is kept; there may be nothing yet.
    std::ignore = takeOver(sessionPath, request, ids);
    return fail(ErrorCode::ScriptInterrupted, "interrupted while a cold leg was measured");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string end = WIFSIGNALED(status)
                                ? fmt::format("was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                                : fmt::format("ended with status {}", WEXITSTATUS(status));
    std::ignore = takeOver(sessionPath, request, ids);
    return fail(ErrorCode::RuntimeProcess, fmt::format("the process of the cold leg {}:\n{}", end, tailOf(logIn(*folder))));
  }
  return takeOver(sessionPath, request, ids);
}

} // namespace jitscope::app
