// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/dispatch/memory_log.h"

#include "cache/executable_cache.h"
#include "event/sink.h"
#include "runtime/memory/tensor_pool.h"

namespace jitscope::runtime {

namespace {

/// How often `recordInTime` records a change at most.
constexpr std::uint64_t kIntervalNs = 10'000'000;

} // namespace

void MemoryLog::record(std::uint64_t nowNs) {
  m_nextNs.store(nowNs + kIntervalNs, std::memory_order_relaxed);
  const TensorMemory tensors = m_pool.memory();
  const cache::CacheSize code = m_cache.size();
  const event::MemoryEvent memory{nowNs, tensors.liveBytes, tensors.peakBytes, code.entries, code.codeBytes};
  {
    const std::lock_guard lock(m_mutex);
    const bool isSame = m_last.tensorLiveBytes == memory.tensorLiveBytes && m_last.tensorPeakBytes == memory.tensorPeakBytes &&
                        m_last.cacheEntries == memory.cacheEntries && m_last.cacheCodeBytes == memory.cacheCodeBytes;
    if (isSame) {
      return;
    }
    m_last = memory;
  }
  m_sink.record(memory);
}

} // namespace jitscope::runtime
