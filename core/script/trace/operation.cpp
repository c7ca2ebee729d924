// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/operation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::script {

using base::Result;
using graph::GraphBuilder;
using graph::NodeIndex;
using graph::Op;

namespace {

std::string braced(std::span<const std::int64_t> numbers) { return fmt::format("{{{}}}", fmt::join(numbers, ",")); }

/// The script function of an op whose graph name differs.
std::string_view scriptNameOf(Op op) {
  switch (op) {
  case Op::Power:
    return "pow";
  case Op::Minimum:
    return "min";
  case Op::Maximum:
    return "max";
  case Op::Less:
    return "lt";
  case Op::LessEqual:
    return "le";
  case Op::Greater:
    return "gt";
  case Op::GreaterEqual:
    return "ge";
  case Op::Equal:
    return "eq";
  case Op::NotEqual:
    return "ne";
  default:
    return nameOf(op);
  }
}

/// Reductions have the names of their methods; as functions of their own they must not be confused with the elementwise pair.
std::string_view reductionNameOf(Op op) {
  switch (op) {
  case Op::ReduceSum:
    return "sum";
  case Op::ReduceMean:
    return "mean";
  case Op::ReduceMax:
    return "reduce-max";
  case Op::ReduceMin:
    return "reduce-min";
  default:
    return "argmax";
  }
}

struct NameVisitor {
  std::string operator()(const UnaryOperation &unary) const { return std::string(scriptNameOf(unary.op)); }
  std::string operator()(const BinaryOperation &binary) const { return std::string(scriptNameOf(binary.op)); }
  std::string operator()(const SelectOperation & /*select*/) const { return "select"; }
  std::string operator()(const ConvertOperation & /*convert*/) const { return "as_type"; }
  std::string operator()(const ReshapeOperation & /*reshape*/) const { return "reshape"; }
  std::string operator()(const TransposeOperation & /*transpose*/) const { return "transpose"; }
  std::string operator()(const BroadcastOperation & /*broadcast*/) const { return "broadcast"; }
  std::string operator()(const SliceOperation & /*slice*/) const { return "slice"; }
  std::string operator()(const ConcatOperation & /*concat*/) const { return "concat"; }
  std::string operator()(const ReduceOperation &reduce) const { return std::string(reductionNameOf(reduce.op)); }
  std::string operator()(const DotOperation & /*dot*/) const { return "dot"; }
  std::string operator()(const IotaOperation & /*iota*/) const { return "iota"; }
  std::string operator()(const FullOperation &full) const {
    switch (full.value) {
    case FullOperation::Value::Zero:
      return "zeros";
    case FullOperation::Value::One:
      return "ones";
    case FullOperation::Value::Operand:
      break;
    }
    return "full";
  }
};

/// Keys in alphabetical order, as in every static argument.
struct AttributesVisitor {
  template <typename Other> std::string operator()(const Other & /*plain*/) const { return {}; }
  std::string operator()(const ConvertOperation &convert) const { return fmt::format("\"{}\"", graph::nameOf(convert.dtype)); }
  std::string operator()(const ReshapeOperation &reshape) const {
    return fmt::format("{{shape={}}}", braced(reshape.shape.sizes()));
  }
  std::string operator()(const TransposeOperation &transpose) const { return fmt::format("{{axes={}}}", braced(transpose.axes)); }
  std::string operator()(const BroadcastOperation &broadcast) const {
    return fmt::format("{{shape={}}}", braced(broadcast.shape.sizes()));
  }
  std::string operator()(const SliceOperation &slice) const {
    return fmt::format("{{sizes={},starts={}}}", braced(slice.sizes), braced(slice.starts));
  }
  std::string operator()(const ConcatOperation &concat) const { return fmt::format("{{axis={}}}", concat.axis); }
  std::string operator()(const ReduceOperation &reduce) const { return fmt::format("{{axes={}}}", braced(reduce.axes)); }
  std::string operator()(const IotaOperation &iota) const {
    return fmt::format("{{dtype=\"{}\",shape={}}}", graph::nameOf(iota.dtype), braced(iota.shape.sizes()));
  }
  std::string operator()(const FullOperation &full) const {
    return fmt::format("{{dtype=\"{}\",shape={}}}", graph::nameOf(full.dtype), braced(full.shape.sizes()));
  }
};

struct ApplyVisitor {
  GraphBuilder &builder;
  std::span<const NodeIndex> operands;

  Result<NodeIndex> operator()(const UnaryOperation &unary) const { return builder.unary(unary.op, operands[0]); }
  Result<NodeIndex> operator()(const BinaryOperation &binary) const { return builder.binary(binary.op, operands[0], operands[1]); }
  Result<NodeIndex> operator()(const SelectOperation & /*select*/) const {
    return builder.select(operands[0], operands[1], operands[2]);
  }
  Result<NodeIndex> operator()(const ConvertOperation &convert) const { return builder.convert(operands[0], convert.dtype); }
  Result<NodeIndex> operator()(const ReshapeOperation &reshape) const { return builder.reshape(operands[0], reshape.shape); }
  Result<NodeIndex> operator()(const TransposeOperation &transpose) const { return builder.transpose(operands[0], transpose.axes); }
  Result<NodeIndex> operator()(const BroadcastOperation &broadcast) const {
    return builder.broadcast(operands[0], broadcast.shape);
  }
  Result<NodeIndex> operator()(const SliceOperation &slice) const { return builder.slice(operands[0], slice.starts, slice.sizes); }
  Result<NodeIndex> operator()(const ConcatOperation &concat) const { return builder.concat(operands, concat.axis); }
  Result<NodeIndex> operator()(const ReduceOperation &reduce) const { return builder.reduce(reduce.op, operands[0], reduce.axes); }
  Result<NodeIndex> operator()(const DotOperation & /*dot*/) const { return builder.dot(operands[0], operands[1]); }
  Result<NodeIndex> operator()(const IotaOperation &iota) const { return builder.iota(iota.shape, iota.dtype); }
  Result<NodeIndex> operator()(const FullOperation &full) const {
    if (full.value != FullOperation::Value::Operand) {
      return builder.full(full.shape, full.value == FullOperation::Value::One ? 1.0 : 0.0, full.dtype);
    }
    // The value is an operand and no part of the code: filling with another number is no miss.
    return builder.fill(operands[0], full.shape, full.dtype);
  }
};

} // namespace

std::string nameOf(const Operation &operation) { return std::visit(NameVisitor{}, operation); }

std::string attributesOf(const Operation &operation) { return std::visit(AttributesVisitor{}, operation); }

Result<NodeIndex> apply(const Operation &operation, GraphBuilder &builder, std::span<const NodeIndex> operands) {
  Result<NodeIndex> node = std::visit(ApplyVisitor{builder, operands}, operation);
  if (!node) {
    // Most of the graph's messages begin with the name already; those about broadcasting do not know it.
    std::string name = nameOf(operation);
    if (constexpr std::string_view kPrefix = "reduce-"; name.starts_with(kPrefix)) {
      name.erase(0, kPrefix.size()); // the script wrote max or min
    }
    if (!node.error().message.starts_with(name)) {
      node.error().message = name + ": " + node.error().message;
    }
  }
  return node;
}

} // namespace jitscope::script
