// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_process.h"

#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace jitscope::app {

namespace {

void addStream(posix_spawn_file_actions_t &files, int stream, const std::filesystem::path &path) {
  if (path.empty()) {
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0);
  } else {
    posix_spawn_file_actions_addopen(&files, stream, path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  }
}

} // namespace

base::Result<pid_t> spawnSelf(std::vector<std::string> arguments, const ChildStreams &streams) {
  std::vector<char *> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string &argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  addStream(files, STDOUT_FILENO, streams.output);
  addStream(files, STDERR_FILENO, streams.errors);
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
    return base::fail(base::ErrorCode::RuntimeProcess, fmt::format("the process could not be started: {}", std::strerror(error)));
  }
  return child;
}

ChildEnd waitFor(pid_t child, const std::atomic<bool> &stopRequested, std::optional<std::chrono::duration<double>> limit) {
  const auto start = std::chrono::steady_clock::now();
  bool isTold = false;
  ChildEnd end;
  while (::waitpid(child, &end.waitStatus, WNOHANG) == 0) {
    if (!isTold && stopRequested.load(std::memory_order_relaxed)) {
      ::kill(child, SIGTERM);
      isTold = true;
    }
    if (!end.wasKilled && limit && std::chrono::steady_clock::now() - start > *limit) {
      ::kill(child, SIGKILL);
      end.wasKilled = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return end;
}

std::string tailOf(const std::filesystem::path &file) {
  constexpr std::size_t kMaxTail = 4000;
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  if (text.size() <= kMaxTail) {
    return text;
  }
  // Whole lines, so that no character is cut in two; of one endless line what there is room for.
  const std::size_t line = text.find('\n', text.size() - kMaxTail);
  return "…\n" + text.substr(line == std::string::npos ? text.size() - kMaxTail : line + 1);
}

} // namespace jitscope::app
