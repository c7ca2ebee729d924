// SPDX-License-Identifier: GPL-3.0-or-later
#include "child_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

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

/// The child's standard output as lines, read without waiting.
class LineReader {
public:
  LineReader(int descriptor, const std::function<void(std::string_view)> &onLine) : m_descriptor(descriptor), m_onLine(onLine) {
    if (m_descriptor >= 0) {
      ::fcntl(m_descriptor, F_SETFL, O_NONBLOCK);
    }
  }
  ~LineReader() {
    if (m_descriptor >= 0) {
      ::close(m_descriptor);
    }
  }
  LineReader(const LineReader &) = delete;
  LineReader &operator=(const LineReader &) = delete;

  void drain() {
    std::array<char, 4096> buffer{};
    for (ssize_t count = 1; m_descriptor >= 0 && count > 0;) {
      count = ::read(m_descriptor, buffer.data(), buffer.size());
      m_text.append(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    }
    for (std::size_t end = m_text.find('\n'); end != std::string::npos; end = m_text.find('\n')) {
      m_onLine(std::string_view(m_text).substr(0, end));
      m_text.erase(0, end + 1);
    }
  }

private:
  int m_descriptor;
  const std::function<void(std::string_view)> &m_onLine;
  std::string m_text;
};

/// Starts the program; its standard output goes to `output` where that is a descriptor.
Result<pid_t> spawn(const ChildRequest &request, int output) {
  const std::string program = request.program.empty() ? "/proc/self/exe" : request.program.string();
  std::vector<std::string> arguments{request.program.empty() ? "jitscope" : request.program.filename().string()};
  arguments.insert(arguments.end(), request.arguments.begin(), request.arguments.end());
  std::vector<char *> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string &argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, request.log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (output >= 0) {
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  } else if (request.logsOutput) {
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  if (request.inheritedDescriptor >= 0) {
    // Onto itself: the copy is inherited (posix_spawn_file_actions_adddup2(3)).
    posix_spawn_file_actions_adddup2(&files, request.inheritedDescriptor, request.inheritedDescriptor);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    return fail(ErrorCode::RuntimeProcess, fmt::format("a child process could not be started: {}", std::strerror(error)));
  }
  return child;
}

} // namespace

std::string ChildEnd::description() const {
  return WIFSIGNALED(waitStatus)
             ? fmt::format("was ended by signal {} ({})", WTERMSIG(waitStatus), ::strsignal(WTERMSIG(waitStatus)))
             : fmt::format("ended with status {}", WEXITSTATUS(waitStatus));
}

Result<ChildEnd> runChild(const ChildRequest &request) {
  std::array<int, 2> pipe{-1, -1};
  if (request.onLine && ::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    return fail(ErrorCode::RuntimeProcess, fmt::format("no pipe to a child process: {}", std::strerror(errno)));
  }
  LineReader lines(pipe[0], request.onLine);
  const Result<pid_t> child = spawn(request, request.onLine ? pipe[1] : request.outputDescriptor);
  if (pipe[1] >= 0) {
    ::close(pipe[1]);
  }
  if (!child) {
    return std::unexpected(child.error());
  }
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); };
  const Clock::time_point start = Clock::now();
  std::optional<Clock::time_point> toldAt;
  ChildEnd end;
  while (::waitpid(*child, &end.waitStatus, WNOHANG) == 0) {
    lines.drain();
    if (!toldAt && request.stopRequested.load(std::memory_order_relaxed)) {
      ::kill(*child, SIGTERM);
      toldAt = Clock::now();
    }
    const bool isOutOfPatience = toldAt && request.patienceSeconds > 0 && since(*toldAt) > request.patienceSeconds;
    const bool isOverLimit = request.limitSeconds > 0 && since(start) > request.limitSeconds;
    if (!end.wasKilled && (isOutOfPatience || isOverLimit)) {
      ::kill(*child, SIGKILL);
      end.wasKilled = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  lines.drain();
  end.messages = tailOf(request.log);
  return end;
}

} // namespace jitscope::app
