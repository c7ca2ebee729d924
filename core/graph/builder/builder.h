// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/graph.h"

#include <optional>
#include <span>

namespace jitscope::graph {

/// Builds one graph and checks every node when it is added. A node's location (`setLine`) is the script line being traced. Errors
/// are ScriptShape or ScriptArgument, without the line: the caller knows it best. Used by one thread.
class GraphBuilder {
public:
  GraphBuilder(std::string name, int line, base::FunctionId functionId, std::vector<TensorType> parameterTypes);

  /// The script line that nodes added from now on belong to.
  void setLine(int line) { m_line = line; }
  [[nodiscard]] const TensorType &typeOf(NodeIndex node) const { return m_graph->m_nodes[node].type; }

  /// Parameters are nodes 0 … n-1.
  [[nodiscard]] std::size_t parameterCount() const { return m_graph->m_parameterTypes.size(); }
  /// A concrete tensor from outside; the same tensor gives the same node.
  NodeIndex capture(const Tensor &tensor);
  /// A plain number: weak, so that it takes the dtype of the tensor it meets. An integer where `isInteger`.
  NodeIndex number(double value);
  NodeIndex number(std::int64_t value);
  /// A tensor of one value of a given dtype (`full`, `zeros`, `ones`); values convert as `Convert` does.
  base::Result<NodeIndex> full(const Shape &shape, double value, DType dtype);
  base::Result<NodeIndex> iota(const Shape &shape, DType dtype);
  /// A tensor whose elements are all `value`, a scalar. ScriptArgument for a Lua number that the dtype cannot hold.
  base::Result<NodeIndex> fill(NodeIndex value, const Shape &shape, DType dtype);

  base::Result<NodeIndex> unary(Op op, NodeIndex operand);
  /// Arithmetic, comparisons, minimum, maximum and power; promotes, and converts integers where the operation is a float one. A Lua
  /// number takes the tensor's dtype: ScriptArgument for one that the dtype cannot hold, at once or (`numberChecks`) at the call.
  /// Comparisons with Lua numbers are exact instead, except that a float tensor's dtype rounds the number.
  base::Result<NodeIndex> binary(Op op, NodeIndex left, NodeIndex right);
  base::Result<NodeIndex> select(NodeIndex condition, NodeIndex whenTrue, NodeIndex whenFalse);
  base::Result<NodeIndex> convert(NodeIndex operand, DType dtype);

  /// One size may be -1: it is computed from the others.
  base::Result<NodeIndex> reshape(NodeIndex operand, const Shape &shape);
  /// No axes: reversed, as NumPy's `.T`.
  base::Result<NodeIndex> transpose(NodeIndex operand, std::span<const std::int64_t> axes);
  base::Result<NodeIndex> broadcast(NodeIndex operand, const Shape &shape);
  base::Result<NodeIndex> slice(NodeIndex operand, std::span<const std::int64_t> starts, std::span<const std::int64_t> sizes);
  base::Result<NodeIndex> concat(std::span<const NodeIndex> operands, std::int64_t axis);
  /// Sum, mean, max, min and argmax; no axes: over all. The reduced axes go away.
  base::Result<NodeIndex> reduce(Op op, NodeIndex operand, std::span<const std::int64_t> axes);
  base::Result<NodeIndex> dot(NodeIndex left, NodeIndex right);

  /// A call edge. The callee's captures become captures of this graph. One node for each of the callee's results.
  base::Result<std::vector<NodeIndex>> call(const std::shared_ptr<const Graph> &callee, std::span<const NodeIndex> arguments);
  /// `callee` takes and gives scalars only.
  base::Result<std::vector<NodeIndex>> map(const std::shared_ptr<const Graph> &callee, std::span<const NodeIndex> arguments);

  /// The finished graph; the builder is spent.
  base::Result<std::shared_ptr<const Graph>> finish(std::vector<NodeIndex> results);

private:
  NodeIndex add(Op op, TensorType type, std::vector<NodeIndex> operands, Attribute attribute = {});
  /// Adds a node whose shape follows from its operands.
  base::Result<NodeIndex> addInferred(Op op, DType dtype, std::vector<NodeIndex> operands, Attribute attribute,
                                      Shape declared = {});
  [[nodiscard]] std::vector<TensorType> typesOf(std::span<const NodeIndex> operands) const;
  /// Checks shapes before operands are converted, so errors name the dtypes of the script, and a refused operation adds no node.
  [[nodiscard]] base::Result<void> checkFits(Op op, std::span<const NodeIndex> operands, Attribute attribute = {}) const;
  NodeIndex constant(DType dtype, double value);
  NodeIndex converted(NodeIndex operand, DType dtype);
  /// The same for an operand that may be a Lua number, which the dtype must be able to hold.
  base::Result<NodeIndex> held(NodeIndex operand, DType dtype, Holding holding = Holding::Exact);
  /// The value of a Lua number, where it does not depend on the call.
  [[nodiscard]] std::optional<Number> knownNumber(NodeIndex node) const;
  [[nodiscard]] base::Result<void> checkCalleeNumbers(const Graph &callee, std::span<const NodeIndex> arguments) const;
  /// `tensor op number`.
  struct NumberComparison {
    Op op;
    NodeIndex tensor;
    NodeIndex number;
  };
  /// How the two are compared if one is a Lua number, or both are of different kinds; nothing otherwise.
  [[nodiscard]] std::optional<NumberComparison> comparisonWithNumber(Op op, NodeIndex left, NodeIndex right) const;
  base::Result<NodeIndex> compare(const NumberComparison &comparison);
  base::Result<NodeIndex> compareWithFloat(const NumberComparison &comparison);
  base::Result<NodeIndex> compareIntegers(const NumberComparison &comparison);
  /// A strong scalar; the operands are known to fit.
  NodeIndex scalar(Op op, DType dtype, std::vector<NodeIndex> operands);
  /// The common dtype of two operands: the promoted one; weak scalars take the other's.
  [[nodiscard]] TensorType meet(NodeIndex left, NodeIndex right) const;
  /// Retains the checks of numbers whose nodes are still in the graph, and collects the nodes that they need.
  void finishNumberChecks(const std::vector<bool> &live, const std::vector<NodeIndex> &newIndex);
  base::Result<std::vector<NodeIndex>> invoke(Op op, const std::shared_ptr<const Graph> &callee,
                                              std::span<const NodeIndex> arguments);

  std::shared_ptr<Graph> m_graph;
  int m_line = 0;
};

} // namespace jitscope::graph
