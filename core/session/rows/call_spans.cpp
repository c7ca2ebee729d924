// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rows/call_spans.h"

#include "base/hash.h"

#include <algorithm>
#include <array>

namespace jitscope::session {

std::uint32_t CallSpanBuilder::laneOf(std::uint32_t contextId, const event::CallEvent &call) {
  if (contextId >= m_laneOfContext.size()) {
    m_laneOfContext.resize(contextId + 1, 0);
  }
  std::uint32_t &known = m_laneOfContext[contextId];
  if (known == 0) {
    const std::array<std::uint64_t, 3> words{
        std::uint64_t{call.sectionId.value} << 32U | call.caseId.value, std::uint64_t{call.thread} << 32U | call.process,
        std::uint64_t{static_cast<std::uint8_t>(call.outcome)} << 16U | std::uint64_t{static_cast<std::uint8_t>(call.leg)} << 8U |
            std::uint64_t{static_cast<std::uint8_t>(call.phase)}};
    known = m_lanes.try_emplace(base::hashWords(words).low, static_cast<std::uint32_t>(m_lanes.size() + 1)).first->second;
  }
  return known;
}

std::span<const CallSpan> CallSpanBuilder::condense(std::span<const event::CallEvent> calls,
                                                    std::span<const std::uint32_t> contextIds) {
  m_spans.clear();
  std::ranges::fill(m_openSpan, 0);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const event::CallEvent &call = calls[i];
    const std::uint32_t lane = laneOf(contextIds[i], call);
    if (lane >= m_openSpan.size()) {
      m_openSpan.resize(lane + 1, 0);
    }
    const std::uint64_t total = call.totalNs();
    std::size_t &open = m_openSpan[lane];
    if (open != 0) {
      CallSpan &span = m_spans[open - 1];
      const bool fits = span.calls < kCallsPerSpan && call.startNs >= span.startNs && call.startNs - span.startNs <= kSpanNs;
      if (fits) {
        span.lastId = call.id;
        span.lastStartNs = std::max(span.lastStartNs, call.startNs);
        ++span.calls;
        span.minNs = std::min(span.minNs, total);
        span.maxNs = std::max(span.maxNs, total);
        span.totalNs += total;
        continue;
      }
    }
    m_spans.push_back({contextIds[i], call.id, call.id, call.startNs, call.startNs, 1, total, total, total});
    open = m_spans.size();
  }
  return m_spans;
}

} // namespace jitscope::session
