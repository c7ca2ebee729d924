// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

struct lua_State;

namespace jitscope::script {

/// Reads the table that a script gives to `study`, at `index`: `{ f, a, b, pipelines={"deferred"}, repetitions=5 }`, or with
/// `modules{…}` in the place of the function and its arguments. Raises errors that name the field.
StudyRequest readStudyRequest(lua_State *lua, int index);

/// Reads the table that a script gives to `modules`, at `index`: `{ "a.bc", "b.ll", root="symbol", triple="…" }`.
ModuleSet readModuleSet(lua_State *lua, int index);

} // namespace jitscope::script
