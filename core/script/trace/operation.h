// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "graph/builder/builder.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace jitscope::script {

/// One step on tensors with all it needs besides its operands. Inside a trace it becomes nodes of the graph; outside it is a
/// function of its own. Both do it by `apply`.
struct UnaryOperation {
  graph::Op op;
};
struct BinaryOperation {
  graph::Op op;
};
struct SelectOperation {};
struct ConvertOperation {
  graph::DType dtype;
};
struct ReshapeOperation {
  graph::Shape shape;
};
struct TransposeOperation {
  std::vector<std::int64_t> axes;
};
struct BroadcastOperation {
  graph::Shape shape;
};
struct SliceOperation {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> sizes;
};
struct ConcatOperation {
  std::int64_t axis;
};
struct ReduceOperation {
  graph::Op op;
  std::vector<std::int64_t> axes;
};
struct DotOperation {};
struct IotaOperation {
  graph::Shape shape;
  graph::DType dtype;
};
/// Of one value, which is the operand; `zeros` and `ones` have it built in.
struct FullOperation {
  enum class Value : std::uint8_t { Operand, Zero, One };
  Value value;
  graph::Shape shape;
  graph::DType dtype;
};
using Operation =
    std::variant<UnaryOperation, BinaryOperation, SelectOperation, ConvertOperation, ReshapeOperation, TransposeOperation,
                 BroadcastOperation, SliceOperation, ConcatOperation, ReduceOperation, DotOperation, IotaOperation, FullOperation>;

/// The name that scripts call it by and that the eager function has, e.g. "add", "sum", "as_type".
std::string nameOf(const Operation &operation);

/// What it needs besides operands, as the canonical text of a static argument: `{axes={0,1}}`; "" where it needs nothing.
std::string attributesOf(const Operation &operation);

/// Adds it to a graph. Errors begin with its name.
base::Result<graph::NodeIndex> apply(const Operation &operation, graph::GraphBuilder &builder,
                                     std::span<const graph::NodeIndex> operands);

} // namespace jitscope::script
