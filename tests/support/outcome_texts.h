// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "support/sessions/recording_sink.h"

#include <QString>

#include <vector>

/// Outcomes and reasons in a form that failing checks show.
namespace jitscope::test {

inline QString spelled(event::Outcome outcome) { return QString::fromUtf8(event::nameOf(outcome).data()); }
inline QString spelled(event::MissReason reason) { return QString::fromUtf8(event::nameOf(reason).data()); }

inline std::vector<event::Outcome> outcomesOf(const RecordingSink &sink) {
  std::vector<event::Outcome> outcomes;
  for (const event::CallEvent &call : sink.calls()) {
    outcomes.push_back(call.outcome);
  }
  return outcomes;
}

} // namespace jitscope::test
