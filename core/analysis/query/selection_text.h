// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "base/error.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

/// Selections as they are written and read: one condition a text, KEY=VALUE. The keys are `section`, `function`, `template`,
/// `case`, `outcome`, `from` and `to`. A value is a name of the session ("benchmark"; of a template its signature; of a case its
/// name, where that is not enough with its input in brackets), or an id after "#". Times are since the session began, in seconds or
/// with their unit ("1.5", "1500ms"), and reach from `from` up to, and without, `to`.
namespace jitscope::analysis {

/// The keys of conditions.
[[nodiscard]] std::span<const std::string_view> selectionKeys();

/// The selection that a session's calls must meet, all conditions together. RuntimeOption for a key that is none, twice the same
/// key, a name that the session lacks (the nearest are offered) or has more than once (their ids are told), and a value that is
/// no time or no outcome.
[[nodiscard]] base::Result<Selection> readSelection(session::SessionReader &reader, std::span<const std::string> conditions);

/// The conditions that `readSelection` makes this selection of in the same session; none where nothing restricts.
[[nodiscard]] std::vector<std::string> conditionsOf(const Selection &selection);

/// The conditions for people, in the order of `Selection`, e.g. "section benchmark" and "outcome miss". The error is that of a
/// query.
[[nodiscard]] base::Result<std::vector<std::string>> describeSelection(session::SessionReader &reader, const Selection &selection);

} // namespace jitscope::analysis
