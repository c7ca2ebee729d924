// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace jitscope::pipeline {

/// A function and the symbol of its body.
struct UnitFunction {
  base::FunctionId id;
  std::string symbol;
  std::string name = {}; ///< for people; empty: the symbol says it
};

/// What a compiler is given at a time: a module and the functions that are at home in it. A script's function is a unit of its own;
/// a module from elsewhere may hold several.
struct Unit {
  base::FunctionId id;                 ///< the function that stands for the unit; none for an entry wrapper
  std::string name;                    ///< for messages and cached work: equal names, equal code
  std::vector<UnitFunction> functions; ///< those that are at home here
  std::unique_ptr<llvm::Module> module;

  Unit();
  Unit(base::FunctionId id, std::string name, std::vector<UnitFunction> functions, std::unique_ptr<llvm::Module> module);
  Unit(Unit &&) noexcept;
  Unit &operator=(Unit &&) noexcept;
  ~Unit();
};

/// For each unit the units that define what it calls, by index; a unit is never its own. Symbols that none defines are left out.
std::vector<std::vector<std::size_t>> calleesOf(const std::vector<Unit> &units);

} // namespace jitscope::pipeline
