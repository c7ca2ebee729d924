// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/module_reach.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace jitscope::pipeline {

namespace {

using Node = ModuleGraph::Node;

class ReachFinder {
public:
  explicit ReachFinder(const ModuleGraph &graph) : m_graph(graph) {
    m_reach.isReached.assign(graph.nodeCount(), false);
    m_reach.isIncluded.assign(graph.modules().size(), false);
    m_reach.needs.resize(graph.modules().size());
  }

  ModuleReach run(Node root) {
    follow(root);
    const std::vector<bool> byRoot = m_reach.isReached;
    keepLists();
    std::set<std::string_view> reachedNames;
    for (Node node = 0; node < m_graph.nodeCount(); ++node) {
      if (m_reach.isReached[node] && m_graph.isDefinedFunction(node)) {
        reachedNames.insert(m_graph.symbolOf(node).name);
      }
    }
    for (Node node = 0; node < m_graph.nodeCount(); ++node) {
      const bool isCopy = m_graph.symbolOf(node).isVisible && reachedNames.contains(m_graph.symbolOf(node).name);
      if (!m_graph.isDefinedFunction(node) || byRoot[node] || !m_graph.isHome(node)) {
        continue;
      }
      if (m_reach.isReached[node]) {
        m_reach.keptAnyway.push_back(node);
      } else if (!isCopy) {
        m_reach.leftOut.push_back(node);
      }
    }
    findSharedState();
    return std::move(m_reach);
  }

private:
  void follow(Node start) {
    std::vector<Node> open{start};
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (m_reach.isReached[node]) {
        continue;
      }
      m_reach.isReached[node] = true;
      const bool isDefined = m_graph.symbolOf(node).isDefined;
      m_reach.isIncluded[m_graph.fileOf(node)] = m_reach.isIncluded[m_graph.fileOf(node)] || isDefined;
      for (const Node needed : m_graph.needsOf(node)) {
        open.push_back(needed);
        need(m_graph.fileOf(node), m_graph.fileOf(needed));
      }
    }
  }

  void need(std::size_t file, std::size_t needed) {
    std::vector<std::size_t> &needs = m_reach.needs[file];
    const auto place = std::ranges::lower_bound(needs, needed);
    if (file != needed && (place == needs.end() || *place != needed)) {
      needs.insert(place, needed);
    }
  }

  /// Whoever loads a module runs its constructors, and what llvm.used names has users that LLVM does not see.
  void keepLists() {
    std::vector<bool> isDone(m_graph.modules().size(), false);
    for (bool isComplete = false; !isComplete;) {
      isComplete = true;
      for (std::size_t file = 0; file < m_graph.modules().size(); ++file) {
        if (!m_reach.isIncluded[file] || isDone[file]) {
          continue;
        }
        isDone[file] = true;
        isComplete = false;
        for (const std::size_t place : m_graph.modules()[file].kept) {
          follow(m_graph.nodeOf(file, place));
        }
      }
    }
  }

  void findSharedState() {
    std::set<Node> shared;
    for (Node node = 0; node < m_graph.nodeCount(); ++node) {
      if (m_reach.isReached[node]) {
        continue;
      }
      for (const Node needed : m_graph.needsOf(node)) {
        const ModuleSymbol &symbol = m_graph.symbolOf(needed);
        const bool isState = symbol.kind == SymbolKind::Variable && !symbol.isVisible && !symbol.isConstant;
        if (isState && m_reach.isReached[needed]) {
          shared.insert(needed);
        }
      }
    }
    m_reach.sharedState.assign(shared.begin(), shared.end());
  }

  const ModuleGraph &m_graph;
  ModuleReach m_reach;
};

} // namespace

ModuleReach reachOf(const ModuleGraph &graph, ModuleGraph::Node root) { return ReachFinder(graph).run(root); }

} // namespace jitscope::pipeline
