// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace jitscope::graph {

class Graph;

/// The stable text form, one node a line; with `withPlaces` each line ends in the script's line.
std::string toText(const Graph &graph, bool withPlaces = false);

} // namespace jitscope::graph
