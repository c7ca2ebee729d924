// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"
#include "script/host.h"

#include <span>

namespace jitscope::runtime {

/// Whether the dtypes that the Lua numbers among `arguments` meet in `graph` hold them: ScriptArgument, "u8 cannot hold 300; …",
/// where one does not. Any thread.
base::Result<void> checkArgumentNumbers(const graph::Graph &graph, std::span<const script::Argument> arguments);

} // namespace jitscope::runtime
