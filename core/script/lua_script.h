// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "script/host.h"
#include "script/lua/lua_limits.h"
#include "script/script_source.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jitscope::script {

/// One graph script and the sandbox it runs in. Everything runs on the thread that calls `run`, except traces: the engine may
/// request them from any thread while the script waits inside a call.
class LuaScript {
public:
  /// `host` and `stop` must outlive it. When `stop` becomes true, the script ends within milliseconds with ScriptInterrupted.
  LuaScript(ScriptSource source, Host &host, const std::atomic<bool> &stop, LuaOptions options = {});
  ~LuaScript();
  LuaScript(const LuaScript &) = delete;
  LuaScript &operator=(const LuaScript &) = delete;

  /// Runs the script from its first line to its last, once. The error's message has the form "script.lua:12: what was wrong", its
  /// context says which calls and traces it was met in. When it returns, Lua is closed and every tensor of the script is freed; the
  /// sources of graphs that the engine still holds give errors from then on.
  /// Codes: ScriptSyntax, ScriptFailed, ScriptArgument, ScriptShape, ScriptLimit, ScriptInterrupted, and those of the host.
  base::Result<void> run();

  /// Where the script is while it waits for something. Any thread.
  struct Place {
    std::string line; ///< "script.lua:12: "; empty where that is not known
    std::string what; ///< what it waits for, e.g. "a call"; empty: it runs itself
  };
  [[nodiscard]] Place place() const;
  /// The error of a script that has passed the limit on Lua's time by more than `graceNs` and cannot be ended by `run`, since a
  /// function of Lua's library does not come back. Any thread; to be followed by the end of the process.
  [[nodiscard]] std::optional<base::Error> overrun(std::uint64_t graceNs) const;

private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace jitscope::script
