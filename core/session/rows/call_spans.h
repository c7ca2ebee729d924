// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "event/event.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace jitscope::session {

/// Most calls that one span stands for: few enough that a view too fine for spans has few calls left to read.
inline constexpr std::uint32_t kCallsPerSpan = 32;
/// Longest stretch between the first and the last start in a span, so that slow calls keep their places.
inline constexpr std::uint64_t kSpanNs = 4'000'000;

/// A few calls that followed each other in one lane, as one row of table `call_span`: what a picture of millions of calls is
/// drawn from. The calls of a lane agree in everything that a call context says of its calls but their template, so that a span
/// says nothing about templates: `call_context` itself has the exact counts.
struct CallSpan {
  std::uint32_t contextId = 0; ///< the context of its first call; the others may be of other templates
  base::CallId firstId;
  base::CallId lastId; ///< calls of other lanes may lie between
  std::uint64_t startNs = 0;
  std::uint64_t lastStartNs = 0;
  std::uint32_t calls = 0;
  std::uint64_t minNs = 0;   ///< the shortest call's total
  std::uint64_t maxNs = 0;   ///< the longest call's total
  std::uint64_t totalNs = 0; ///< of all its calls together

  friend bool operator==(const CallSpan &, const CallSpan &) = default;
};

/// Condenses calls to spans while they are recorded: about 5 ns a call, and a row for 32 calls. One thread at a time.
class CallSpanBuilder {
public:
  /// The spans of one batch, ordered by their first call. `contextIds` has one context for each call. Valid until the next call.
  [[nodiscard]] std::span<const CallSpan> condense(std::span<const event::CallEvent> calls,
                                                   std::span<const std::uint32_t> contextIds);

private:
  std::uint32_t laneOf(std::uint32_t contextId, const event::CallEvent &call);

  std::vector<CallSpan> m_spans;
  std::vector<std::uint32_t> m_laneOfContext; ///< by context id; 0 for not seen yet, lanes count from 1
  std::unordered_map<std::uint64_t, std::uint32_t> m_lanes;
  std::vector<std::size_t> m_openSpan; ///< by lane: 1 + index into m_spans of the span being filled; 0 for none
};

} // namespace jitscope::session
