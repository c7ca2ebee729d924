// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace jitscope::cache {
class ExecutableCache;
} // namespace jitscope::cache
namespace jitscope::event {
class Sink;
} // namespace jitscope::event

namespace jitscope::runtime {

class TensorPool;

/// Records how the memory of tensors and of the cache changes. Any thread.
class MemoryLog {
public:
  MemoryLog(event::Sink &sink, const TensorPool &pool, const cache::ExecutableCache &cache)
      : m_sink(sink), m_pool(pool), m_cache(cache) {}

  /// Records the memory as of now, if it has changed.
  void record(std::uint64_t nowNs);
  /// The same where the last time is long ago. Peaks are kept exactly in between. A part of every call.
  void recordInTime(std::uint64_t nowNs) {
    if (nowNs >= m_nextNs.load(std::memory_order_relaxed)) {
      record(nowNs);
    }
  }

private:
  event::Sink &m_sink;
  const TensorPool &m_pool;
  const cache::ExecutableCache &m_cache;
  std::atomic<std::uint64_t> m_nextNs{0};
  std::mutex m_mutex;
  event::MemoryEvent m_last; ///< guarded by `m_mutex`
};

} // namespace jitscope::runtime
