// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "script/host.h"

struct lua_State;

namespace jitscope::script {

/// Reads the table that a script gives to `bench`, at `index`:
/// `{ warmup=2, time=4, parallel=1, max_samples=1000, legs={"cold","warm"}, inputs={small={a}, large={b}}, check=g, {"case", f, a},
/// … }`. Inputs are taken in the order of their names. Checks are only looked at; `runChecks` calls them. Raises errors that name
/// the field.
BenchRequest readBenchRequest(lua_State *lua, int index);

} // namespace jitscope::script
