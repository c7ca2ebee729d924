// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

struct lua_State;

/// The script functions, by what they are for. Each `add…` is called once, while the state is set up, and runs protected.
namespace jitscope::script {

/// A script function under its name: as a global, as a method of tensors, or both.
struct Binding {
  const char *name;
  int (*function)(lua_State *);
  bool isGlobal;
  bool isMethod;
};
void addBindings(lua_State *lua, std::span<const Binding> bindings);

} // namespace jitscope::script
