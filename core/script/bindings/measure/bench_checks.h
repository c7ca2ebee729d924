// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

struct lua_State;

namespace jitscope::script {

struct BenchRequest;

/// Calls each case that has a check once on each of its inputs, before anything is measured, and gives the check the results (and
/// the name of the input, where inputs have names). A case does not pass where the check gives false or nil, raises an error, or
/// an expectation in it fails: then it is marked as broken. Either way an expectation "bench.check" is recorded.
/// `table` is where bench's table is on the stack, from which `request` was read.
void runChecks(lua_State *lua, int table, BenchRequest &request);

} // namespace jitscope::script
