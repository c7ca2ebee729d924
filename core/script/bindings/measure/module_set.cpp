// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/bindings/measure/module_set.h"

#include "script/lua/userdata.h"

namespace jitscope::script {

namespace {

constexpr char kKey = 0; // its address is the type's key

} // namespace

ModuleSet *asModuleSet(lua_State *lua, int index) { return asUserdata<ModuleSet>(lua, index, &kKey); }

void pushModuleSet(lua_State *lua, ModuleSet set) { pushUserdata<ModuleSet>(lua, &kKey, std::move(set)); }

void createModuleSetType(lua_State *lua) {
  createMetatable<ModuleSet>(lua, &kKey, "modules");
  lua_pop(lua, 1);
}

} // namespace jitscope::script
