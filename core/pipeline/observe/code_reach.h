// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jitscope::pipeline {

/// Which code of a compile can run: the functions that its units emit, and what they call.
class CodeReach {
public:
  /// A function in the module of a unit.
  using Place = std::pair<base::FunctionId, std::string>;
  /// The id of the function with that symbol; none for others.
  using IdOf = std::function<base::FunctionId(std::string_view symbol)>;

  /// Machine code is made for the function.
  void emits(const Place &place) { m_functions[place].isEmitted = true; }
  void calls(const Place &caller, const std::string &callee) { m_functions[caller].callees.push_back(callee); }
  /// It may be called from anywhere.
  void addressTaken(const std::string &symbol) { m_addressTaken.insert(symbol); }

  /// What the `roots` reach. A symbol means the function of the caller's unit, else of the unit where it is at home, else of one
  /// that has a copy; the root's unit is looked through first.
  [[nodiscard]] std::set<Place> from(const std::vector<std::string> &roots, base::FunctionId rootUnit, const IdOf &idOf) const;

private:
  struct Function {
    bool isEmitted = false;
    std::vector<std::string> callees;
  };
  std::map<Place, Function> m_functions;
  std::set<std::string> m_addressTaken;
};

} // namespace jitscope::pipeline
