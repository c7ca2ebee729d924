// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/graph.h"

#include <algorithm>
#include <array>
#include <bit>

namespace jitscope::graph {

namespace {

constexpr std::array<std::string_view, kOpCount> kNames{
    "parameter",  "capture",   "constant",   "iota",    "negate",        "abs",        "exp",         "log",
    "sqrt",       "rsqrt",     "sin",        "cos",     "tanh",          "sigmoid",    "floor",       "convert",
    "add",        "subtract",  "multiply",   "divide",  "floor-divide",  "modulo",     "power",       "minimum",
    "maximum",    "less",      "less-equal", "greater", "greater-equal", "equal",      "not-equal",   "select",
    "reshape",    "transpose", "broadcast",  "slice",   "concat",        "reduce-sum", "reduce-mean", "reduce-max",
    "reduce-min", "argmax",    "dot",        "call",    "map",           "result"};

void collectCallees(const std::shared_ptr<const Graph> &graph, std::vector<std::shared_ptr<const Graph>> &found) {
  const auto isFound = [&](const Graph &candidate) {
    return std::ranges::any_of(found, [&](const auto &other) { return other->structuralHash() == candidate.structuralHash(); });
  };
  if (isFound(*graph)) {
    return;
  }
  for (const Node &node : graph->nodes()) {
    if (node.op == Op::Call || node.op == Op::Map) {
      collectCallees(node.calleePointer(), found);
    }
  }
  if (!isFound(*graph)) {
    found.push_back(graph);
  }
}

} // namespace

std::string_view nameOf(Op op) { return kNames.at(static_cast<std::size_t>(op)); }

std::vector<std::shared_ptr<const Graph>> calleesFirst(const std::shared_ptr<const Graph> &root) {
  std::vector<std::shared_ptr<const Graph>> found;
  collectCallees(root, found);
  return found;
}

} // namespace jitscope::graph
