// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

namespace jitscope::event {

/// Where a run's events go. Every member may be called from any thread and never throws. Events arrive in an order in which ids
/// are announced (FunctionEvent, TemplateEvent, …) before they are used by the same thread.
/// When the receiver is behind, the caller waits here: nothing is dropped. Callers therefore call outside what they time.
class Sink {
public:
  virtual ~Sink() = default;
  virtual void call(const CallEvent &event) noexcept = 0;
  virtual void record(Event event) noexcept = 0;
};

/// Takes everything and keeps nothing: for unrecorded runs.
class NullSink final : public Sink {
public:
  void call(const CallEvent & /*event*/) noexcept override {}
  void record(Event /*event*/) noexcept override {}
};

} // namespace jitscope::event
