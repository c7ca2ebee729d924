// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"
#include "graph/template.h"

#include <cstddef>
#include <vector>

namespace jitscope::script {

/// The types of the tensors in a template, in order: those of the graph's parameters.
std::vector<graph::TensorType> tensorTypesOf(const graph::Template &tmpl);

/// The first `count` nodes of a graph: its parameters.
std::vector<graph::NodeIndex> parameterNodes(std::size_t count);

} // namespace jitscope::script
