// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/text.h"

#include "graph/graph.h"

#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace jitscope::graph {

namespace {

std::string constantText(DType dtype, std::uint64_t bits) {
  switch (dtype) {
  case DType::Pred:
    return bits != 0 ? "true" : "false";
  case DType::U8:
    return std::to_string(bits & 0xFFU);
  case DType::S32:
    return std::to_string(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
  case DType::S64:
    return std::to_string(static_cast<std::int64_t>(bits));
  case DType::F32:
    return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  case DType::F64:
    return fmt::format("{}", std::bit_cast<double>(bits));
  }
  return "?";
}

struct AttributeText {
  const Node &node;
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const IndexAttribute &attribute) const { return fmt::format(" {}", attribute.index); }
  std::string operator()(const ConstantAttribute &attribute) const {
    return fmt::format(" {}", constantText(node.type.dtype, attribute.bits));
  }
  std::string operator()(const AxesAttribute &attribute) const {
    return fmt::format(" axes={{{}}}", fmt::join(attribute.axes, ","));
  }
  std::string operator()(const SliceAttribute &attribute) const {
    return fmt::format(" starts={{{}}}", fmt::join(attribute.starts, ","));
  }
  std::string operator()(const CalleeAttribute &attribute) const { return fmt::format(" @{}", attribute.callee->name()); }
};

std::string operandList(const std::vector<NodeIndex> &operands) {
  std::string text;
  for (const NodeIndex operand : operands) {
    text += fmt::format("{}%{}", text.empty() ? "" : ", ", operand);
  }
  return text;
}

} // namespace

std::string toText(const Graph &graph, bool withPlaces) {
  std::string text = fmt::format("function {}\n", graph.name());
  for (NodeIndex index = 0; index < graph.nodes().size(); ++index) {
    const Node &node = graph.node(index);
    text += fmt::format("  %{}: {} = {}{}", index, toString(node.type), nameOf(node.op),
                        std::visit(AttributeText{node}, node.attribute));
    if (!node.operands.empty()) {
      text += " " + operandList(node.operands);
    }
    if (withPlaces && node.line > 0) {
      text += fmt::format("  ; line {}", node.line);
    }
    text += '\n';
  }
  return text + fmt::format("  return {}\n", operandList(graph.results()));
}

} // namespace jitscope::graph
