// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/plan/dims.h"

#include <limits>
#include <optional>

namespace jitscope::lower {

/// How a node is carried out.
enum class Role : std::uint8_t {
  Input,     ///< a parameter or capture
  Scalar,    ///< rank 0: straight-line code
  Inline,    ///< computed wherever it is read, at the index it is read at
  Looped,    ///< computed once for each element, in the loop of its cluster
  Kernel,    ///< reduction, concat, dot or call: code of its own
  Projection ///< a result of a call
};

inline constexpr std::uint32_t kNoCluster = std::numeric_limits<std::uint32_t>::max();

/// What fusion decided about a node.
struct NodePlan {
  Role role = Role::Inline;
  bool isStored = false;              ///< its elements are in memory: it is an array, and only its own loop computes it
  std::uint32_t cluster = kNoCluster; ///< of looped nodes and reductions
  std::uint32_t level = 0;            ///< code of one level depends on lower levels only; what a level's loops share counts as one
};

/// Nodes that one loop nest computes: elementwise nodes of one shape, or reductions of one shape over the same axes.
struct Cluster {
  std::uint32_t level = 0;
  bool isReduction = false;
  Dims dims;                                  ///< what the loops run over
  std::vector<std::uint32_t> axes = {};       ///< the reduced ones
  std::vector<graph::NodeIndex> members = {}; ///< in order
};

/// Which nodes share loops and which live in memory.
struct FusionPlan {
  std::vector<Dims> dims;
  std::vector<NodePlan> nodes;
  std::vector<Cluster> clusters;
};

/// Groups the nodes of a graph: elementwise nodes of one shape share a loop as far as their dependences allow; a node is stored
/// only if it is a result, or is read from outside of its loop. A node with a single reader that asks for each element at most once
/// (a reduction, a transposition) is computed inside of that reader.
FusionPlan planFusion(const graph::Graph &graph);

/// The node whose memory holds the elements of `node`: a reshape is only another name for its operand.
graph::NodeIndex storageBase(const graph::Graph &graph, graph::NodeIndex node);

/// A matrix operand of a dot as memory: BLAS and loops alike read a transposed matrix where it is.
struct DotOperand {
  graph::NodeIndex base;
  bool isTransposed;
};
DotOperand dotOperand(const graph::Graph &graph, graph::NodeIndex operand);

} // namespace jitscope::lower
