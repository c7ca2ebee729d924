// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"
#include "script/lua/value_name.h"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

struct lua_State;

namespace jitscope::script {

/// The references of one Lua state that static arguments hold. Handles may be dropped on any thread and after the state is closed:
/// they only leave a note here, and the thread that runs Lua releases the values.
class StaticReferences {
public:
  /// Any thread.
  void drop(int reference);
  /// On the thread that runs Lua: lets Lua collect what was dropped.
  void releaseDropped(lua_State *lua);

private:
  std::mutex m_mutex;
  std::vector<int> m_dropped;
};

/// The value at `index` (a string, boolean, nil, table or function made by `fn`) as a static argument: its canonical text and a
/// handle that keeps it. Equal values have equal texts; the keys of tables are sorted. Raises ScriptArgument, beginning with
/// `name`, for values that have no such text: Lua functions, coroutines, tables that contain themselves, tensors in tables.
StaticArgument makeStaticArgument(lua_State *lua, int index, const ValueName &name);

/// A text in quotes; control characters are spelled out.
std::string quotedText(std::string_view text);

/// Pushes the value of a static argument that `makeStaticArgument` made.
void pushStaticValue(lua_State *lua, const StaticArgument &argument);

} // namespace jitscope::script
