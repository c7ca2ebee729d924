// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/watchdog.h"
#include "script/lua_error.h"
#include "script/script_context.h"

#include <chrono>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

namespace {

/// Between two looks. At some 100 million instructions a second that is every 0.1 ms, and the cost of a look (two clock reads at
/// most) stays below 1 %.
constexpr int kInstructionsBetweenLooks = 10000;

std::uint64_t nowNs() {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

void look(lua_State *lua, lua_Debug * /*activation*/) {
  guard(lua, [lua] {
    if (std::optional<base::Error> error = contextOf(lua).watchdog.check()) {
      raiseFinal(lua, std::move(*error));
    }
  });
}

} // namespace

Watchdog::Watchdog(const LuaLimits &limits, std::uint64_t timeoutNs, const std::atomic<bool> &stop)
    : m_limits(limits), m_timeoutNs(timeoutNs), m_stop(stop) {}

void Watchdog::attach(lua_State *lua) { lua_sethook(lua, look, LUA_MASKCOUNT, kInstructionsBetweenLooks); }

void Watchdog::start() {
  m_runStartNs = nowNs();
  restart();
}

void Watchdog::restart() {
  m_workStartNs = nowNs();
  m_excludedNs = 0;
}

void Watchdog::beginTrace() {
  restart();
  m_isTracing = true;
}

void Watchdog::endTrace() {
  restart();
  m_isTracing = false;
}

std::optional<base::Error> Watchdog::check() const {
  if (m_stop.load(std::memory_order_relaxed)) {
    return base::Error{base::ErrorCode::ScriptInterrupted, "interrupted"};
  }
  const std::uint64_t now = nowNs();
  if (m_timeoutNs != 0 && now - m_runStartNs > m_timeoutNs) {
    return base::Error{base::ErrorCode::ScriptInterrupted,
                       fmt::format("interrupted after {:g} s, as --timeout says", static_cast<double>(m_timeoutNs) * 1e-9)};
  }
  if (now - m_workStartNs > m_limits.traceNs + m_excludedNs) {
    const double seconds = static_cast<double>(m_limits.traceNs) * 1e-9;
    return base::Error{base::ErrorCode::ScriptLimit,
                       m_isTracing ? fmt::format("tracing took longer than {:g} s; a loop without end? The limit is raised with "
                                                 "--set trace_time_s=N",
                                                 seconds)
                                   : fmt::format("the script ran for longer than {:g} s without asking the engine for anything; a "
                                                 "loop without end? The limit is raised with --set trace_time_s=N",
                                                 seconds)};
  }
  return std::nullopt;
}

} // namespace jitscope::script
