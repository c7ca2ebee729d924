// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lower/plan/grouping.h"
#include "lower/plan/sizes.h"

namespace jitscope::lower {

/// The position along a range of axes, counted row-major within the range.
struct AxisPosition {
  AxisRange range;
  llvm::Value *value;
  friend bool operator==(const AxisPosition &, const AxisPosition &) = default;
};

/// Where an element stands within a node, from the outermost axes to the innermost.
using ElementIndex = std::vector<AxisPosition>;

/// Turns the index that a reader works at into that of its operand, within one loop body. Each index is computed once.
class IndexMap {
public:
  IndexMap(llvm::IRBuilder<> &builder, Sizes &sizes, const graph::Graph &graph, const FusionPlan &plan, bool assumeEqual)
      : m_builder(builder), m_sizes(sizes), m_graph(graph), m_plan(plan), m_assumeEqual(assumeEqual) {}

  /// The index at which `reader`, asked for at `index`, needs its array operand `operand`.
  ElementIndex ofOperand(graph::NodeIndex reader, graph::NodeIndex operand, const ElementIndex &index);

  /// The row-major number of the element in an array of the sizes `dims`.
  llvm::Value *linear(const Dims &dims, const ElementIndex &index);
  /// The index moved by a known or computed distance along one axis, which begins its range.
  ElementIndex shifted(const ElementIndex &index, const Dims &dims, std::uint32_t axis, llvm::Value *distance);

private:
  ElementIndex broadcast(const Dims &from, const Dims &to, const ElementIndex &index);
  ElementIndex slice(const graph::Node &node, const Dims &source, const ElementIndex &index);
  ElementIndex reshape(const Dims &from, const Dims &to, const ElementIndex &index);
  static ElementIndex transpose(const graph::Node &node, const ElementIndex &index);
  [[nodiscard]] AxisMatch rangeMatch(const Dims &from, const Dims &to, AxisRange range) const;
  llvm::Value *zero() { return m_builder.getInt64(0); }
  llvm::Value *add(llvm::Value *left, llvm::Value *right);
  llvm::Value *multiply(llvm::Value *left, llvm::Value *right);

  llvm::IRBuilder<> &m_builder;
  Sizes &m_sizes;
  const graph::Graph &m_graph;
  const FusionPlan &m_plan;
  bool m_assumeEqual;
  std::map<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *> m_sums;
  std::map<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *> m_products;
};

} // namespace jitscope::lower
