// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/sink.h"

#include <mutex>
#include <utility>
#include <vector>

namespace jitscope::test {

/// Keeps everything in memory, in the order of arrival. Any thread.
class RecordingSink final : public event::Sink {
public:
  void call(const event::CallEvent &event) noexcept override {
    const std::lock_guard lock(m_mutex);
    m_calls.push_back(event);
  }
  void record(event::Event event) noexcept override {
    const std::lock_guard lock(m_mutex);
    m_events.push_back(std::move(event));
  }

  [[nodiscard]] std::vector<event::CallEvent> calls() const {
    const std::lock_guard lock(m_mutex);
    return m_calls;
  }
  /// The events of one kind.
  template <typename T> [[nodiscard]] std::vector<T> all() const {
    const std::lock_guard lock(m_mutex);
    std::vector<T> result;
    for (const event::Event &event : m_events) {
      if (const T *wanted = std::get_if<T>(&event)) {
        result.push_back(*wanted);
      }
    }
    return result;
  }

private:
  mutable std::mutex m_mutex;
  std::vector<event::CallEvent> m_calls;
  std::vector<event::Event> m_events;
};

} // namespace jitscope::test
