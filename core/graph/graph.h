// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/hash.h"
#include "base/ids.h"
#include "graph/numbers/number.h"
#include "graph/tensor.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace jitscope::graph {

/// What a node computes. Operands of elementwise operations broadcast as in NumPy, and have been converted to one dtype.
enum class Op : std::uint8_t {
  // Sources.
  Parameter, ///< an argument that is a tensor; `index` counts tensor arguments only
  Capture,   ///< a concrete tensor that the function closes over; bound at the call, not part of the code
  Constant,  ///< a scalar whose value is part of the graph
  Iota,      ///< 0, 1, 2, … row-major
  // Elementwise, one operand.
  Negate,
  Abs,
  Exp,
  Log,
  Sqrt,
  Rsqrt,
  Sin,
  Cos,
  Tanh,
  Sigmoid,
  Floor,
  Convert,
  // Elementwise, two operands.
  Add,
  Subtract,
  Multiply,
  Divide,      ///< floats only
  FloorDivide, ///< integers: division by zero gives 0
  Modulo,      ///< the sign of the divisor; integers: modulo zero gives 0
  Power,
  Minimum, ///< NaN if either is NaN
  Maximum,
  Less, ///< comparisons give pred
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  // Elementwise, three operands.
  Select, ///< pred, then, else
  // Moving elements.
  Reshape,
  Transpose,
  Broadcast,
  Slice,
  Concat,
  // Many to one.
  ReduceSum,
  ReduceMean,
  ReduceMax,
  ReduceMin,
  ArgMax, ///< s64: the row-major index, within the reduced axes, of the first maximum; a NaN counts as the maximum
  Dot,    ///< last axis of the left with the first axis of the right
  // Other functions.
  Call,   ///< all results of another graph
  Map,    ///< another graph's scalar results for each element of the broadcast operands
  Result, ///< result `index` of a Call or Map
};

inline constexpr std::size_t kOpCount = static_cast<std::size_t>(Op::Result) + 1;

/// The spelling in the text form, e.g. "floor-divide".
std::string_view nameOf(Op op);

constexpr bool isUnary(Op op) { return op >= Op::Negate && op <= Op::Convert; }
constexpr bool isBinary(Op op) { return op >= Op::Add && op <= Op::NotEqual; }
constexpr bool isComparison(Op op) { return op >= Op::Less && op <= Op::NotEqual; }
/// Computes each element from the operands' elements at the same (broadcast) place. Map counts.
constexpr bool isElementwise(Op op) { return isUnary(op) || isBinary(op) || op == Op::Select || op == Op::Map; }
constexpr bool isReduction(Op op) { return op >= Op::ReduceSum && op <= Op::ArgMax; }

/// A node's place in its graph; operands always come before their users.
using NodeIndex = std::uint32_t;

class Graph;

struct IndexAttribute {
  std::uint32_t index; ///< Parameter, Capture, Result
};
/// A scalar constant; `bits` holds the value in the low bytes, as memory of its dtype would.
struct ConstantAttribute {
  std::uint64_t bits;
};
struct AxesAttribute {
  std::vector<std::uint32_t> axes; ///< Transpose: source axis of each result axis; reductions: sorted; Concat: the one axis
};
struct SliceAttribute {
  std::vector<std::int64_t> starts; ///< the sizes are the node's shape
};
struct CalleeAttribute {
  std::shared_ptr<const Graph> callee;
};
using Attribute = std::variant<std::monostate, IndexAttribute, ConstantAttribute, AxesAttribute, SliceAttribute, CalleeAttribute>;

struct Node {
  Op op = Op::Parameter;
  TensorType type; ///< of Call and Map: of their first result
  std::vector<NodeIndex> operands;
  Attribute attribute;
  int line = 0; ///< of the script; 0 if there is none

  [[nodiscard]] std::uint32_t index() const { return std::get<IndexAttribute>(attribute).index; }
  [[nodiscard]] std::uint64_t bits() const { return std::get<ConstantAttribute>(attribute).bits; }
  [[nodiscard]] const std::vector<std::uint32_t> &axes() const { return std::get<AxesAttribute>(attribute).axes; }
  [[nodiscard]] const std::vector<std::int64_t> &starts() const { return std::get<SliceAttribute>(attribute).starts; }
  [[nodiscard]] const Graph &callee() const { return *std::get<CalleeAttribute>(attribute).callee; }
  [[nodiscard]] const std::shared_ptr<const Graph> &calleePointer() const { return std::get<CalleeAttribute>(attribute).callee; }
};

/// A dtype that a Lua number of a call must fit: the number meets it in arithmetic, or fills a tensor of it.
struct NumberCheck {
  NodeIndex node; ///< a weak scalar
  DType dtype;    ///< what it becomes
  Holding holding = Holding::Exact;
  int line = 0; ///< of the script; 0 if there is none
};

/// What `checkNumbers` looks at.
struct NumberChecks {
  std::vector<NumberCheck> checks;
  std::vector<NodeIndex> calls; ///< Call and Map nodes whose callee has checks
  std::vector<NodeIndex> steps; ///< the nodes that the values follow from; sorted

  [[nodiscard]] bool isEmpty() const { return checks.empty() && calls.empty(); }
};

/// What one function computes for one template: nodes in execution order. Immutable once a GraphBuilder has finished it, and then
/// free to share between threads.
class Graph {
public:
  /// The function's name as the script gave it, and the line it was defined on.
  [[nodiscard]] const std::string &name() const { return m_name; }
  [[nodiscard]] int line() const { return m_line; }
  [[nodiscard]] base::FunctionId functionId() const { return m_functionId; }

  [[nodiscard]] const std::vector<Node> &nodes() const { return m_nodes; }
  [[nodiscard]] const Node &node(NodeIndex index) const { return m_nodes[index]; }
  /// The nodes that are returned, in order; a node may be returned twice.
  [[nodiscard]] const std::vector<NodeIndex> &results() const { return m_results; }
  /// Types of the parameters, and of the captures that follow them.
  [[nodiscard]] const std::vector<TensorType> &parameterTypes() const { return m_parameterTypes; }
  [[nodiscard]] const std::vector<Tensor> &captures() const { return m_captures; }
  /// Parameters and captures: what the compiled function takes.
  [[nodiscard]] std::size_t inputCount() const { return m_parameterTypes.size() + m_captures.size(); }
  [[nodiscard]] TensorType inputType(std::size_t index) const {
    return index < m_parameterTypes.size() ? m_parameterTypes[index] : m_captures[index - m_parameterTypes.size()].type();
  }
  [[nodiscard]] TensorType resultType(std::size_t index) const { return m_nodes[m_results[index]].type; }
  /// The checks that each call must make on the Lua numbers among its arguments.
  [[nodiscard]] const NumberChecks &numberChecks() const { return m_numberChecks; }
  /// Whether every size in it is known (false under `template="rank"`).
  [[nodiscard]] bool isStatic() const { return m_isStatic; }

  /// A hash of the computation, callees included; names, lines and the data of captures are not part of it. Equal graphs compile to
  /// equal code.
  [[nodiscard]] const base::Hash128 &structuralHash() const { return m_structuralHash; }

private:
  friend class GraphBuilder;
  Graph() = default;

  std::string m_name;
  int m_line = 0;
  base::FunctionId m_functionId;
  std::vector<Node> m_nodes;
  std::vector<NodeIndex> m_results;
  std::vector<TensorType> m_parameterTypes;
  std::vector<Tensor> m_captures;
  NumberChecks m_numberChecks;
  bool m_isStatic = true;
  base::Hash128 m_structuralHash;
};

} // namespace jitscope::graph
