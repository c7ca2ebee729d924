// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <array>
#include <string>
#include <string_view>

/// What a call had to do with a compile. This is the one definition: columns, statistics, budgets, reports, comparisons and the
/// window use the two predicates, and SQL uses the conditions below, which are made from them.
namespace jitscope::event {

/// Every outcome, in the order in which tables list them.
inline constexpr std::array kOutcomes{Outcome::Hit, Outcome::Retrace, Outcome::Disk, Outcome::Miss, Outcome::Wait, Outcome::Bypass};

/// Whether a call that was served like this *paid for a compile*: it compiled itself. Texts say that it "compiled".
[[nodiscard]] constexpr bool paidForCompile(Outcome outcome) { return outcome == Outcome::Miss || outcome == Outcome::Bypass; }

/// Whether a call that was served like this was *held up by a compile*: it paid for one, or it waited for that of another call.
[[nodiscard]] constexpr bool heldUpByCompile(Outcome outcome) { return paidForCompile(outcome) || outcome == Outcome::Wait; }

/// The same as conditions of SQL on a column with the spelling of an outcome, e.g. "outcome IN ('miss', 'bypass')".
[[nodiscard]] std::string paidForCompileSql(std::string_view column = "outcome");
[[nodiscard]] std::string heldUpByCompileSql(std::string_view column = "outcome");

/// A statement that makes the view `outcome(name, paid, held_up)` with a row for each outcome, for queries by hand.
[[nodiscard]] std::string outcomeViewSql();

} // namespace jitscope::event
