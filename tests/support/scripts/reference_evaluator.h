// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/scripts/reference_scalars.h"

#include "graph/graph.h"

#include <string>
#include <vector>

namespace jitscope::testing {

/// An array as the reference holds it: each element in 64 bits of its own, as memory of its dtype would hold it.
struct ReferenceArray {
  graph::DType dtype = graph::DType::F32;
  graph::Shape shape;
  std::vector<std::uint64_t> bits;
};

/// What a graph computes, one element at a time and as plainly as possible. Shares no code with lowering. `inputs` are the
/// parameters and then the captures; sizes that the graph leaves open are taken from them.
std::vector<ReferenceArray> evaluate(const graph::Graph &graph, const std::vector<ReferenceArray> &inputs);

/// The first difference between two lists of arrays in words, or "". Floats may differ by `ulps`, everything else by nothing; NaNs
/// are all alike.
std::string firstDifference(const std::vector<ReferenceArray> &actual, const std::vector<ReferenceArray> &expected,
                            double ulps = 0);

} // namespace jitscope::testing
