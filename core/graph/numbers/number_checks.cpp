// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/numbers/number_checks.h"
#include "graph/numbers/number_evaluation.h"

#include <algorithm>

#include <fmt/format.h>

namespace jitscope::graph {

using base::ErrorCode;
using base::Result;

namespace {

/// Whether the node's value can follow from Lua numbers: a scalar of the dtypes that they have.
bool mayBeNumber(const Node &node) {
  const bool isNumeric = node.type.dtype == DType::S64 || node.type.dtype == DType::F64;
  return isNumeric && node.type.shape.isScalar() &&
         (node.op == Op::Parameter || node.op == Op::Constant || isUnary(node.op) || isBinary(node.op));
}

/// Values by node, for the nodes that were evaluated.
class KnownNumbers {
public:
  KnownNumbers(const Graph &graph, ParameterNumbers parameters)
      : m_steps(graph.numberChecks().steps), m_parameters(parameters),
        m_values(evaluateNumbers(graph.nodes(), m_steps, parameters)) {}

  [[nodiscard]] std::optional<Number> of(NodeIndex node) const {
    if (node < m_parameters.size()) {
      return m_parameters[node];
    }
    const auto found = std::ranges::lower_bound(m_steps, node);
    return found != m_steps.end() && *found == node ? m_values[static_cast<std::size_t>(found - m_steps.begin())] : std::nullopt;
  }

private:
  const std::vector<NodeIndex> &m_steps;
  ParameterNumbers m_parameters;
  std::vector<std::optional<Number>> m_values;
};

std::string reasonOf(const Graph &graph, const NumberCheck &check) {
  std::string reason = graph.node(check.node).op == Op::Parameter ? "" : ", computed from its arguments";
  if (graph.line() > 0) { // an operation outside of functions has no line but that of the call
    reason += fmt::format(", which line {} needs", check.line);
  }
  return reason;
}

} // namespace

std::optional<Number> numberOf(const Tensor &tensor) {
  if (!tensor.weak) {
    return std::nullopt;
  }
  return tensor.dtype == DType::S64 ? Number(tensor.elements<std::int64_t>()[0]) : Number(tensor.elements<double>()[0]);
}

std::vector<NodeIndex> numberStepsFor(const std::vector<Node> &nodes, std::span<const NodeIndex> roots) {
  std::vector<NodeIndex> steps;
  std::vector<NodeIndex> open(roots.begin(), roots.end());
  std::vector<bool> isKnown(nodes.size(), false);
  while (!open.empty()) {
    const NodeIndex next = open.back();
    open.pop_back();
    if (isKnown[next] || !mayBeNumber(nodes[next])) {
      continue;
    }
    isKnown[next] = true;
    steps.push_back(next);
    open.insert(open.end(), nodes[next].operands.begin(), nodes[next].operands.end());
  }
  std::ranges::sort(steps);
  return steps;
}

Result<void> checkNumbers(const Graph &graph, ParameterNumbers parameters) {
  const NumberChecks &numbers = graph.numberChecks();
  if (numbers.isEmpty()) {
    return {};
  }
  const KnownNumbers known(graph, parameters);
  for (const NumberCheck &check : numbers.checks) {
    const std::optional<Number> number = known.of(check.node);
    if (number && !holds(check.dtype, *number, check.holding)) {
      return base::fail(ErrorCode::ScriptArgument, holdingProblem(check.dtype, *number, check.holding, reasonOf(graph, check)));
    }
  }
  for (const NodeIndex call : numbers.calls) {
    const Graph &callee = graph.node(call).callee();
    std::vector<std::optional<Number>> arguments(callee.parameterTypes().size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (callee.parameterTypes()[i].weak) {
        arguments[i] = known.of(graph.node(call).operands[i]);
      }
    }
    if (Result<void> fits = checkNumbers(callee, arguments); !fits) {
      return fits;
    }
  }
  return {};
}

} // namespace jitscope::graph
