// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// The element as a number; exact for all but large s64.
double numberOf(graph::DType dtype, std::uint64_t bits);
/// The bits of a number, truncated and saturated for integers.
std::uint64_t bitsOf(graph::DType dtype, double number);

/// How many representable numbers lie between two floats of one dtype; 0 for two NaNs, a huge number for one.
std::uint64_t ulpsBetween(graph::DType dtype, std::uint64_t left, std::uint64_t right);

/// The first difference between two lists of arrays in words, or "". Floats may differ by `ulps`, everything else by nothing; NaNs
/// are all alike.
std::string firstDifference(const std::vector<ReferenceArray> &actual, const std::vector<ReferenceArray> &expected,
                            double ulps = 0);

} // namespace jitscope::testing
