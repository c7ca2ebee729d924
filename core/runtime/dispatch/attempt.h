// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/hash.h"
#include "event/event.h"
#include "script/host.h"

#include <cstdint>
#include <span>

namespace jitscope::runtime {

/// What a call belongs to; all but the thread is the same for many calls.
struct CallContext {
  base::CaseId caseId;
  event::Leg leg = event::Leg::None;
  event::CallPhase phase = event::CallPhase::Run;
  std::uint32_t thread = 0;
};

/// One call on its way. Each step notes here what it took, and this alone makes a call event of it.
class Attempt {
public:
  base::FunctionId function;
  std::span<const script::Argument> arguments;
  base::Hash128 key;
  bool isAhead = false; ///< nothing runs, and no call is recorded

  Attempt(base::FunctionId calledFunction, std::span<const script::Argument> calledArguments, const CallContext &context,
          std::uint16_t process, std::uint64_t startNs)
      : function(calledFunction), arguments(calledArguments) {
    m_event.caseId = context.caseId;
    m_event.leg = context.leg;
    m_event.phase = context.phase;
    m_event.thread = context.thread;
    m_event.process = process;
    m_event.startNs = startNs;
  }

  void setId(base::CallId id) { m_event.id = id; }
  /// It waited for what another thread did.
  void waited(std::uint64_t ns) { m_event.waitNs += ns; }
  /// It made or fetched code, tracing included.
  void compiled(std::uint64_t ns) { m_event.compileNs += ns; }
  void setOutcome(event::Outcome outcome) { m_event.outcome = outcome; }
  /// There is an executable. Whatever was neither waiting nor compiling (the key, explaining a miss, recording it) was looking up.
  void isServed(base::TemplateId templateId, base::SectionId section, std::uint64_t nowNs) {
    m_event.templateId = templateId;
    m_event.sectionId = section;
    m_event.lookupNs = nowNs - m_event.startNs - m_event.waitNs - m_event.compileNs;
    m_servedNs = nowNs;
  }
  /// It has run.
  void hasRun(std::uint64_t nowNs) { m_event.executeNs = nowNs - m_servedNs; }

  [[nodiscard]] std::uint64_t startNs() const { return m_event.startNs; }
  [[nodiscard]] event::Outcome outcome() const { return m_event.outcome; }
  [[nodiscard]] std::uint64_t compileNs() const { return m_event.compileNs; }
  /// The call that what is made belongs to; none when nothing runs.
  [[nodiscard]] base::CallId callId() const { return isAhead ? base::CallId() : m_event.id; }
  [[nodiscard]] const event::CallEvent &event() const { return m_event; }
  /// As one of `count` calls in a row that took `durationNs` together, with nothing in between but what a hit needs: the mean.
  [[nodiscard]] event::CallEvent asMeanOf(std::uint64_t count, std::uint64_t durationNs) const {
    event::CallEvent mean = m_event;
    mean.lookupNs = 0;
    mean.executeNs = (durationNs + count / 2) / count;
    return mean;
  }

private:
  event::CallEvent m_event;
  std::uint64_t m_servedNs = 0;
};

} // namespace jitscope::runtime
