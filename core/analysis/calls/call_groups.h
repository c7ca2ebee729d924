// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/seen_calls.h"
#include "analysis/query/selection.h"
#include "base/error.h"
#include "event/event.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// One call of a group, as far as a summary needs it.
struct CallMark {
  base::CallId id;
  std::uint64_t startNs = 0;
  std::uint64_t totalNs = 0;
  /// Counts the samples of its case and leg from 1, selected or not, in the order of ids; 0 for no sample.
  std::uint64_t sampleNumber = 0;
};

/// All calls that agree in template, section, case, leg, phase, thread, process and outcome.
struct CallGroup {
  base::TemplateId templateId;
  base::SectionId sectionId;
  base::CaseId caseId;
  event::Leg leg = event::Leg::None;
  event::CallPhase phase = event::CallPhase::Run;
  event::Outcome outcome = event::Outcome::Hit;
  std::uint16_t process = 0;
  std::vector<std::uint64_t> totalsNs; ///< total of each call, in the order of ids
  std::uint64_t sumNs = 0;
  CallMark first;                 ///< the call that started first
  CallMark longest;               ///< the first of the longest calls
  std::uint64_t endNs = 0;        ///< when the call that ended last did
  std::uint64_t samplesOfLeg = 0; ///< all samples of its case and leg, selected or not; 0 for calls that are none
};

/// The selected calls of a session by group, 8 bytes of memory for each. One thread at a time.
class CallGroups {
public:
  enum class Of : std::uint8_t { AllCalls, Samples };

  explicit CallGroups(Selection selection, Of which = Of::AllCalls) : m_selection(std::move(selection)), m_which(which) {}

  [[nodiscard]] const Selection &selection() const { return m_selection; }
  /// Reads what was recorded since the last `update`: everything at first. After an error the next one goes on from there.
  [[nodiscard]] base::Result<void> update(session::Database &database);
  /// In the order in which they first occurred; some may have no calls that are selected.
  [[nodiscard]] const std::vector<CallGroup> &all() const { return m_groups; }
  /// The same, and leaves nothing.
  [[nodiscard]] std::vector<CallGroup> take() { return std::move(m_groups); }

private:
  base::Result<void> readContexts(session::Database &database);

  Selection m_selection;
  Of m_which;
  std::vector<CallGroup> m_groups;
  std::unordered_map<std::int64_t, std::size_t> m_indexOf; ///< of the group of each context
  SeenCalls m_seen;
  std::int64_t m_lastContext = 0;
  std::int64_t m_lastCall = 0;
  std::vector<std::size_t> m_legOf; ///< for each group, which of the counters below is its leg's
  std::map<std::pair<base::CaseId, event::Leg>, std::size_t> m_legs;
  std::vector<std::uint64_t> m_samplesOfLeg{0}; ///< seen so far; the first is for what is no sample
};

/// The groups with calls of one state of a session.
[[nodiscard]] base::Result<std::vector<CallGroup>> readCallGroups(session::Database &database, const Selection &selection = {});

} // namespace jitscope::analysis
