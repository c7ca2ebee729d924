// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <string>
#include <vector>

struct lua_State;

namespace jitscope::script {

/// A variable outside of a Lua function that its code reads or assigns: an upvalue, or fields of one by constant names. A global is
/// a field of the upvalue `_ENV`.
struct OutsideAccess {
  int upvalue = 0;               ///< from 1, as the Lua API counts
  std::vector<std::string> path; ///< names of fields, outermost first; empty: the upvalue itself
  bool isWrite = false;

  friend auto operator<=>(const OutsideAccess &, const OutsideAccess &) = default;
};

/// The outside variables that the code of the Lua function at `index`, and of functions defined in it, accesses, whether or not
/// that code runs; sorted, without duplicates. It is read from the function's bytecode in the format of Lua 5.4; for other formats
/// the result is empty. Fields by computed names are left out. Raises errors of memory.
std::vector<OutsideAccess> outsideAccessesOf(lua_State *lua, int index);

} // namespace jitscope::script
