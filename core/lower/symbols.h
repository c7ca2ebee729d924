// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace jitscope::graph {
class Graph;
} // namespace jitscope::graph

namespace jitscope::lower {

/// A function of a call graph and the symbol it is compiled under.
struct NamedFunction {
  std::shared_ptr<const graph::Graph> graph;
  std::string symbol;
};

/// The symbol of a function: its name with other characters than letters and digits replaced, and a hash of its structure and its
/// callees' symbols. Functions with the same symbol have equal modules, except for the script lines.
std::string symbolOf(const graph::Graph &graph);
/// The symbol of the wrapper that the runtime calls.
std::string entrySymbolOf(const graph::Graph &root);

/// `root` and every graph it reaches by Call or Map, each symbol once, callees before callers.
std::vector<NamedFunction> functionsOf(const std::shared_ptr<const graph::Graph> &root);

} // namespace jitscope::lower
