// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"

#include <set>
#include <vector>

namespace jitscope::analysis {

/// The functions that remarks say were inlined into a function itself. Those that the session does not name are left out.
[[nodiscard]] std::set<base::FunctionId> inlinedCallees(const event::CompileEvent &compile, base::FunctionId caller,
                                                        const std::vector<event::FunctionEvent> &functions);

} // namespace jitscope::analysis
