// SPDX-License-Identifier: GPL-3.0-or-later
// The whole process of a run of one call, beside the same command when it only prints its version: what loading the libraries
// costs.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include <benchmark/benchmark.h>

namespace {

namespace fs = std::filesystem;

void runProcess(benchmark::State &state, const std::string &command) {
  for (auto _ : state) {
    if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) {
      state.SkipWithError("the command failed");
      return;
    }
  }
}

void versionOnly(benchmark::State &state) { runProcess(state, JITSCOPE_COMMAND " --version"); }
BENCHMARK(versionOnly)->Unit(benchmark::kMillisecond)->UseRealTime();

void runOfOneCall(benchmark::State &state) {
  const fs::path folder = fs::temp_directory_path() / ("jitscope-bench-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "one.lua")
      << "local f = fn('f', function(a, b) return a * b + 1 end)\nf(iota({64}, 'f32'), iota({64}, 'f32'))\n";
  runProcess(state,
             JITSCOPE_COMMAND " run " + (folder / "one.lua").string() + " --overwrite -o " + (folder / "one.jitscope").string());
  fs::remove_all(folder);
}
BENCHMARK(runOfOneCall)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
