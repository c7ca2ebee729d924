// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/observe/code_reach.h"

namespace jitscope::pipeline {

std::set<CodeReach::Place> CodeReach::from(const std::vector<std::string> &roots, base::FunctionId rootUnit,
                                           const IdOf &idOf) const {
  // Whoever defines a symbol: the unit where it is at home before those that hold copies.
  std::map<std::string, Place> definitions;
  for (const auto &[place, function] : m_functions) {
    if (function.isEmitted) {
      const auto [known, isNew] = definitions.try_emplace(place.second, place);
      if (!isNew && place.first == idOf(place.second)) {
        known->second = place;
      }
    }
  }
  std::set<Place> reached;
  std::vector<Place> next;
  const auto reach = [&](const std::string &symbol, base::FunctionId unit) {
    Place place{unit, symbol};
    if (const auto own = m_functions.find(place); own == m_functions.end() || !own->second.isEmitted) {
      const auto definition = definitions.find(symbol);
      if (definition == definitions.end()) {
        return; // of the process, as sin is
      }
      place = definition->second;
    }
    if (reached.insert(place).second) {
      next.push_back(place);
    }
  };
  for (const std::string &root : roots) {
    reach(root, rootUnit);
  }
  for (const std::string &symbol : m_addressTaken) {
    reach(symbol, rootUnit);
  }
  while (!next.empty()) {
    const Place place = std::move(next.back());
    next.pop_back();
    for (const std::string &callee : m_functions.at(place).callees) {
      reach(callee, place.first);
    }
  }
  return reached;
}

} // namespace jitscope::pipeline
