// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/activity.h"
#include "runtime/dispatch/run_observer.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace jitscope::app {

enum class ProgressMode : std::uint8_t { Auto, Always, Never };

/// Shows how a run gets on: a line on standard error that is redrawn in place, and what the script prints on the stream of results.
class ProgressDisplay final : public runtime::RunObserver {
public:
  struct Options {
    ProgressMode mode = ProgressMode::Auto;           ///< Auto: when standard error is a terminal
    std::FILE *output = stdout;                       ///< where the script prints to
    const event::ActivityBoard *activities = nullptr; ///< compiles under way, which are shown; null: none are
  };
  explicit ProgressDisplay(Options options);
  ~ProgressDisplay() override;
  ProgressDisplay(const ProgressDisplay &) = delete;
  ProgressDisplay &operator=(const ProgressDisplay &) = delete;

  void printed(std::string_view text) override;
  void sectionBegan(std::string_view name) override;
  void legBegan(std::string_view caseName, std::string_view inputName, event::Leg leg, std::uint64_t plannedNs) override;
  void legEnded() override;
  void studyStep(std::string_view function, std::string_view pipeline, std::uint32_t repetition,
                 std::uint32_t repetitions) override;
  void studyEnded() override;

  /// Takes the line away and draws no other, also while the script's thread is stuck in printing. Any thread.
  void silence();

private:
  using Clock = std::chrono::steady_clock;
  struct Leg {
    std::string title;
    Clock::time_point start;
    std::chrono::nanoseconds planned;
  };
  void draw(const std::stop_token &token);
  void redraw();
  void erase();

  Options m_options;
  bool m_isShown = false;
  std::atomic<bool> m_isSilent = false;
  std::mutex m_mutex; ///< guards what follows, and the terminal
  std::atomic<bool> m_hasLine = false;
  unsigned m_frame = 0;
  Clock::time_point m_start = Clock::now();
  std::string m_section;
  std::optional<Leg> m_leg;
  std::string m_step; ///< of a study; empty outside one
  std::jthread m_thread;
};

} // namespace jitscope::app
