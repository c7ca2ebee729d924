// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/shape_evaluation.h"
#include "base/try.h"
#include "graph/inference.h"

#include <algorithm>

#include <fmt/format.h>

namespace jitscope::graph {

using base::Result;

namespace {

/// Shapes of all nodes of one graph, then of its callees, appended to one flat array.
class Evaluation {
public:
  explicit Evaluation(std::vector<std::int64_t> &sizes) : m_sizes(sizes) {}

  /// The result shapes of `graph`, whose block starts at `base`.
  Result<std::vector<Shape>> run(const Graph &graph, std::span<const Shape> inputs, std::size_t base) {
    const SizeLayout layout = sizeLayoutOf(graph);
    std::vector<Shape> shapes;
    std::vector<std::vector<Shape>> callResults(graph.nodes().size());
    for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
      const Node &node = graph.node(index);
      Result<Shape> shape = shapeOf(graph, node, inputs, shapes, callResults);
      if (shape && node.op == Op::Call) {
        std::vector<Shape> operands;
        for (const NodeIndex operand : node.operands) {
          operands.push_back(shapes[operand]);
        }
        Result<std::vector<Shape>> results = run(node.callee(), operands, base + layout.calleeOffset[index]);
        if (!results) {
          return results;
        }
        callResults[index] = std::move(*results);
        shape = callResults[index].empty() ? Shape{} : callResults[index][0];
      } else if (shape && node.op == Op::Map) {
        callResults[index].assign(node.callee().results().size(), *shape);
      }
      if (shape) {
        if (auto bytes = checkedByteSize(node.type.dtype, *shape); !bytes) {
          shape = std::unexpected(bytes.error());
        }
      }
      if (!shape) {
        return std::unexpected(std::move(shape.error()).within(fmt::format("in {} at line {}", graph.name(), node.line)));
      }
      std::ranges::copy(shape->sizes(), m_sizes.begin() + static_cast<std::ptrdiff_t>(base + layout.nodeOffset[index]));
      shapes.push_back(*shape);
    }
    std::vector<Shape> results;
    for (const NodeIndex result : graph.results()) {
      results.push_back(shapes[result]);
    }
    return results;
  }

private:
  static std::vector<TensorType> typesOf(const Graph &graph, const Node &node, const std::vector<Shape> &shapes) {
    std::vector<TensorType> operands;
    for (const NodeIndex operand : node.operands) {
      operands.push_back({graph.node(operand).type.dtype, shapes[operand], false});
    }
    return operands;
  }

  static Result<Shape> shapeOf(const Graph &graph, const Node &node, std::span<const Shape> inputs,
                               const std::vector<Shape> &shapes, const std::vector<std::vector<Shape>> &callResults) {
    switch (node.op) {
    case Op::Parameter:
      return inputs[node.index()];
    case Op::Capture:
      return inputs[graph.parameterTypes().size() + node.index()];
    case Op::Result:
      return callResults[node.operands[0]][node.index()];
    default:
      return inferShape(node, typesOf(graph, node, shapes));
    }
  }

  std::vector<std::int64_t> &m_sizes;
};

} // namespace

SizeLayout sizeLayoutOf(const Graph &graph) {
  SizeLayout layout;
  for (const Node &node : graph.nodes()) {
    layout.nodeOffset.push_back(layout.total);
    layout.total += static_cast<std::uint32_t>(node.type.shape.rank());
  }
  for (const Node &node : graph.nodes()) {
    layout.calleeOffset.push_back(node.op == Op::Call ? layout.total : 0);
    if (node.op == Op::Call) {
      layout.total += sizeLayoutOf(node.callee()).total;
    }
  }
  return layout;
}

Result<std::vector<std::int64_t>> evaluateShapes(const Graph &graph, std::span<const Shape> inputs) {
  std::vector<std::int64_t> sizes(sizeLayoutOf(graph).total, 0);
  JITSCOPE_TRY_VOID(Evaluation(sizes).run(graph, inputs, 0));
  return sizes;
}

} // namespace jitscope::graph
