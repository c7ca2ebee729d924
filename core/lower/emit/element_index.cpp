// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/emit/element_index.h"

#include <algorithm>

namespace jitscope::lower {

using graph::Node;
using graph::NodeIndex;
using graph::Op;

namespace {

bool isConstant(llvm::Value *value, std::uint64_t wanted) {
  const auto *known = llvm::dyn_cast<llvm::ConstantInt>(value);
  return known != nullptr && known->equalsInt(wanted);
}

} // namespace

llvm::Value *IndexMap::add(llvm::Value *left, llvm::Value *right) {
  if (isConstant(left, 0) || isConstant(right, 0)) {
    return isConstant(left, 0) ? right : left;
  }
  llvm::Value *&value = m_sums[{left, right}];
  if (value == nullptr) {
    value = m_builder.CreateAdd(left, right, "", true, true);
  }
  return value;
}

llvm::Value *IndexMap::multiply(llvm::Value *left, llvm::Value *right) {
  if (isConstant(left, 1) || isConstant(right, 1)) {
    return isConstant(left, 1) ? right : left;
  }
  if (isConstant(left, 0) || isConstant(right, 0)) {
    return zero();
  }
  llvm::Value *&value = m_products[{left, right}];
  if (value == nullptr) {
    value = m_builder.CreateMul(left, right, "", true, true);
  }
  return value;
}

llvm::Value *IndexMap::linear(const Dims &dims, const ElementIndex &index) {
  llvm::Value *sum = zero();
  for (const AxisPosition &position : index) {
    llvm::Value *stride = m_sizes.product(std::span(dims).subspan(position.range.last + 1));
    sum = add(sum, multiply(position.value, stride));
  }
  return sum;
}

ElementIndex IndexMap::shifted(const ElementIndex &index, const Dims &dims, std::uint32_t axis, llvm::Value *distance) {
  ElementIndex moved = index;
  for (AxisPosition &position : moved) {
    if (position.range.first == axis) {
      llvm::Value *stride = m_sizes.product(std::span(dims).subspan(axis + 1, position.range.last - axis));
      position.value = add(position.value, multiply(distance, stride));
    }
  }
  return moved;
}

ElementIndex IndexMap::ofOperand(NodeIndex reader, NodeIndex operand, const ElementIndex &index) {
  const Node &node = m_graph.node(reader);
  const Dims &from = m_plan.dims[operand];
  const Dims &to = m_plan.dims[reader];
  switch (node.op) {
  case Op::Transpose:
    return transpose(node, index);
  case Op::Slice:
    return slice(node, from, index);
  case Op::Reshape:
    return reshape(from, to, index);
  case Op::Result:
    return index;
  default:
    return broadcast(from, to, index);
  }
}

AxisMatch IndexMap::rangeMatch(const Dims &from, const Dims &to, AxisRange range) const {
  for (std::uint32_t axis = range.first; axis <= range.last; ++axis) {
    const AxisMatch match = matchOf(from, to, axis);
    if (match != AxisMatch::Neutral) {
      return match == AxisMatch::Open && m_assumeEqual ? AxisMatch::Full : match;
    }
  }
  return AxisMatch::Full;
}

ElementIndex IndexMap::broadcast(const Dims &from, const Dims &to, const ElementIndex &index) {
  const auto missing = static_cast<std::uint32_t>(to.size() - from.size());
  ElementIndex mapped;
  for (const AxisPosition &position : index) {
    if (position.range.last < missing) {
      continue;
    }
    const AxisRange own{std::max(position.range.first, missing) - missing, position.range.last - missing};
    switch (rangeMatch(from, to, position.range)) {
    case AxisMatch::Repeats:
      mapped.push_back({own, zero()});
      break;
    case AxisMatch::Open:
      // The only axis of its range that is not 1, since open matches share no loop.
      mapped.push_back({own, position.value});
      for (std::uint32_t axis = own.first; axis <= own.last; ++axis) {
        if (matchOf(from, to, axis + missing) == AxisMatch::Open) {
          mapped.back().value = multiply(position.value, m_sizes.step(from[axis]));
        }
      }
      break;
    default:
      mapped.push_back({own, position.value});
    }
  }
  return mapped;
}

ElementIndex IndexMap::transpose(const Node &node, const ElementIndex &index) {
  ElementIndex mapped;
  for (const AxisPosition &position : index) {
    mapped.push_back({{node.axes()[position.range.first], node.axes()[position.range.last]}, position.value});
  }
  std::ranges::sort(mapped, {}, [](const AxisPosition &position) { return position.range.first; });
  return mapped;
}

ElementIndex IndexMap::slice(const Node &node, const Dims &source, const ElementIndex &index) {
  ElementIndex mapped = index;
  for (const AxisPosition &position : index) {
    const std::uint32_t axis = position.range.first;
    mapped = shifted(mapped, source, axis, m_builder.getInt64(static_cast<std::uint64_t>(node.starts()[axis])));
  }
  return mapped;
}

ElementIndex IndexMap::reshape(const Dims &from, const Dims &to, const ElementIndex &index) {
  if (!isSqueeze(from, to)) {
    return {{{0, static_cast<std::uint32_t>(from.size() - 1)}, linear(to, index)}};
  }
  const std::vector<std::uint32_t> own = longAxes(to);
  const std::vector<std::uint32_t> theirs = longAxes(from);
  ElementIndex mapped;
  for (const AxisPosition &position : index) {
    const auto isInRange = [&](std::uint32_t axis) { return axis >= position.range.first && axis <= position.range.last; };
    const auto first = std::ranges::find_if(own, isInRange);
    const auto count = std::ranges::count_if(own, isInRange);
    if (count > 0) {
      const auto place = static_cast<std::size_t>(first - own.begin());
      mapped.push_back({{theirs[place], theirs[place + static_cast<std::size_t>(count) - 1]}, position.value});
    }
  }
  // Axes of size 1 outside of those ranges stand at 0.
  for (std::uint32_t axis = 0; axis < from.size(); ++axis) {
    const bool isCovered = std::ranges::any_of(
        mapped, [&](const AxisPosition &position) { return axis >= position.range.first && axis <= position.range.last; });
    if (!isCovered) {
      mapped.push_back({{axis, axis}, zero()});
    }
  }
  std::ranges::sort(mapped, {}, [](const AxisPosition &position) { return position.range.first; });
  return mapped;
}

} // namespace jitscope::lower
