// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/hash.h"

namespace jitscope::graph {

class Graph;

/// `Graph::structuralHash`, from its nodes.
[[nodiscard]] base::Hash128 structuralHashOf(const Graph &graph);

/// Stands for the function that a graph was traced from: its name and its operations, callees included, without types and sizes.
/// The graphs of one function for different sizes or element types share it, unless the function computes something else for them.
[[nodiscard]] base::Hash128 functionHashOf(const Graph &graph);

} // namespace jitscope::graph
