// SPDX-License-Identifier: GPL-3.0-or-later
#include "event/compile_cost.h"

#include <fmt/format.h>

namespace jitscope::event {

namespace {

template <typename Predicate> std::string conditionOf(std::string_view column, Predicate isMeant) {
  std::string names;
  for (const Outcome outcome : kOutcomes) {
    if (isMeant(outcome)) {
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", nameOf(outcome));
    }
  }
  return fmt::format("{} IN ({})", column, names);
}

} // namespace

std::string paidForCompileSql(std::string_view column) { return conditionOf(column, paidForCompile); }

std::string heldUpByCompileSql(std::string_view column) { return conditionOf(column, heldUpByCompile); }

std::string outcomeViewSql() {
  std::string rows;
  for (const Outcome outcome : kOutcomes) {
    rows += fmt::format("{}('{}', {}, {})", rows.empty() ? "" : ", ", nameOf(outcome), paidForCompile(outcome) ? 1 : 0,
                        heldUpByCompile(outcome) ? 1 : 0);
  }
  return fmt::format("CREATE VIEW outcome(name, paid, held_up) AS VALUES {};\n", rows);
}

} // namespace jitscope::event
