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

void addCreation(lua_State *lua);     ///< iota, zeros, ones, full, uniform, normal, tensor
void addElementwise(lua_State *lua);  ///< operators, exp and its like, comparisons, select, min, max, pow, as_type
void addShapes(lua_State *lua);       ///< reshape, transpose, broadcast, slice, concat
void addReductions(lua_State *lua);   ///< sum, mean, max, min, argmax, dot
void addInspection(lua_State *lua);   ///< shape, dtype, to_table, tostring, and the errors for what tensors cannot do
void addFunctions(lua_State *lua);    ///< fn, map, time, compile
void addControl(lua_State *lua);      ///< section, stats, options, cache, sleep, print
void addBench(lua_State *lua);        ///< bench
void addStudies(lua_State *lua);      ///< study, modules
void addExpectations(lua_State *lua); ///< expect.*
void addBudgets(lua_State *lua);      ///< expect.percentile and the other budgets, after the expectations

} // namespace jitscope::script
