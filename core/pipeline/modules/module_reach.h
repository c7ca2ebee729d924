// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/modules/module_graph.h"

#include <string>
#include <vector>

namespace jitscope::pipeline {

/// The part of several modules that a study compiles: every pipeline gets the same code.
struct ModuleReach {
  std::vector<bool> isReached;                 ///< by node: the root needs it, or it stays in any case
  std::vector<bool> isIncluded;                ///< by module: something in it is reached
  std::vector<std::vector<std::size_t>> needs; ///< by module: the modules that what is reached in it needs, in ascending order
  std::vector<ModuleGraph::Node>
      keptAnyway; ///< functions that the root does not reach: llvm.used or a list of constructors names them
  std::vector<ModuleGraph::Node> leftOut; ///< functions that are not compiled
  /// Variables seen in one module alone that code left out refers to, and may therefore change.
  std::vector<ModuleGraph::Node> sharedState;
};

/// Follows calls, addresses in code, initializers of variables, aliases and personalities from the root.
ModuleReach reachOf(const ModuleGraph &graph, ModuleGraph::Node root);

} // namespace jitscope::pipeline
