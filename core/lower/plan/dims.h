// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <vector>

namespace jitscope::lower {

/// One size of a node: a number, or what `axis` of `node` turns out to be at the call. Two unknown sizes that must be equal refer
/// to the same axis, so equal shapes are recognized before they are known.
struct Dim {
  std::int64_t known = graph::kDynamic;
  graph::NodeIndex node = 0;
  std::uint32_t axis = 0;

  [[nodiscard]] bool isKnown() const { return known != graph::kDynamic; }
  [[nodiscard]] bool isOne() const { return known == 1; }
  friend bool operator==(const Dim &, const Dim &) = default;
};

/// The sizes of a node, outermost first.
using Dims = std::vector<Dim>;

/// The sizes of every node of `graph`.
std::vector<Dims> dimsOf(const graph::Graph &graph);

/// Whether one is the other with axes of size 1 added or taken away.
bool isSqueeze(const Dims &left, const Dims &right);

/// How the elements that a reader asks of an operand lie to the reader's own.
enum class Edge : std::uint8_t {
  Same,      ///< one for one, at the same index
  Moved,     ///< each at most once, at another index
  MayRepeat, ///< each once, unless a size that is not known yet is 1
  Repeated   ///< each several times
};

/// The edge of an operand that is broadcast to `to`.
Edge broadcastEdge(const Dims &from, const Dims &to);
/// The edge from `reader` to one of its array operands. Readers that need the operand as memory count as `Moved`.
Edge edgeOf(const graph::Graph &graph, const std::vector<Dims> &dims, graph::NodeIndex reader, graph::NodeIndex operand);

} // namespace jitscope::lower
