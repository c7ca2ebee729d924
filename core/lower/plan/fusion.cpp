// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/plan/fusion.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace jitscope::lower {

using graph::Graph;
using graph::Node;
using graph::NodeIndex;
using graph::Op;

namespace {

bool isScalar(const Graph &graph, NodeIndex index) { return graph.node(index).type.shape.isScalar(); }

bool isView(Op op) { return op == Op::Reshape || op == Op::Transpose || op == Op::Broadcast || op == Op::Slice; }

bool isMapResult(const Graph &graph, const Node &node) {
  return node.op == Op::Result && graph.node(node.operands[0]).op == Op::Map;
}

/// Whether computing an element again costs more than reading it back.
bool isExpensive(const Graph &graph, const Node &node) {
  switch (node.op) {
  case Op::Exp:
  case Op::Log:
  case Op::Sin:
  case Op::Cos:
  case Op::Tanh:
  case Op::Sigmoid:
  case Op::Power:
  case Op::FloorDivide:
  case Op::Modulo:
  case Op::Map:
    return true;
  default:
    return isMapResult(graph, node);
  }
}

/// Which nodes can be computed from the row-major number of an element alone.
std::vector<bool> linearNodes(const Graph &graph, const std::vector<Dims> &dims) {
  std::vector<bool> linear(graph.nodes().size(), true);
  for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
    const Node &node = graph.node(index);
    const auto fits = [&](NodeIndex operand) {
      return isScalar(graph, operand) || (dims[operand] == dims[index] && linear[operand]);
    };
    if (node.op == Op::Transpose || node.op == Op::Slice) {
      linear[index] = false;
    } else if (node.op == Op::Reshape) {
      linear[index] = linear[node.operands[0]];
    } else if (graph::isElementwise(node.op) || node.op == Op::Broadcast || isMapResult(graph, node)) {
      linear[index] = std::ranges::all_of(node.operands, fits);
    }
  }
  return linear;
}

/// Where a value is asked for: an index within the loops of the node that owns the place.
struct Place {
  NodeIndex owner;
  bool isIdentity; ///< the very index of the owner's loops
  Edge growth;     ///< how often each element is asked for there
};

class Fusion {
public:
  explicit Fusion(const Graph &graph) : m_graph(graph), m_uses(graph.nodes().size()), m_mustStore(graph.nodes().size(), false) {
    m_plan.dims = dimsOf(graph);
    m_plan.nodes.resize(graph.nodes().size());
    m_placeOf.assign(graph.nodes().size(), 0);
    m_readers.resize(graph.nodes().size());
    for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
      for (const NodeIndex operand : graph.node(index).operands) {
        m_readers[operand].push_back(index);
      }
    }
  }

  FusionPlan run() {
    findStored();
    for (auto index = static_cast<NodeIndex>(m_graph.nodes().size()); index-- > 0;) {
      assignRole(index);
      propagate(index);
    }
    for (NodeIndex index = 0; index < m_graph.nodes().size(); ++index) {
      assignLevel(index);
    }
    for (auto index = static_cast<NodeIndex>(m_graph.nodes().size()); index-- > 0;) {
      sink(index);
    }
    collectMembers();
    return std::move(m_plan);
  }

private:
  /// All that asks for a node: nobody, one place, or several.
  struct Use {
    enum class Count : std::uint8_t { None, One, Many } count = Count::None;
    std::uint32_t place = 0;
  };

  /// Results and what BLAS and callees read are memory; so is what a reshape could only find by dividing its index up.
  void findStored() {
    const std::vector<bool> linear = linearNodes(m_graph, m_plan.dims);
    const auto store = [&](NodeIndex index) { m_mustStore[index] = true; };
    for (const NodeIndex result : m_graph.results()) {
      store(storageBase(m_graph, result));
    }
    for (NodeIndex index = 0; index < m_graph.nodes().size(); ++index) {
      const Node &node = m_graph.node(index);
      if (node.op == Op::Call) {
        std::ranges::for_each(node.operands, [&](NodeIndex operand) { store(storageBase(m_graph, operand)); });
      } else if (node.op == Op::Dot) {
        std::ranges::for_each(node.operands, [&](NodeIndex operand) { store(dotOperand(m_graph, operand).base); });
      } else if (node.op == Op::Reshape && !isSqueeze(m_plan.dims[index], m_plan.dims[node.operands[0]]) &&
                 !linear[node.operands[0]]) {
        store(node.operands[0]);
      }
    }
  }

  std::uint32_t newPlace(Place place) {
    m_places.push_back(place);
    return static_cast<std::uint32_t>(m_places.size() - 1);
  }

  /// The place of what `via` reads when it is itself asked for at `place`. `via` stands for the way the index is changed.
  std::uint32_t placeBehind(std::uint32_t place, Edge edge, std::uint64_t via) {
    if (edge == Edge::Same) {
      return place;
    }
    const auto [known, isNew] = m_placesBehind.try_emplace({place, via}, 0);
    if (isNew) {
      known->second = newPlace({m_places[place].owner, false, std::max(m_places[place].growth, edge)});
    }
    return known->second;
  }

  static Use merged(const Use &known, const Use &use) {
    if (known.count == Use::Count::None) {
      return use;
    }
    if (use.count == Use::Count::None) {
      return known;
    }
    const bool isOne = known.count == Use::Count::One && use.count == Use::Count::One && known.place == use.place;
    return isOne ? known : Use{Use::Count::Many, 0};
  }

  /// The results of one map are decided about together, since the map itself is never stored.
  [[nodiscard]] std::vector<NodeIndex> siblingsOf(NodeIndex index) const {
    const Node &node = m_graph.node(index);
    return isMapResult(m_graph, node) ? m_readers[node.operands[0]] : std::vector<NodeIndex>{index};
  }

  [[nodiscard]] bool canInline(NodeIndex index, const Use &use) const {
    if (use.count == Use::Count::Many) {
      return false;
    }
    const Node &node = m_graph.node(index);
    const Edge growth = use.count == Use::Count::None ? Edge::Same : m_places[use.place].growth;
    return growth <= Edge::Moved || (growth == Edge::MayRepeat && !isExpensive(m_graph, node)) || node.op == Op::Convert;
  }

  void assignRole(NodeIndex index) {
    const Node &node = m_graph.node(index);
    NodePlan &plan = m_plan.nodes[index];
    const bool isArrayKernel = (graph::isReduction(node.op) && !isScalar(m_graph, node.operands[0])) || node.op == Op::Dot;
    if (node.op == Op::Parameter || node.op == Op::Capture) {
      plan.role = Role::Input;
    } else if (node.op == Op::Call || node.op == Op::Concat || isArrayKernel) {
      plan.role = Role::Kernel;
    } else if (node.op == Op::Result && !isMapResult(m_graph, node)) {
      plan.role = Role::Projection;
    } else if (node.type.shape.isScalar()) {
      plan.role = Role::Scalar;
    } else if (isView(node.op) || node.op == Op::Iota) {
      plan.role = m_mustStore[index] ? Role::Looped : Role::Inline;
    } else if (node.op == Op::Map) {
      plan.role = Role::Inline;
    } else if (plan.role != Role::Looped) {
      const std::vector<NodeIndex> siblings = siblingsOf(index);
      bool inlines = true;
      Use together;
      for (const NodeIndex sibling : siblings) {
        inlines = inlines && !m_mustStore[sibling];
        together = merged(together, m_uses[sibling]);
      }
      if (!inlines || !canInline(index, together)) {
        const std::uint32_t place = newPlace({siblings.front(), true, Edge::Same});
        for (const NodeIndex sibling : siblings) {
          m_plan.nodes[sibling].role = Role::Looped;
          m_placeOf[sibling] = place;
        }
      }
    }
    if (plan.role == Role::Inline) {
      m_placeOf[index] = m_uses[index].place;
    } else if (!isMapResult(m_graph, node) || plan.role != Role::Looped) {
      m_placeOf[index] = newPlace({index, plan.role == Role::Looped || graph::isReduction(node.op), Edge::Same});
    }
  }

  /// Asks for the operands of a node at the places where it needs them.
  void propagate(NodeIndex index) {
    const Node &node = m_graph.node(index);
    const Use own = m_plan.nodes[index].role == Role::Inline ? m_uses[index] : Use{Use::Count::One, m_placeOf[index]};
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      const NodeIndex operand = node.operands[i];
      if (isScalar(m_graph, operand)) {
        continue;
      }
      Use use = own;
      if (node.op == Op::Concat) {
        // Each operand has loops of its own.
        use = {Use::Count::One, newPlace({index, false, Edge::Same})};
      } else if (own.count == Use::Count::One) {
        const Edge edge = edgeOf(m_graph, m_plan.dims, index, operand);
        // A view's way is its own; a broadcast's depends on the shape of what is broadcast only.
        const std::uint64_t via = isView(node.op) ? index : m_graph.nodes().size() + operand;
        use.place = placeBehind(own.place, edge, via);
      }
      m_uses[operand] = merged(m_uses[operand], use);
    }
  }

  /// The lowest level at which `operand` can be read; `fused` where the reader may share the operand's loop.
  [[nodiscard]] std::uint32_t readyLevel(NodeIndex operand, bool fused) const {
    return fused ? m_softLevel[operand] : m_hardLevel[operand];
  }

  void assignLevel(NodeIndex index) {
    const Node &node = m_graph.node(index);
    NodePlan &plan = m_plan.nodes[index];
    std::uint32_t soft = 0;
    std::uint32_t hard = 0;
    for (const NodeIndex operand : node.operands) {
      const bool isSame = !isScalar(m_graph, operand) && (graph::isElementwise(node.op) || isMapResult(m_graph, node)) &&
                          edgeOf(m_graph, m_plan.dims, index, operand) == Edge::Same;
      soft = std::max(soft, readyLevel(operand, isSame));
      hard = std::max(hard, readyLevel(operand, false));
    }
    switch (plan.role) {
    case Role::Looped:
      plan.level = soft;
      plan.cluster = clusterFor({plan.level, false, m_plan.dims[index]});
      hard = soft + 1;
      break;
    case Role::Kernel:
      plan.level = hard;
      if (graph::isReduction(node.op)) {
        plan.cluster = clusterFor({plan.level, true, m_plan.dims[node.operands[0]], node.axes()});
      }
      soft = hard = plan.level + 1;
      break;
    case Role::Scalar:
      soft = plan.level = hard;
      break;
    case Role::Input:
    case Role::Inline:
    case Role::Projection:
      plan.level = hard;
      break;
    }
    m_softLevel.push_back(soft);
    m_hardLevel.push_back(hard);
  }

  std::uint32_t clusterFor(Cluster cluster) {
    std::vector<std::tuple<std::int64_t, NodeIndex, std::uint32_t>> dims;
    for (const Dim &dim : cluster.dims) {
      dims.emplace_back(dim.known, dim.node, dim.axis);
    }
    const auto [known, isNew] = m_clusters.try_emplace({cluster.level, cluster.isReduction, dims, cluster.axes},
                                                       static_cast<std::uint32_t>(m_clusters.size()));
    if (isNew) {
      m_plan.clusters.push_back(std::move(cluster));
    }
    return known->second;
  }

  /// The cluster in whose loops `reader` asks for `operand` at the loops' own index, so that no memory is needed in between.
  [[nodiscard]] std::uint32_t sharedCluster(NodeIndex reader, NodeIndex operand) const {
    const Node &node = m_graph.node(reader);
    const Place &place = m_places[m_placeOf[reader]];
    const bool isLoop = graph::isElementwise(node.op) || graph::isReduction(node.op) || isMapResult(m_graph, node);
    // An inline node that several places ask for has no place of its own.
    const bool hasPlace = m_plan.nodes[reader].role != Role::Inline || m_uses[reader].count == Use::Count::One;
    if (!isLoop || !hasPlace || !place.isIdentity || edgeOf(m_graph, m_plan.dims, reader, operand) != Edge::Same) {
      return kNoCluster;
    }
    return m_plan.nodes[place.owner].cluster;
  }

  /// Moves a node that only one cluster reads into that cluster, and decides whether it is stored.
  void sink(NodeIndex index) {
    NodePlan &plan = m_plan.nodes[index];
    if (plan.role != Role::Looped) {
      plan.isStored = (plan.role == Role::Kernel && m_graph.node(index).op != Op::Call && !isScalar(m_graph, index)) ||
                      (plan.role == Role::Projection && !isScalar(m_graph, index));
      return;
    }
    const std::vector<NodeIndex> siblings = siblingsOf(index);
    if (siblings.front() != index) {
      return;
    }
    std::uint32_t shared = kNoCluster;
    bool canSink = true;
    for (const NodeIndex sibling : siblings) {
      canSink = canSink && !m_mustStore[sibling];
      for (const NodeIndex reader : m_readers[sibling]) {
        const std::uint32_t cluster = sharedCluster(reader, sibling);
        canSink = canSink && cluster != kNoCluster && (shared == kNoCluster || shared == cluster);
        shared = cluster;
      }
    }
    if (canSink && shared != kNoCluster) {
      for (const NodeIndex sibling : siblings) {
        m_plan.nodes[sibling].cluster = shared;
        m_plan.nodes[sibling].level = m_plan.clusters[shared].level;
      }
    }
    for (const NodeIndex sibling : siblings) {
      NodePlan &own = m_plan.nodes[sibling];
      own.isStored = m_mustStore[sibling] || std::ranges::any_of(m_readers[sibling], [&](NodeIndex reader) {
                       return sharedCluster(reader, sibling) != own.cluster;
                     });
    }
  }

  void collectMembers() {
    for (NodeIndex index = 0; index < m_plan.nodes.size(); ++index) {
      if (m_plan.nodes[index].cluster != kNoCluster) {
        m_plan.clusters[m_plan.nodes[index].cluster].members.push_back(index);
      }
    }
  }

  using ClusterKey =
      std::tuple<std::uint32_t, bool, std::vector<std::tuple<std::int64_t, NodeIndex, std::uint32_t>>, std::vector<std::uint32_t>>;

  const Graph &m_graph;
  FusionPlan m_plan;
  std::vector<std::vector<NodeIndex>> m_readers;
  std::vector<Use> m_uses;
  std::vector<bool> m_mustStore;
  std::vector<Place> m_places{{0, false, Edge::Same}};
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> m_placesBehind;
  std::vector<std::uint32_t> m_placeOf;
  std::vector<std::uint32_t> m_softLevel;
  std::vector<std::uint32_t> m_hardLevel;
  std::map<ClusterKey, std::uint32_t> m_clusters;
};

} // namespace

NodeIndex storageBase(const Graph &graph, NodeIndex node) {
  while (graph.node(node).op == Op::Reshape && !isScalar(graph, node) && !isScalar(graph, graph.node(node).operands[0])) {
    node = graph.node(node).operands[0];
  }
  return node;
}

DotOperand dotOperand(const Graph &graph, NodeIndex operand) {
  const Node &node = graph.node(operand);
  if (node.op == Op::Transpose && node.type.shape.rank() == 2 && node.axes()[0] == 1) {
    return {storageBase(graph, node.operands[0]), true};
  }
  return {storageBase(graph, operand), false};
}

FusionPlan planFusion(const Graph &graph) { return Fusion(graph).run(); }

} // namespace jitscope::lower
