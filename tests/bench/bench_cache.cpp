// SPDX-License-Identifier: GPL-3.0-or-later
// What a hit costs: key, lookup and bookkeeping for two arguments, without the kernel and the clock reads. What explaining a miss
// costs among many templates of one function.
#include "cache/executable_cache.h"
#include "cache/miss_reasons.h"
#include "cache/template_difference.h"
#include "runtime/dispatch/call_key.h"
#include "runtime/memory/tensor_pool.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

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

// The storms that templates come from, in the order of their numbers.

/// A static argument that never repeats.
graph::Template staticStorm(std::uint32_t number) {
  return {{graph::TensorType{graph::DType::F32, {64, 64}, false}, graph::StaticValue{std::to_string(number)}}};
}
/// Three independent sizes, with 64 values each.
graph::Template sizeStorm(std::uint32_t number) {
  const std::uint32_t mixed = number * 2654435761U; // an odd factor: no combination comes twice
  const auto size = [&](unsigned shift) { return static_cast<std::int64_t>(mixed >> shift & 63U) + 1; };
  return {{graph::TensorType{graph::DType::F32, {size(0), size(6)}, false},
           graph::TensorType{graph::DType::F32, {size(6), size(12)}, false}}};
}
/// Six independent static arguments with eight values each: none decides, so the search ends at its limits.
graph::Template flagStorm(std::uint32_t number) {
  const std::uint32_t mixed = number * 2654435761U;
  graph::Template tmpl;
  for (unsigned shift = 0; shift < 18; shift += 3) {
    tmpl.arguments.emplace_back(graph::StaticValue{std::to_string(mixed >> shift & 7U)});
  }
  return tmpl;
}

using Storm = graph::Template (*)(std::uint32_t number);
constexpr std::uint32_t kQuestions = 512;

/// Explains misses on the storm's next templates, which the history does not get to know.
void explainMiss(benchmark::State &state, Storm storm) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  cache::TemplateHistory history;
  const base::FunctionId function(1);
  for (std::uint32_t i = 1; i <= count; ++i) {
    history.compiled(function, base::TemplateId(i), storm(i), "opt=3");
  }
  std::vector<graph::Template> wanted;
  for (std::uint32_t i = 1; i <= kQuestions; ++i) {
    wanted.push_back(storm(count + i));
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(history.explain(function, base::TemplateId(count + 1), wanted[++next % kQuestions], "opt=3",
                                             [](const std::string &known) { return known; }));
  }
}

/// The baseline: the rule itself, applied to every known template.
void baselineScan(benchmark::State &state, Storm storm) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  std::vector<graph::Template> known;
  for (std::uint32_t i = 1; i <= count; ++i) {
    known.push_back(storm(i));
  }
  std::uint32_t next = 0;
  for (auto _ : state) {
    const graph::Template wanted = storm(count + ++next);
    cache::TemplateDifference nearest = cache::differenceBetween(known.front(), wanted);
    for (const graph::Template &tmpl : known) {
      if (cache::TemplateDifference difference = cache::differenceBetween(tmpl, wanted); difference.distance <= nearest.distance) {
        nearest = std::move(difference);
      }
    }
    benchmark::DoNotOptimize(nearest);
  }
}

/// Adding a template to the history, from none to `count`.
void rememberTemplate(benchmark::State &state, Storm storm) {
  std::uint32_t next = 0;
  cache::TemplateHistory history;
  for (auto _ : state) {
    ++next;
    history.compiled(base::FunctionId(1 + next / 100'000), base::TemplateId(next), storm(next), "opt=3");
  }
}

BENCHMARK_CAPTURE(explainMiss, static, staticStorm)->Arg(1'000)->Arg(20'000)->Arg(100'000);
BENCHMARK_CAPTURE(explainMiss, sizes, sizeStorm)->Arg(1'000)->Arg(20'000)->Arg(100'000);
BENCHMARK_CAPTURE(explainMiss, flags, flagStorm)->Arg(1'000)->Arg(20'000)->Arg(100'000);
BENCHMARK_CAPTURE(baselineScan, static, staticStorm)->Arg(1'000)->Arg(20'000)->Arg(100'000);
BENCHMARK_CAPTURE(rememberTemplate, static, staticStorm);
BENCHMARK_CAPTURE(rememberTemplate, sizes, sizeStorm);

} // namespace

BENCHMARK_MAIN();
