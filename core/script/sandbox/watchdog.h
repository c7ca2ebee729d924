// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "script/lua/lua_limits.h"

#include <atomic>
#include <cstdint>
#include <optional>

struct lua_State;

namespace jitscope::script {

/// Ends scripts that do not end by themselves: every few thousand instructions it checks whether the run was stopped, its time
/// limit was passed, or Lua ran for too long. One thread at a time uses it, the one that runs Lua. Other threads use `overrun` and
/// `place`, because Lua's C functions, such as a pattern match that backtracks for hours, check nothing.
class Watchdog {
public:
  Watchdog(const LuaLimits &limits, std::uint64_t timeoutNs, const std::atomic<bool> &stop);

  /// Checks `lua` and every thread that it creates from now on.
  static void attach(lua_State *lua);

  /// The run begins: its time-out counts from here.
  void start();
  /// The engine was called: the time without an engine call counts from here.
  void restart();
  /// During its life the script waits for the engine or in a `sleep`, and no time is counted.
  class Away {
  public:
    /// `what` says for what, e.g. "a call"; it must be a constant. `line` is the script's.
    Away(Watchdog &watchdog, const char *what, int line);
    ~Away();
    Away(const Away &) = delete;
    Away &operator=(const Away &) = delete;

  private:
    Watchdog &m_watchdog;
    bool m_wasAway;
    const char *m_before;
    int m_lineBefore;
  };
  /// Names the function of Lua's library that the script is about to run, for messages. A constant.
  void enterLibrary(const char *function, int line);
  void leaveLibrary();
  /// An outermost trace begins or ends.
  void beginTrace();
  void endTrace();
  /// Time that counts as waiting and not as work (`sleep`), in nanoseconds.
  void exclude(std::uint64_t ns) { m_excludedNs.fetch_add(ns, std::memory_order_relaxed); }

  /// ScriptInterrupted or ScriptLimit when the script must end now.
  [[nodiscard]] std::optional<base::Error> check() const;

  /// The limit on Lua's time that was passed by more than `graceNs`, although the script should have ended then: Lua is inside C.
  /// Any thread.
  [[nodiscard]] std::optional<base::Error> overrun(std::uint64_t graceNs) const;
  /// What the script waits for: a line of it (0: not known) and what it asked for there (null: nothing, it runs itself). Any
  /// thread.
  struct Place {
    int line = 0;
    const char *what = nullptr;
  };
  [[nodiscard]] Place place() const;

private:
  [[nodiscard]] base::Error limitError() const;
  void setPlace(const char *what, int line);

  LuaLimits m_limits;
  std::uint64_t m_timeoutNs;
  const std::atomic<bool> &m_stop;
  std::uint64_t m_runStartNs = 0;
  // Written by the thread that runs Lua, read by others.
  std::atomic<std::uint64_t> m_workStartNs = 0;
  std::atomic<std::uint64_t> m_excludedNs = 0;
  std::atomic<bool> m_isTracing = false;
  std::atomic<bool> m_isAway = true; ///< not before the script starts
  std::atomic<const char *> m_what = nullptr;
  std::atomic<int> m_line = 0;
  bool m_wasAwayBeforeTrace = false;
};

} // namespace jitscope::script
