// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "script/host.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace jitscope::runtime {

/// Counts what a run did, for scripts that ask. Any thread.
class RunCounters {
public:
  void called(event::Outcome outcome) { add(m_callsByOutcome.at(static_cast<std::size_t>(outcome)), 1); }
  void compiled(std::uint64_t ns) {
    add(m_compiles, 1);
    add(m_compilesInSection, 1);
    add(m_compileNs, ns);
  }
  void evicted() { add(m_evictions, 1); }
  void sectionBegan() { m_compilesInSection.store(0, std::memory_order_relaxed); }

  /// Everything that is counted here.
  [[nodiscard]] script::EngineCounters counters() const;

private:
  using Counter = std::atomic<std::uint64_t>;
  static void add(Counter &counter, std::uint64_t value) { counter.fetch_add(value, std::memory_order_relaxed); }

  static constexpr std::size_t kOutcomes = 6;
  std::array<Counter, kOutcomes> m_callsByOutcome{};
  Counter m_compiles{0};
  Counter m_compilesInSection{0};
  Counter m_compileNs{0};
  Counter m_evictions{0};
};

} // namespace jitscope::runtime
