// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"
#include "graph/numbers/number.h"

#include <optional>
#include <span>
#include <vector>

namespace jitscope::graph {

/// The values of a graph's parameters that are Lua numbers; nothing for tensors, and for what is not known yet.
using ParameterNumbers = std::span<const std::optional<Number>>;

/// The values of the nodes `steps`, in their order, as the compiled code would compute them; `steps` holds the operands of each
/// before it. Nothing where a value does not follow from numbers alone.
std::vector<std::optional<Number>> evaluateNumbers(const std::vector<Node> &nodes, std::span<const NodeIndex> steps,
                                                   ParameterNumbers parameters);

} // namespace jitscope::graph
