// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

struct lua_State;

/// Errors on their way through Lua. What a script's `pcall` sees is the message, a string such as "script.lua:12: what was wrong";
/// code and context wait beside Lua until the message comes out at the other end. The library is Lua's C++ build: `lua_error`
/// throws, destructors run, and nobody here may catch what it throws.
namespace jitscope::script {

/// Remembers what messages stand for. One for each Lua state, used by whichever thread runs Lua; one at a time.
class ErrorSlot {
public:
  void remember(base::Error error);
  /// The latest remembered error whose message ends `text`: scripts may put a place of their own before it.
  [[nodiscard]] const base::Error *find(std::string_view text) const;
  /// Whether `text` is exactly a message that has its place already.
  [[nodiscard]] bool isPlaced(std::string_view text) const;

  /// From now on the script can only end, whatever it catches: `message` is raised again each time.
  void makeFinal(std::string message) { m_final = std::move(message); }
  [[nodiscard]] const std::optional<std::string> &finalMessage() const { return m_final; }

private:
  std::deque<base::Error> m_recent; // latest first
  std::optional<std::string> m_final;
};

/// The line of the innermost Lua function that runs; 0 if there is none.
int currentLine(lua_State *lua);
/// "script.lua:12: ", or "" where no Lua function runs.
std::string placeOf(lua_State *lua);

/// Raises a Lua error at the current place. The running C function ends here.
[[noreturn]] void raise(lua_State *lua, base::ErrorCode code, std::string message);
/// The same for an error that was made elsewhere; it keeps its place if it has one. ScriptInterrupted is final.
[[noreturn]] void raise(lua_State *lua, base::Error error);
/// Raises an error that `pcall` does not hold back.
[[noreturn]] void raiseFinal(lua_State *lua, base::Error error);
/// After a protected call failed with `status`: goes on with an error that is final, and returns for all others.
void raiseAgainIfFinal(lua_State *lua, int status);

/// The value, or the error raised.
template <typename T> T valueOrRaise(lua_State *lua, base::Result<T> result) {
  if (!result) {
    raise(lua, std::move(result.error()));
  }
  if constexpr (!std::is_void_v<T>) {
    return std::move(*result);
  }
}

/// A message handler for lua_pcall: turns any error value into a message and remembers where it was raised and called from.
int handleMessage(lua_State *lua);
/// Pops the error value that lua_pcall left and gives what it stands for.
base::Error takeError(lua_State *lua, int status);

/// "a tensor", "a string", "nil": what the value at `index` is, for messages.
std::string describeValue(lua_State *lua, int index);

namespace detail {
[[noreturn]] void raiseStandardException(lua_State *lua, const char *what);
}

/// Runs C++ code that Lua calls: standard exceptions (no memory) become Lua errors instead of crossing Lua's frames.
template <typename Body> auto guard(lua_State *lua, Body body) {
  char what[128] = "";
  try {
    return body();
  } catch (const std::exception &exception) {
    // Copied, since the exception is gone when the Lua error is thrown. Lua's own is no std::exception and passes by.
    std::string_view(exception.what()).copy(what, sizeof(what) - 1);
  }
  detail::raiseStandardException(lua, what);
}

/// A C++ function as a lua_CFunction.
template <int (*function)(lua_State *)> int guarded(lua_State *lua) {
  return guard(lua, [lua] { return function(lua); });
}

} // namespace jitscope::script
