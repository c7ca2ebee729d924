// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/emit/emission.h"

namespace jitscope::lower {

/// Computes elements within one loop body: it reads those in memory and computes the others from their operands, each once per
/// index.
class Evaluator {
public:
  /// For the body of that cluster's loops, or `kNoCluster` elsewhere.
  Evaluator(Emission &emission, std::uint32_t cluster, bool assumeEqual)
      : m_emission(emission), m_cluster(cluster),
        m_map(emission.builder, emission.sizes, emission.graph, emission.plan.fusion, assumeEqual) {}

  llvm::Value *at(graph::NodeIndex node, const ElementIndex &index);
  IndexMap &map() { return m_map; }

private:
  /// An element: a node and a place in `m_indices`; 0 for scalars.
  using Element = std::pair<graph::NodeIndex, std::size_t>;

  std::size_t intern(const ElementIndex &index);
  [[nodiscard]] bool isComputedHere(graph::NodeIndex node) const;
  /// The elements that an element is computed from.
  std::vector<Element> operandsOf(const Element &element);
  llvm::Value *compute(const Element &element, const std::vector<Element> &operands);
  [[nodiscard]] llvm::Value *known(const Element &element) const;

  Emission &m_emission;
  std::uint32_t m_cluster;
  IndexMap m_map;
  std::vector<ElementIndex> m_indices{{}};
  std::map<Element, llvm::Value *> m_values;
};

} // namespace jitscope::lower
