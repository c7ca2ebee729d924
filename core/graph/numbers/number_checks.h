// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"
#include "graph/numbers/number.h"
#include "graph/numbers/number_evaluation.h"

#include <optional>
#include <span>

/// The Lua numbers in a graph whose values only a call knows. Numbers are not part of a template, so one executable serves all
/// numbers; each call checks whether its numbers fit the dtypes that they meet.
namespace jitscope::graph {

/// The value of a tensor that stands for a Lua number; nothing for all others.
std::optional<Number> numberOf(const Tensor &tensor);

/// Every node that the value of one of `roots` depends on and that may stand for a Lua number, the roots included; sorted.
std::vector<NodeIndex> numberStepsFor(const std::vector<Node> &nodes, std::span<const NodeIndex> roots);

/// Checks the numbers of one call: ScriptArgument when one does not fit, as "u8 cannot hold 300, which line 3 needs; …". Unknown
/// values are skipped. Any thread.
base::Result<void> checkNumbers(const Graph &graph, ParameterNumbers parameters);

} // namespace jitscope::graph
