// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

namespace jitscope::graph {

/// Checks what lowering relies on: operands come before users, counts, dtypes and shapes agree with the inference, attributes are
/// of their op's kind, results exist. CompileGraph names the first node that is wrong.
base::Result<void> verify(const Graph &graph);

} // namespace jitscope::graph
