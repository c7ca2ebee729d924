// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/call_overhead.h"

#include "base/clock.h"
#include "cache/executable_cache.h"
#include "event/sink.h"
#include "runtime/call_key.h"
#include "runtime/tensor_pool.h"

#include <algorithm>
#include <array>
#include <vector>

namespace jitscope::runtime {

namespace {

/// Stands in for code: the cache looks at its size alone.
class NoCode final : public cache::Executable {
public:
  [[nodiscard]] std::uint64_t codeBytes() const override { return 1; }
};

} // namespace

double measureCallOverheadNs(const base::Clock &clock, event::Sink &sink) {
  // The same steps in the same order as a hit takes in the dispatcher.
  constexpr unsigned kGroups = 21;
  constexpr unsigned kCallsPerGroup = 200;
  const base::FunctionId function(1);
  TensorPool pool;
  base::Result<graph::Tensor> tensor = pool.allocate(graph::DType::F32, graph::Shape{64, 64});
  if (!tensor) {
    return 0;
  }
  const std::array<script::Argument, 2> arguments{*tensor, *tensor};
  cache::ExecutableCache cache;
  const base::Hash128 key = callKeyOf(function, 1, TemplateMode::Exact, arguments);
  const cache::ExecutableCache::Lookup owner = cache.acquire(key, 0);
  cache.publish(key, owner.flight,
                std::make_shared<const cache::Entry>(cache::Entry{base::TemplateId(1), std::make_shared<NoCode>(), {}, ""}), 0);

  std::vector<double> perCall;
  std::uint64_t calls = 0;
  for (unsigned group = 0; group < kGroups; ++group) {
    const std::uint64_t startNs = clock.nowNs();
    for (unsigned i = 0; i < kCallsPerGroup; ++i) {
      event::CallEvent event;
      event.id = base::CallId(++calls);
      event.startNs = clock.nowNs();
      const std::shared_ptr<const cache::Entry> entry =
          cache.find(callKeyOf(function, 1, TemplateMode::Exact, arguments), event.startNs);
      const std::uint64_t readyNs = clock.nowNs();
      event.lookupNs = readyNs - event.startNs;
      event.templateId = entry->templateId;
      event.executeNs = clock.nowNs() - readyNs;
      sink.call(event);
    }
    perCall.push_back(static_cast<double>(clock.nowNs() - startNs) / kCallsPerGroup);
  }
  std::ranges::nth_element(perCall, perCall.begin() + kGroups / 2);
  return perCall[kGroups / 2];
}

} // namespace jitscope::runtime
