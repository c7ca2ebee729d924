// SPDX-License-Identifier: GPL-3.0-or-later
// The last step of a builder: what nobody reads is dropped, the rest renumbered and hashed.
#include "base/try.h"
#include "graph/builder/builder.h"
#include "graph/graph_hashes.h"
#include "graph/numbers/number_checks.h"
#include "graph/verifier.h"

#include <algorithm>

#include <fmt/format.h>

namespace jitscope::graph {

namespace {

/// Nodes reachable from the results; parameters stay, since they are the signature.
std::vector<bool> liveNodes(const std::vector<Node> &nodes, const std::vector<NodeIndex> &results) {
  std::vector<bool> live(nodes.size(), false);
  for (const NodeIndex result : results) {
    live[result] = true;
  }
  for (auto index = static_cast<NodeIndex>(nodes.size()); index-- > 0;) {
    if (nodes[index].op == Op::Parameter) {
      live[index] = true;
    }
    if (live[index]) {
      for (const NodeIndex operand : nodes[index].operands) {
        live[operand] = true;
      }
    }
  }
  return live;
}

} // namespace

void GraphBuilder::finishNumberChecks(const std::vector<bool> &live, const std::vector<NodeIndex> &newIndex) {
  NumberChecks &numbers = m_graph->m_numberChecks;
  std::erase_if(numbers.checks, [&](const NumberCheck &check) { return !live[check.node]; });
  std::vector<NodeIndex> roots;
  const auto addRoot = [&](NodeIndex node) {
    if (m_graph->m_nodes[node].op != Op::Parameter && m_graph->m_nodes[node].type.weak) {
      roots.push_back(node);
    }
  };
  for (NumberCheck &check : numbers.checks) {
    check.node = newIndex[check.node];
    addRoot(check.node);
  }
  for (NodeIndex index = 0; index < m_graph->m_nodes.size(); ++index) {
    const Node &node = m_graph->m_nodes[index];
    if ((node.op == Op::Call || node.op == Op::Map) && !node.callee().numberChecks().isEmpty()) {
      numbers.calls.push_back(index);
      std::ranges::for_each(node.operands, addRoot);
    }
  }
  numbers.steps = numberStepsFor(m_graph->m_nodes, roots);
}

base::Result<std::shared_ptr<const Graph>> GraphBuilder::finish(std::vector<NodeIndex> results) {
  if (results.empty()) {
    return base::fail(base::ErrorCode::ScriptArgument,
                      fmt::format("{} returned nothing: a traced function must return at least one tensor", m_graph->m_name));
  }
  const std::vector<bool> live = liveNodes(m_graph->m_nodes, results);
  std::vector<NodeIndex> newIndex(live.size(), 0);
  std::vector<Node> nodes;
  std::vector<Tensor> captures;
  for (NodeIndex index = 0; index < live.size(); ++index) {
    if (!live[index]) {
      continue;
    }
    Node node = std::move(m_graph->m_nodes[index]);
    for (NodeIndex &operand : node.operands) {
      operand = newIndex[operand];
    }
    if (node.op == Op::Capture) {
      captures.push_back(m_graph->m_captures[node.index()]);
      node.attribute = IndexAttribute{static_cast<std::uint32_t>(captures.size() - 1)};
    }
    const bool isCall = node.op == Op::Call || node.op == Op::Map;
    m_graph->m_isStatic = m_graph->m_isStatic && node.type.shape.isStatic() && (!isCall || node.callee().isStatic());
    newIndex[index] = static_cast<NodeIndex>(nodes.size());
    nodes.push_back(std::move(node));
  }
  for (NodeIndex &result : results) {
    result = newIndex[result];
  }
  m_graph->m_nodes = std::move(nodes);
  m_graph->m_captures = std::move(captures);
  finishNumberChecks(live, newIndex);
  m_graph->m_results = std::move(results);
  m_graph->m_structuralHash = structuralHashOf(*m_graph);
  JITSCOPE_TRY_VOID(verify(*m_graph));
  return std::shared_ptr<const Graph>(std::move(m_graph));
}

} // namespace jitscope::graph
