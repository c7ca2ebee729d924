// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "script/lua_limits.h"

#include <atomic>
#include <cstdint>
#include <optional>

struct lua_State;

namespace jitscope::script {

/// Ends scripts that do not end by themselves: looks, every few thousand instructions, whether the run was stopped, its time is
/// over or Lua has been at it for too long. Used by whichever thread runs Lua; one at a time.
class Watchdog {
public:
  Watchdog(const LuaLimits &limits, std::uint64_t timeoutNs, const std::atomic<bool> &stop);

  /// Has `lua` and every thread it creates from now on checked.
  static void attach(lua_State *lua);

  /// The run begins: its time-out counts from here.
  void start();
  /// The engine has done something for the script: the time without it counts from here.
  void restart();
  /// An outermost trace begins or ends.
  void beginTrace();
  void endTrace();
  /// Time that counts as waiting and not as work (`sleep`), in nanoseconds.
  void exclude(std::uint64_t ns) { m_excludedNs += ns; }

  /// ScriptInterrupted or ScriptLimit when the script must end now.
  [[nodiscard]] std::optional<base::Error> check() const;

private:
  LuaLimits m_limits;
  std::uint64_t m_timeoutNs;
  const std::atomic<bool> &m_stop;
  std::uint64_t m_runStartNs = 0;
  std::uint64_t m_workStartNs = 0;
  std::uint64_t m_excludedNs = 0;
  bool m_isTracing = false;
};

} // namespace jitscope::script
