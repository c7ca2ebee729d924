// SPDX-License-Identifier: GPL-3.0-or-later
// What a hit costs: key, lookup and bookkeeping for two arguments, without the kernel and the clock reads.
#include "cache/executable_cache.h"
#include "runtime/call_key.h"
#include "runtime/tensor_pool.h"

#include <array>
#include <unordered_map>

#include <benchmark/benchmark.h>

using namespace jitscope;

namespace {

class NoCode final : public cache::Executable {
public:
  [[nodiscard]] std::uint64_t codeBytes() const override { return 100; }
};

std::array<script::Argument, 2> argumentsOfSize(std::int64_t rows) {
  // Keys look at types alone, so no template needs memory of its own.
  const graph::Tensor tensor{graph::DType::F32, {rows, 64}, false, nullptr};
  return {tensor, tensor};
}

/// A cache that knows templates f32[1,64] … f32[count,64].
void fill(cache::ExecutableCache &cache, std::int64_t count) {
  const auto code = std::make_shared<NoCode>();
  for (std::int64_t rows = 1; rows <= count; ++rows) {
    const base::Hash128 key = runtime::callKeyOf(base::FunctionId(1), 7, runtime::TemplateMode::Exact, argumentsOfSize(rows));
    const cache::ExecutableCache::Lookup owner = cache.acquire(key, 0);
    const auto id = base::TemplateId(static_cast<std::uint32_t>(rows));
    cache.publish(key, owner.flight, std::make_shared<const cache::Entry>(cache::Entry{id, code, {}, ""}), 0);
  }
}

void hitOneTemplate(benchmark::State &state) {
  cache::ExecutableCache cache;
  fill(cache, state.range(0));
  const auto arguments = argumentsOfSize(state.range(0) / 2 + 1);
  std::uint64_t now = 0;
  for (auto _ : state) {
    const base::Hash128 key = runtime::callKeyOf(base::FunctionId(1), 7, runtime::TemplateMode::Exact, arguments);
    benchmark::DoNotOptimize(cache.find(key, ++now));
  }
}
BENCHMARK(hitOneTemplate)->Arg(1)->Arg(100'000);

void hitTemplatesAtRandom(benchmark::State &state) {
  cache::ExecutableCache cache;
  fill(cache, state.range(0));
  std::vector<std::array<script::Argument, 2>> arguments;
  std::uint32_t random = 1;
  for (int i = 0; i < 4096; ++i) {
    random = random * 1664525U + 1013904223U;
    arguments.push_back(argumentsOfSize(random % static_cast<std::uint32_t>(state.range(0)) + 1));
  }
  std::uint64_t now = 0;
  for (auto _ : state) {
    const base::Hash128 key =
        runtime::callKeyOf(base::FunctionId(1), 7, runtime::TemplateMode::Exact, arguments[++now % arguments.size()]);
    benchmark::DoNotOptimize(cache.find(key, now));
  }
}
BENCHMARK(hitTemplatesAtRandom)->Arg(1)->Arg(100'000);

/// The baseline: what the standard library offers for the same, without locking, recency or shared ownership.
void baselineUnorderedMap(benchmark::State &state) {
  struct Hasher {
    std::size_t operator()(const base::Hash128 &hash) const { return hash.low; }
  };
  std::unordered_map<base::Hash128, int, Hasher> map;
  for (std::int64_t rows = 1; rows <= state.range(0); ++rows) {
    map[runtime::callKeyOf(base::FunctionId(1), 7, runtime::TemplateMode::Exact, argumentsOfSize(rows))] = 1;
  }
  const auto arguments = argumentsOfSize(state.range(0) / 2 + 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(runtime::callKeyOf(base::FunctionId(1), 7, runtime::TemplateMode::Exact, arguments)));
  }
}
BENCHMARK(baselineUnorderedMap)->Arg(1)->Arg(100'000);

} // namespace

BENCHMARK_MAIN();
