// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::event {

/// A part of a compile, in the order in which they follow each other.
enum class CompilePhase : std::uint8_t { Trace, Lower, Optimize, Codegen, Link };

/// The spelling that sessions and people see, e.g. "codegen".
std::string_view nameOf(CompilePhase phase);
/// The way back from a spelling; empty where there is no such phase.
std::optional<CompilePhase> compilePhaseFromName(std::string_view name);

/// A compile that is under way, and where it is.
struct Activity {
  using Clock = std::chrono::steady_clock;

  std::string function;  ///< the function that is compiled
  std::string signature; ///< of the template; empty for modules from elsewhere
  std::string pipeline;
  CompilePhase phase = CompilePhase::Trace;
  std::string unit; ///< the function whose module is worked on; empty: not known
  Stage stage = Stage::None;
  std::string pass; ///< that runs; empty: none, or LLVM does not tell
  Clock::time_point startedAt = {};
  Clock::time_point passStartedAt = {}; ///< of the pass, or of the phase where there is no pass
};

/// One line for people: "compiling f for f32[4] under deferred for 12.3 s: optimize, pass gvn on g (stage module) for 9.8 s".
std::string describe(const Activity &activity, Activity::Clock::time_point now);

/// A line for each current activity, in the form of an error's context: "while compiling f …".
std::vector<std::string> describe(const std::vector<Activity> &activities);

/// Where compiles say what they are doing, for those who show it or must end the run meanwhile. Any thread; nobody holds its
/// lock for longer than a few copies of short texts.
class ActivityBoard {
public:
  /// What is under way, the longest first; what another process works on comes last.
  [[nodiscard]] std::vector<Activity> activities() const;
  /// What a child process says that it is doing; empty: nothing of note.
  void setRemote(std::optional<Activity> activity);

private:
  friend class CompileActivity;
  mutable std::mutex m_mutex;
  std::list<Activity> m_activities; ///< a list: entries stay where they are
  std::optional<Activity> m_remote;
};

/// One compile's entry on a board, for as long as the object lives. One thread at a time. A null board takes nothing.
class CompileActivity {
public:
  CompileActivity(ActivityBoard *board, std::string_view function, std::string_view signature, std::string_view pipeline);
  ~CompileActivity();
  CompileActivity(const CompileActivity &) = delete;
  CompileActivity &operator=(const CompileActivity &) = delete;

  /// The next phase begins; `unit` is the function whose module it is about.
  void enter(CompilePhase phase, std::string_view unit = {}, Stage stage = Stage::None);
  /// A pass begins, on `function` where it runs on one; an empty name: none runs.
  void pass(std::string_view name, std::string_view function = {});

private:
  ActivityBoard *m_board;
  std::list<Activity>::iterator m_entry;
};

} // namespace jitscope::event
