// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/child_process.h"

#include "base/process.h"
#include "base/temporary_folder.h"

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

/// What the child does between fork and exec, prepared before: it may only make system calls then.
struct Start {
  const char *program = nullptr;
  char *const *arguments = nullptr;
  const char *log = nullptr;
  int output = -1; ///< standard output; -1: see `logsOutput`
  bool logsOutput = false;
  int inherited = -1; ///< stays open
  int deathSignal = SIGKILL;
  pid_t parent = 0;
  int error = 0; ///< why it could not become the program; written by the child, which shares this memory
};

/// Makes `from` the descriptor `to`.
bool place(int from, int to) { return from >= 0 && ::dup2(from, to) >= 0; }

[[noreturn]] void become(Start &start) {
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  const bool isTied = base::endWithParent(start.deathSignal, start.parent);
  const int log = ::open(start.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const int output = start.output >= 0 ? start.output : start.logsOutput ? log : nothing;
  const bool isPlaced = place(nothing, STDIN_FILENO) && place(output, STDOUT_FILENO) && place(log, STDERR_FILENO);
  if (start.inherited >= 0) {
    ::fcntl(start.inherited, F_SETFD, 0);
  }
  if (isTied && isPlaced) {
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execve(start.program, start.arguments, environ);
  }
  start.error = errno;
  ::_exit(127);
}

/// As fork, but the parent stands still until the child has become the program: nothing is copied, however much memory there is.
/// posix_spawn would do the same, and cannot tie the child to this thread. Not inlined: the child must not touch its caller's
/// frame.
[[gnu::noinline]] pid_t forkInto(Start &start) {
  const pid_t child = ::vfork(); // NOLINT(clang-analyzer-security.insecureAPI.vfork): the child only makes system calls
  if (child == 0) {
    become(start);
  }
  return child;
}

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
  Start start{.program = program.c_str(),
              .arguments = argv.data(),
              .log = request.log.c_str(),
              .output = output,
              .logsOutput = request.logsOutput,
              .inherited = request.folder == nullptr ? -1 : request.folder->lockDescriptor(),
              .deathSignal = request.deathSignal,
              .parent = ::getpid()};
  // No handler of this process may run in the child, which shares its memory for a moment.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t child = forkInto(start);
  const int error = child < 0 ? errno : start.error;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (child > 0 && error != 0) {
    ::waitpid(child, nullptr, 0);
  }
  if (child < 0 || error != 0) {
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

void Children::endAll() {
  const std::lock_guard lock(m_mutex);
  for (const Child &child : m_children) {
    ::kill(child.process, SIGKILL);
    std::error_code ignored;
    if (!child.folder.empty()) {
      fs::remove_all(child.folder, ignored);
    }
  }
}

/// Enters a child among its siblings for as long as its number is its own.
class RunningChild {
public:
  RunningChild(pid_t process, const ChildRequest &request) : m_process(process), m_siblings(request.siblings) {
    if (m_siblings != nullptr) {
      const std::lock_guard lock(m_siblings->m_mutex);
      m_siblings->m_children.push_back({process, request.folder == nullptr ? fs::path() : request.folder->path()});
    }
  }
  ~RunningChild() { leave(); }
  RunningChild(const RunningChild &) = delete;
  RunningChild &operator=(const RunningChild &) = delete;

  /// Whether it has ended; `waitStatus` says how then.
  bool hasEnded(int &waitStatus) {
    if (m_siblings == nullptr) {
      return ::waitpid(m_process, &waitStatus, WNOHANG) != 0;
    }
    const std::lock_guard lock(m_siblings->m_mutex);
    const bool ended = ::waitpid(m_process, &waitStatus, WNOHANG) != 0;
    if (ended) {
      // From here on the number may be another process's.
      std::erase_if(m_siblings->m_children, [this](const Children::Child &child) { return child.process == m_process; });
    }
    return ended;
  }

private:
  void leave() {
    if (m_siblings != nullptr) {
      const std::lock_guard lock(m_siblings->m_mutex);
      std::erase_if(m_siblings->m_children, [this](const Children::Child &child) { return child.process == m_process; });
    }
  }

  pid_t m_process;
  Children *m_siblings;
};

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
  RunningChild running(*child, request);
  while (!running.hasEnded(end.waitStatus)) {
    lines.drain();
    if (request.onTick) {
      request.onTick();
    }
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
