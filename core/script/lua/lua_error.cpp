// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/lua/lua_error.h"
#include "script/lua/lua_function.h"
#include "script/script_context.h"
#include "script/tensor/lua_tensor.h"

#include <algorithm>

#include <fmt/format.h>
#include <lua.hpp>

namespace jitscope::script {

using base::Error;
using base::ErrorCode;

namespace {

/// Scripts may catch an error, meet others and raise the first again; more than a few in between are unlikely.
constexpr std::size_t kRecentErrors = 8;
/// Lines of "called from" that help; a runaway recursion has hundreds of thousands.
constexpr int kCallersShown = 8;

/// Fills `activation` with the innermost Lua function at or above `level`; gives its level.
std::optional<int> findLuaFunction(lua_State *lua, int level, lua_Debug &activation) {
  for (; lua_getstack(lua, level, &activation) != 0; ++level) {
    lua_getinfo(lua, "Sl", &activation);
    if (activation.currentline > 0) {
      return level;
    }
  }
  return std::nullopt;
}

/// "called from script.lua:8 in function 'layer'" for each Lua function above the one that raised.
std::vector<std::string> callersOf(lua_State *lua) {
  std::vector<std::string> lines;
  lua_Debug activation{};
  std::optional<int> level = findLuaFunction(lua, 0, activation);
  while (level) {
    level = findLuaFunction(lua, *level + 1, activation);
    if (!level) {
      break;
    }
    if (static_cast<int>(lines.size()) == kCallersShown) {
      lines.emplace_back("called from further functions");
      break;
    }
    lua_getinfo(lua, "n", &activation);
    std::string line = fmt::format("called from {}:{}", activation.short_src, activation.currentline);
    if (std::string_view(activation.what) == "main") {
      line += " in the main chunk";
    } else if (activation.name != nullptr) {
      line += fmt::format(" in function '{}'", activation.name);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// What an error value that is no string says.
std::string messageOf(lua_State *lua, int index) {
  std::size_t length = 0;
  if (lua_type(lua, index) == LUA_TSTRING || lua_type(lua, index) == LUA_TNUMBER) {
    lua_pushvalue(lua, index); // lua_tolstring would change a number in place
    const char *text = lua_tolstring(lua, -1, &length);
    std::string message(text, length);
    lua_pop(lua, 1);
    return message;
  }
  if (luaL_getmetafield(lua, index, "__tostring") != LUA_TNIL) {
    lua_pop(lua, 1);
    const char *text = luaL_tolstring(lua, index, &length);
    std::string message(text, length);
    lua_pop(lua, 1);
    return placeOf(lua) + message;
  }
  if (lua_istable(lua, index)) {
    lua_pushliteral(lua, "message");
    const bool hasMessage = lua_rawget(lua, index) == LUA_TSTRING;
    std::string message = hasMessage ? lua_tostring(lua, -1) : "";
    lua_pop(lua, 1);
    if (hasMessage) {
      return placeOf(lua) + message;
    }
  }
  return fmt::format("{}error was called with {} instead of a message", placeOf(lua), describeValue(lua, index));
}

ErrorCode codeOf(std::string_view message) {
  // Lua's own words for a recursion that does not end, and for strings beyond its own bounds.
  const bool isLimit = message.contains("stack overflow") || message.ends_with("resulting string too large") ||
                       message.ends_with("string length overflow");
  return isLimit ? ErrorCode::ScriptLimit : ErrorCode::ScriptFailed;
}

Error memoryError(ScriptContext &context) {
  return {ErrorCode::ScriptLimit,
          fmt::format("{}the script's Lua values need more than {} MiB; the limit is raised with --set memory_mib=N",
                      context.allocator.refusalPlace(), context.allocator.limitBytes() >> 20U)};
}

/// Must be called with nothing that needs a destructor left, apart from what unwinding destroys.
[[noreturn]] void raiseMessage(lua_State *lua, const std::string &message) {
  lua_pushlstring(lua, message.data(), message.size());
  lua_error(lua);
  __builtin_unreachable();
}

} // namespace

void ErrorSlot::remember(Error error) {
  std::erase_if(m_recent, [&](const Error &known) { return known.message == error.message; });
  m_recent.push_front(std::move(error));
  if (m_recent.size() > kRecentErrors) {
    m_recent.pop_back();
  }
}

const Error *ErrorSlot::find(std::string_view text) const {
  const auto found = std::ranges::find_if(m_recent, [&](const Error &known) { return text.ends_with(known.message); });
  return found == m_recent.end() ? nullptr : &*found;
}

bool ErrorSlot::isPlaced(std::string_view text) const {
  return std::ranges::any_of(m_recent, [&](const Error &known) { return known.message == text; });
}

int currentLine(lua_State *lua) {
  lua_Debug activation{};
  return findLuaFunction(lua, 0, activation) ? activation.currentline : 0;
}

std::string placeOf(lua_State *lua) {
  lua_Debug activation{};
  return findLuaFunction(lua, 0, activation) ? fmt::format("{}:{}: ", activation.short_src, activation.currentline) : std::string();
}

void raise(lua_State *lua, ErrorCode code, std::string message) {
  ScriptContext &context = contextOf(lua);
  Error error{code, placeOf(lua) + std::move(message)};
  const std::string text = error.message;
  context.errors.remember(std::move(error));
  raiseMessage(lua, text);
}

void raise(lua_State *lua, Error error) {
  if (error.code == ErrorCode::ScriptInterrupted) {
    raiseFinal(lua, std::move(error));
  }
  ErrorSlot &errors = contextOf(lua).errors;
  if (!errors.isPlaced(error.message)) {
    error.message = placeOf(lua) + error.message;
  }
  const std::string text = error.message;
  errors.remember(std::move(error));
  raiseMessage(lua, text);
}

void raiseFinal(lua_State *lua, Error error) {
  ErrorSlot &errors = contextOf(lua).errors;
  if (!errors.isPlaced(error.message)) {
    error.message = placeOf(lua) + error.message;
  }
  const std::string text = error.message;
  errors.remember(std::move(error));
  errors.makeFinal(text);
  raiseMessage(lua, text);
}

void raiseAgainIfFinal(lua_State *lua, int status) {
  ScriptContext &context = contextOf(lua);
  if (status == LUA_ERRMEM && !context.errors.finalMessage()) {
    Error error = memoryError(context);
    const std::string text = error.message;
    context.errors.remember(std::move(error));
    context.errors.makeFinal(text);
  }
  if (const std::optional<std::string> &message = context.errors.finalMessage()) {
    raiseMessage(lua, *message);
  }
}

int handleMessage(lua_State *lua) {
  ErrorSlot &errors = contextOf(lua).errors;
  std::string message = messageOf(lua, 1);
  const Error *known = errors.find(message);
  if (!message.contains(contextOf(lua).scriptName + ":")) {
    message = placeOf(lua) + message; // from one of Lua's functions in C, or from error(..., 0)
  }
  Error error = known != nullptr ? *known : Error{codeOf(message), message};
  error.message = message; // a script may have put a place before it
  for (std::string &line : callersOf(lua)) {
    error.context.push_back(std::move(line));
  }
  errors.remember(std::move(error));
  lua_pushlstring(lua, message.data(), message.size());
  return 1;
}

Error takeError(lua_State *lua, int status) {
  ScriptContext &context = contextOf(lua);
  if (status == LUA_ERRMEM) {
    lua_pop(lua, 1);
    Error error = memoryError(context);
    context.errors.remember(error);
    context.errors.makeFinal(error.message);
    return error;
  }
  std::string message = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "an error whose message could not be read";
  lua_pop(lua, 1);
  const Error *known = context.errors.find(message);
  if (known == nullptr) {
    return {codeOf(message), std::move(message)};
  }
  Error error = *known;
  error.message = std::move(message);
  return error;
}

std::string describeValue(lua_State *lua, int index) {
  if (asTensor(lua, index) != nullptr) {
    return "a tensor";
  }
  if (asFunction(lua, index) != nullptr) {
    return "a function made by fn";
  }
  switch (lua_type(lua, index)) {
  case LUA_TNONE:
    return "nothing";
  case LUA_TNIL:
    return "nil";
  case LUA_TFUNCTION:
    return "a Lua function";
  default:
    return fmt::format("a {}", luaL_typename(lua, index));
  }
}

void detail::raiseStandardException(lua_State *lua, const char *what) {
  if (std::string_view(what) == std::bad_alloc().what()) {
    raiseFinal(lua, {ErrorCode::RuntimeMemory, "the system has no more memory"});
  }
  raise(lua, ErrorCode::Internal, what);
}

} // namespace jitscope::script
