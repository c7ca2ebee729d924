// SPDX-License-Identifier: GPL-3.0-or-later
// What is made of sessions of a million calls: their comparison, reports and exports, as a user at a shell has them.
#include "support/sessions/measured_sessions.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <benchmark/benchmark.h>

namespace {

using namespace jitscope;

/// Two sessions of a million calls, made once and removed at the end.
class Sessions {
public:
  Sessions() : m_folder(std::filesystem::temp_directory_path() / ("jitscope-bench-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(m_folder);
    write("base.jitscope", 1);
    write("contender.jitscope", 2);
  }
  ~Sessions() { std::filesystem::remove_all(m_folder); }
  Sessions(const Sessions &) = delete;
  Sessions &operator=(const Sessions &) = delete;

  [[nodiscard]] std::string path(const char *name) const { return (m_folder / name).string(); }

private:
  void write(const char *name, std::uint64_t seed) const {
    constexpr std::size_t kSamples = 250'000;
    test::MeasuredSession plan;
    plan.seed = seed;
    plan.moreTemplates = 20;
    for (const char *kernel : {"small", "large"}) {
      plan.legs.push_back({.name = kernel, .leg = event::Leg::Cold, .samples = kSamples, .compiles = true});
      plan.legs.push_back({.name = kernel, .leg = event::Leg::Warm, .samples = kSamples});
    }
    if (const base::Result<void> written = test::writeMeasured(path(name), plan); !written) {
      std::fprintf(stderr, "%s\n", base::describe(written.error()).c_str());
      std::exit(1);
    }
  }
  std::filesystem::path m_folder;
};

const Sessions &sessions() {
  static const Sessions instance;
  return instance;
}

/// Runs the command with its output thrown away; counts its time, its peak memory and the size of `output`, if it writes one.
void runCommand(benchmark::State &state, const std::string &arguments, const std::string &output = {}) {
  const std::string command =
      std::string(JITSCOPE_COMMAND) + " " + arguments + (output.empty() ? "" : " -o " + output) + " >/dev/null";
  double peakMiB = 0;
  double cpuMs = 0;
  for (auto _ : state) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
      ::_exit(127);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      state.SkipWithError("the command failed");
      return;
    }
    peakMiB = static_cast<double>(usage.ru_maxrss) / 1024;
    const auto milliseconds = [](const timeval &time) {
      return static_cast<double>(time.tv_sec) * 1000 + static_cast<double>(time.tv_usec) / 1000;
    };
    cpuMs = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  }
  state.counters["peak_MiB"] = peakMiB;
  state.counters["cpu_ms"] = cpuMs; // of its last run, by which busy machines are compared
  if (!output.empty()) {
    state.counters["file_MiB"] = static_cast<double>(std::filesystem::file_size(output)) / (1024 * 1024);
  }
}

void version(benchmark::State &state) { runCommand(state, "--version"); }
BENCHMARK(version)->Unit(benchmark::kMillisecond)->UseRealTime();

void compare(benchmark::State &state) {
  runCommand(state, "compare " + sessions().path("base.jitscope") + " " + sessions().path("contender.jitscope"));
}
BENCHMARK(compare)->Unit(benchmark::kMillisecond)->UseRealTime();

void report(benchmark::State &state, const char *format) {
  runCommand(state, "report " + sessions().path("base.jitscope") + " -f " + format, sessions().path("report"));
}
BENCHMARK_CAPTURE(report, text, "text")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(report, html, "html")->Unit(benchmark::kMillisecond)->UseRealTime();

void exportAs(benchmark::State &state, const char *format) {
  runCommand(state, "export " + sessions().path("base.jitscope") + " -f " + format, sessions().path("export"));
}
BENCHMARK_CAPTURE(exportAs, trace, "chrome-trace")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(exportAs, csv, "csv")->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
