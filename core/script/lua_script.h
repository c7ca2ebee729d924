// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "script/host.h"
#include "script/lua_limits.h"
#include "script/script_source.h"

#include <atomic>
#include <memory>

namespace jitscope::script {

/// One graph script and the sandbox it runs in. Everything is on the thread that calls `run`, but for traces: the engine may ask
/// for them from any thread while the script waits inside a call.
class LuaScript {
public:
  /// `host` and `stop` must outlive it. `stop` becoming true ends the script within milliseconds, with ScriptInterrupted.
  LuaScript(ScriptSource source, Host &host, const std::atomic<bool> &stop, LuaOptions options = {});
  ~LuaScript();
  LuaScript(const LuaScript &) = delete;
  LuaScript &operator=(const LuaScript &) = delete;

  /// Runs the script from its first line to its last, once. The error's message has the form "script.lua:12: what was wrong", its
  /// context says which calls and traces it was met in. When it returns, Lua is closed and every tensor of the script is freed; the
  /// sources of graphs that the engine still holds give errors from then on.
  /// Codes: ScriptSyntax, ScriptFailed, ScriptArgument, ScriptShape, ScriptLimit, ScriptInterrupted, and those of the host.
  base::Result<void> run();

private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

} // namespace jitscope::script
