// SPDX-License-Identifier: GPL-3.0-or-later
// What recording costs: one call on the calling thread, calls a second into a file, bytes of file a call. Each beside a baseline.
#include "analysis/summary.h"
#include "event/sink.h"
#include "record/batch_writer.h"
#include "record/recorder.h"
#include "session/session_reader.h"
#include "session/session_writer.h"

#include <benchmark/benchmark.h>
#include <sqlite3.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace jitscope;

constexpr std::uint64_t kSustainedCalls = 2'000'000;

/// A hit as a benchmark's inner loop makes them: a few contexts, times of some microseconds, a session that runs for seconds.
event::CallEvent makeCall(std::uint64_t number, std::uint32_t thread = 0) {
  event::CallEvent call;
  call.id = base::CallId(number + 1);
  call.templateId = base::TemplateId(static_cast<std::uint32_t>(1 + number % 2));
  call.sectionId = base::SectionId(1);
  call.caseId = base::CaseId(static_cast<std::uint32_t>(1 + number % 2));
  call.leg = event::Leg::Warm;
  call.phase = event::CallPhase::Sample;
  call.thread = thread;
  call.startNs = 5'000'000'000 + number * 1000;
  call.lookupNs = 60 + number * 13 % 90;
  call.executeNs = 400 + number * 31 % 5000;
  return call;
}

/// What the calls of `makeCall` refer to; a session without it is not opened.
std::vector<event::Event> makeReferences() {
  std::vector<event::Event> events{event::SectionEvent{base::SectionId(1), "calls", 0},
                                   event::FunctionEvent{base::FunctionId(1), "kernel", 1, false}};
  for (std::uint32_t id = 1; id <= 2; ++id) {
    events.emplace_back(event::TemplateEvent{base::TemplateId(id), base::FunctionId(1), id == 1 ? "f32[8]" : "f32[16]"});
    events.emplace_back(event::BenchCaseEvent{base::CaseId(id), 1, id == 1 ? "small" : "large", "", base::FunctionId(1), 0, 0, 1});
  }
  return events;
}

class DiscardingWriter final : public record::BatchWriter {
public:
  base::Result<void> write(const record::Batch &batch) override {
    benchmark::DoNotOptimize(batch.calls.data());
    return {};
  }
  base::Result<void> finish(const record::SessionEnd & /*end*/) override { return {}; }
};

std::filesystem::path scratchFile(const char *name) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / (std::string("jitscope-bench-") + std::to_string(getpid()) + "-" + name);
  for (const char *suffix : {"", "-wal", "-shm"}) {
    std::filesystem::remove(path.string() + suffix);
  }
  return path;
}

template <typename T> T expectValue(base::Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", base::describe(result.error()).c_str());
    std::exit(1);
  }
  return *std::move(result);
}

void expectDone(const base::Result<void> &result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", base::describe(result.error()).c_str());
    std::exit(1);
  }
}

/// Baseline: the virtual call alone.
void emptySink(benchmark::State &state) {
  event::NullSink null;
  event::Sink *sink = &null;
  benchmark::DoNotOptimize(sink);
  std::uint64_t number = 0;
  for (auto _ : state) {
    sink->call(makeCall(number++));
  }
}
BENCHMARK(emptySink);

/// Baseline: a copy into memory that is there already.
void vectorPushBack(benchmark::State &state) {
  std::vector<event::CallEvent> calls;
  calls.reserve(record::Recorder::Options{}.callsPerLane);
  std::uint64_t number = 0;
  for (auto _ : state) {
    if (calls.size() == calls.capacity()) {
      calls.clear();
    }
    calls.push_back(makeCall(number++));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(vectorPushBack);

std::unique_ptr<record::Recorder> sharedRecorder;

/// The queue alone: the writer thread takes the batches and forgets them. Threads use thread numbers of their own.
void recorderCall(benchmark::State &state) {
  if (state.thread_index() == 0) {
    sharedRecorder = expectValue(record::Recorder::start(std::make_unique<DiscardingWriter>()));
  }
  const auto thread = static_cast<std::uint32_t>(state.thread_index());
  std::uint64_t number = std::uint64_t{thread} << 40U;
  for (auto _ : state) {
    sharedRecorder->call(makeCall(number++, thread));
  }
  if (state.thread_index() == 0) {
    state.counters["waits"] = static_cast<double>(sharedRecorder->waits());
    expectDone(sharedRecorder->finish({}));
  }
}
BENCHMARK(recorderCall);
BENCHMARK(recorderCall)->Threads(2)->UseRealTime();
BENCHMARK(recorderCall)->Threads(4)->UseRealTime();

/// The whole recorder with a session file: bursts that fit the queue, timed on the calling thread while the writer thread writes.
void recorderCallIntoFile(benchmark::State &state) {
  constexpr std::uint64_t kBurst = 6000;
  const std::filesystem::path path = scratchFile("burst.jitscope");
  auto recorder =
      expectValue(record::Recorder::start(expectValue(session::SessionWriter::create(path, session::describeThisMachine()))));
  std::uint64_t number = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t i = 0; i < kBurst; ++i) {
      recorder->call(makeCall(number++));
    }
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / kBurst);
    std::this_thread::sleep_for(std::chrono::milliseconds(8));
  }
  state.counters["waits"] = static_cast<double>(recorder->waits());
  expectDone(recorder->finish({}));
  std::filesystem::remove(path);
}
BENCHMARK(recorderCallIntoFile)->UseManualTime()->Iterations(300);

/// As many calls as go through, up to the last byte in the file.
void sustainedIntoFile(benchmark::State &state) {
  const std::filesystem::path path = scratchFile("sustained.jitscope");
  double queued = 0;
  for (auto _ : state) {
    std::filesystem::remove(path);
    auto recorder =
        expectValue(record::Recorder::start(expectValue(session::SessionWriter::create(path, session::describeThisMachine()))));
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t number = 0; number < kSustainedCalls; ++number) {
      recorder->call(makeCall(number));
    }
    queued += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    expectDone(recorder->finish({}));
  }
  const auto calls = static_cast<double>(kSustainedCalls);
  state.SetItemsProcessed(static_cast<std::int64_t>(kSustainedCalls) * state.iterations());
  state.counters["calls_per_s_while_recording"] = calls * static_cast<double>(state.iterations()) / queued;
  state.counters["bytes_per_call"] = static_cast<double>(std::filesystem::file_size(path)) / calls;
  std::filesystem::remove(path);
}
BENCHMARK(sustainedIntoFile)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);

void execute(sqlite3 *database, const char *sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    std::fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    std::exit(1);
  }
}

/// Baseline: the contract's 15 columns as a row each, written on the calling thread, a transaction each 10,000 calls.
void naiveRowsIntoFile(benchmark::State &state) {
  const std::filesystem::path path = scratchFile("naive.sqlite");
  for (auto _ : state) {
    std::filesystem::remove(path);
    sqlite3 *database = nullptr;
    sqlite3_open(path.c_str(), &database);
    execute(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
                      "CREATE TABLE call(id INTEGER PRIMARY KEY, template_id, section_id, case_id, leg, phase, thread, process, "
                      "start_ns, lookup_ns, wait_ns, compile_ns, execute_ns, total_ns, outcome)");
    sqlite3_stmt *insert = nullptr;
    sqlite3_prepare_v2(database, "INSERT INTO call VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", -1, &insert, nullptr);
    for (std::uint64_t number = 0; number < kSustainedCalls; ++number) {
      if (number % 10'000 == 0) {
        execute(database, number == 0 ? "BEGIN" : "COMMIT; BEGIN");
      }
      const event::CallEvent call = makeCall(number);
      const auto bind = [&](int index, std::uint64_t value) {
        sqlite3_bind_int64(insert, index, static_cast<sqlite3_int64>(value));
      };
      bind(1, call.id.value);
      bind(2, call.templateId.value);
      bind(3, call.sectionId.value);
      bind(4, call.caseId.value);
      sqlite3_bind_text(insert, 5, "warm", -1, SQLITE_STATIC);
      sqlite3_bind_text(insert, 6, "sample", -1, SQLITE_STATIC);
      bind(7, call.thread);
      bind(8, call.process);
      bind(9, call.startNs);
      bind(10, call.lookupNs);
      bind(11, call.waitNs);
      bind(12, call.compileNs);
      bind(13, call.executeNs);
      bind(14, call.totalNs());
      sqlite3_bind_text(insert, 15, "hit", -1, SQLITE_STATIC);
      if (sqlite3_step(insert) != SQLITE_DONE) {
        std::fprintf(stderr, "%s\n", sqlite3_errmsg(database));
        std::exit(1);
      }
      sqlite3_reset(insert);
    }
    execute(database, "COMMIT");
    sqlite3_finalize(insert);
    execute(database, "PRAGMA wal_checkpoint(TRUNCATE)");
    sqlite3_close(database);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kSustainedCalls) * state.iterations());
  state.counters["bytes_per_call"] = static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(kSustainedCalls);
  std::filesystem::remove(path);
}
BENCHMARK(naiveRowsIntoFile)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);

/// Peak resident memory of this process so far, in MiB.
double peakMemoryMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// From the path of a finished session of a million calls to its summary, structure check included.
void summarizeMillion(benchmark::State &state) {
  constexpr std::uint64_t kCalls = 1'000'000;
  constexpr std::uint64_t kBatch = 10'000;
  const std::filesystem::path path = scratchFile("summary.jitscope");
  {
    auto writer = expectValue(session::SessionWriter::create(path, session::describeThisMachine()));
    expectDone(writer->write({makeReferences(), {}}));
    std::vector<event::CallEvent> calls;
    for (std::uint64_t number = 0; number < kCalls; ++number) {
      calls.push_back(makeCall(number));
      if (calls.size() == kBatch) {
        expectDone(writer->write({{}, calls}));
        calls.clear();
      }
    }
    expectDone(writer->finish({}));
  }
  const double before = peakMemoryMiB();
  for (auto _ : state) {
    const auto reader = expectValue(session::SessionReader::open(path));
    benchmark::DoNotOptimize(expectValue(analysis::summarize(*reader)).calls);
  }
  state.counters["peak_MiB_more"] = peakMemoryMiB() - before;
  std::filesystem::remove(path);
}
BENCHMARK(summarizeMillion)->Unit(benchmark::kMillisecond)->Iterations(3);

} // namespace

BENCHMARK_MAIN();
