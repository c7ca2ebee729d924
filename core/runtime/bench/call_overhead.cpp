// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/bench/call_overhead.h"

#include "base/clock.h"
#include "base/percentile.h"
#include "cache/executable_cache.h"
#include "event/sink.h"
#include "runtime/dispatch/call_key.h"
#include "runtime/memory/tensor_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace jitscope::runtime {

namespace {

constexpr unsigned kGroups = 21;
constexpr unsigned kCallsPerGroup = 200;

/// Stands in for code: the cache looks at its size alone.
class NoCode final : public cache::Executable {
public:
  [[nodiscard]] std::uint64_t codeBytes() const override { return 1; }
};

/// The parts of a hit in the dispatcher, on a cache with one entry for two arguments.
class Hit {
public:
  /// Empty where there is no memory for a tensor.
  static std::optional<Hit> make(TensorPool &pool) {
    const base::Result<graph::Tensor> tensor = pool.allocate(graph::DType::F32, graph::Shape{64, 64});
    return tensor ? std::optional<Hit>(std::in_place, *tensor) : std::nullopt;
  }
  explicit Hit(const graph::Tensor &tensor) : m_arguments{tensor, tensor}, m_cache(std::make_unique<cache::ExecutableCache>()) {
    const base::Hash128 key = keyOf();
    const cache::ExecutableCache::Lookup owner = m_cache->acquire(key, 0);
    m_cache->publish(key, owner.flight,
                     std::make_shared<const cache::Entry>(cache::Entry{base::TemplateId(1), std::make_shared<NoCode>(), {}, ""}),
                     0);
  }

  [[nodiscard]] std::shared_ptr<const cache::Entry> find(std::uint64_t nowNs) { return m_cache->find(keyOf(), nowNs); }

private:
  [[nodiscard]] base::Hash128 keyOf() const { return callKeyOf(base::FunctionId(1), 1, TemplateMode::Exact, m_arguments); }

  std::array<script::Argument, 2> m_arguments;
  std::unique_ptr<cache::ExecutableCache> m_cache;
};

} // namespace

double measureCallOverheadNs(const base::Clock &clock, event::Sink &sink) {
  // The same steps in the same order as a hit takes in the dispatcher.
  TensorPool pool;
  std::optional<Hit> hit = Hit::make(pool);
  if (!hit) {
    return 0;
  }
  std::vector<double> perCall;
  std::uint64_t calls = 0;
  for (unsigned group = 0; group < kGroups; ++group) {
    const std::uint64_t startNs = clock.nowNs();
    for (unsigned i = 0; i < kCallsPerGroup; ++i) {
      event::CallEvent event;
      event.id = base::CallId(++calls);
      event.startNs = clock.nowNs();
      const std::shared_ptr<const cache::Entry> entry = hit->find(event.startNs);
      const std::uint64_t readyNs = clock.nowNs();
      event.lookupNs = readyNs - event.startNs;
      event.templateId = entry->templateId;
      event.executeNs = clock.nowNs() - readyNs;
      sink.call(event);
    }
    perCall.push_back(static_cast<double>(clock.nowNs() - startNs) / kCallsPerGroup);
  }
  std::ranges::sort(perCall);
  return base::medianOf(perCall);
}

double measureTimingOverheadNs(const base::Clock &clock) {
  TensorPool pool;
  std::optional<Hit> hit = Hit::make(pool);
  if (!hit) {
    return 0;
  }
  std::atomic<std::uint64_t> calls{0};
  bool hasFoundAll = true; // keeps what is found from being found for nothing
  std::vector<double> perCall;
  // The same steps in both loops, so that only the looks at the clock and the id differ.
  std::vector<std::shared_ptr<const cache::Entry>> found(kCallsPerGroup);
  const auto letGo = [&] {
    hasFoundAll = hasFoundAll && std::ranges::find(found, nullptr) == found.end();
    std::ranges::fill(found, nullptr);
  };
  for (unsigned group = 0; group < kGroups; ++group) {
    // As a sample is told: only what lies between its first and its last look at the clock.
    std::uint64_t toldNs = 0;
    for (std::shared_ptr<const cache::Entry> &entry : found) {
      const std::uint64_t startNs = clock.nowNs();
      entry = hit->find(startNs);
      const std::uint64_t readyNs = clock.nowNs();
      calls.fetch_add(1, std::memory_order_relaxed); // its id is taken in between
      toldNs += (readyNs - startNs) + (clock.nowNs() - readyNs);
    }
    letGo();
    const std::uint64_t bareStartNs = clock.nowNs();
    for (std::shared_ptr<const cache::Entry> &entry : found) {
      entry = hit->find(bareStartNs);
    }
    const std::uint64_t bareNs = clock.nowNs() - bareStartNs;
    letGo();
    perCall.push_back((static_cast<double>(toldNs) - static_cast<double>(bareNs)) / kCallsPerGroup);
  }
  std::ranges::sort(perCall);
  return hasFoundAll ? std::max(0.0, base::medianOf(perCall)) : 0;
}

} // namespace jitscope::runtime
