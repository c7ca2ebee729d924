// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "pipeline/modules/module_graph.h"

#include <string>
#include <vector>

namespace jitscope::pipeline {

/// The function that a study of modules starts from. `name` is a symbol or a name as people write it; empty: the one function that
/// nothing else in the modules refers to, except wrappers of its own name. CompileInput if there is no such function, or more than
/// one; the message lists them.
base::Result<ModuleGraph::Node> findRoot(const ModuleGraph &graph, const std::vector<std::string> &paths, const std::string &name);

} // namespace jitscope::pipeline
