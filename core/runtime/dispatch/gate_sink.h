// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/sink.h"

#include <atomic>

namespace jitscope::runtime {

/// Lets through only what gives names to ids, until it is opened: a run that replays a script up to a point records nothing before
/// it, yet what comes after can refer to functions and templates of before.
class GateSink final : public event::Sink {
public:
  GateSink(event::Sink &target, bool isOpen) : m_target(target), m_isOpen(isOpen) {}

  void open() { m_isOpen.store(true, std::memory_order_relaxed); }

  void call(const event::CallEvent &event) noexcept override {
    if (m_isOpen.load(std::memory_order_relaxed)) {
      m_target.call(event);
    }
  }
  void record(event::Event event) noexcept override {
    const bool namesAnId =
        std::holds_alternative<event::FunctionEvent>(event) || std::holds_alternative<event::TemplateEvent>(event) ||
        std::holds_alternative<event::SectionEvent>(event) || std::holds_alternative<event::BenchCaseEvent>(event);
    if (namesAnId || m_isOpen.load(std::memory_order_relaxed)) {
      m_target.record(std::move(event));
    }
  }

private:
  event::Sink &m_target;
  std::atomic<bool> m_isOpen;
};

} // namespace jitscope::runtime
