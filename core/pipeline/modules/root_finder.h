// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "pipeline/modules/module_graph.h"

#include <string>
#include <vector>

namespace jitscope::pipeline {

/// The function that a study of modules starts from. `name` is a symbol or a name as people write it; empty: the one function that
/// nothing else in the modules refers to, but for wrappers of its own name. CompileInput where there is none or several could be
/// meant; the message lists them.
base::Result<ModuleGraph::Node> findRoot(const ModuleGraph &graph, const std::vector<std::string> &paths, const std::string &name);

} // namespace jitscope::pipeline
