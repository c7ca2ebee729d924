// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/bindings/measure/call_table.h"

#include "event/compile_cost.h"

#include <string_view>
#include <utility>

#include <lua.hpp>

namespace jitscope::script {

void pushCallTable(lua_State *lua, const event::CallEvent &event) {
  lua_createtable(lua, 0, 9);
  const std::string_view outcome = nameOf(event.outcome);
  lua_pushlstring(lua, outcome.data(), outcome.size());
  lua_setfield(lua, -2, "outcome");
  lua_pushboolean(lua, event::paidForCompile(event.outcome) ? 1 : 0);
  lua_setfield(lua, -2, "compiled");
  lua_pushnumber(lua, static_cast<double>(event.totalNs()) * 1e-6);
  lua_setfield(lua, -2, "ms");
  const std::pair<const char *, std::uint64_t> durations[] = {{"ns", event.totalNs()},
                                                              {"lookup_ns", event.lookupNs},
                                                              {"wait_ns", event.waitNs},
                                                              {"compile_ns", event.compileNs},
                                                              {"execute_ns", event.executeNs}};
  for (const auto &[name, ns] : durations) {
    lua_pushinteger(lua, static_cast<lua_Integer>(ns));
    lua_setfield(lua, -2, name);
  }
}

} // namespace jitscope::script
