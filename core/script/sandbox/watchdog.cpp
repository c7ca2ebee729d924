// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/sandbox/watchdog.h"
#include "script/lua/lua_error.h"
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
  m_isAway = false;
}

void Watchdog::restart() {
  m_workStartNs = nowNs();
  m_excludedNs = 0;
}

void Watchdog::beginTrace() {
  restart();
  m_isTracing = true;
  m_wasAwayBeforeTrace = m_isAway.exchange(false);
}

void Watchdog::endTrace() {
  m_isAway = m_wasAwayBeforeTrace;
  restart();
  m_isTracing = false;
}

Watchdog::Away::Away(Watchdog &watchdog, const char *what, int line)
    : m_watchdog(watchdog), m_wasAway(watchdog.m_isAway.exchange(true)), m_before(watchdog.m_what), m_lineBefore(watchdog.m_line) {
  watchdog.setPlace(what, line);
}

Watchdog::Away::~Away() {
  m_watchdog.setPlace(m_before, m_lineBefore);
  m_watchdog.m_isAway = m_wasAway;
}

void Watchdog::enterLibrary(const char *function, int line) { setPlace(function, line); }
void Watchdog::leaveLibrary() { setPlace(nullptr, 0); }

void Watchdog::setPlace(const char *what, int line) {
  m_line.store(line, std::memory_order_relaxed);
  m_what.store(what, std::memory_order_relaxed);
}

Watchdog::Place Watchdog::place() const { return {m_line.load(std::memory_order_relaxed), m_what.load(std::memory_order_relaxed)}; }

base::Error Watchdog::limitError() const {
  const double seconds = static_cast<double>(m_limits.traceNs) * 1e-9;
  return {base::ErrorCode::ScriptLimit,
          m_isTracing ? fmt::format("tracing took longer than {:g} s; is there an endless loop? The limit is raised with "
                                    "--set trace_time_s=N",
                                    seconds)
                      : fmt::format("the script ran for longer than {:g} s without calling the engine; is there an endless loop? "
                                    "The limit is raised with --set trace_time_s=N",
                                    seconds)};
}

std::optional<base::Error> Watchdog::overrun(std::uint64_t graceNs) const {
  // The clock is read last: whatever the script does meanwhile makes the time shorter.
  const std::uint64_t allowedNs = m_excludedNs + m_limits.traceNs + graceNs;
  const std::uint64_t startNs = m_workStartNs;
  const std::uint64_t now = nowNs();
  if (m_isAway || now < startNs || now - startNs <= allowedNs || m_workStartNs != startNs) {
    return std::nullopt;
  }
  return limitError();
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
    return limitError();
  }
  return std::nullopt;
}

} // namespace jitscope::script
