// SPDX-License-Identifier: GPL-3.0-or-later
#include "lower/emit/evaluator.h"

#include "lower/emit/elementwise_kernel.h"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace jitscope::lower {

using graph::DType;
using graph::Node;
using graph::NodeIndex;
using graph::Op;

std::size_t Evaluator::intern(const ElementIndex &index) {
  const auto found = std::ranges::find(m_indices, index);
  if (found != m_indices.end()) {
    return static_cast<std::size_t>(found - m_indices.begin());
  }
  m_indices.push_back(index);
  return m_indices.size() - 1;
}

bool Evaluator::isComputedHere(NodeIndex node) const {
  const NodePlan &plan = m_emission.plan.fusion.nodes[node];
  return plan.role == Role::Inline || (plan.role == Role::Looped && plan.cluster == m_cluster);
}

llvm::Value *Evaluator::known(const Element &element) const {
  if (m_emission.node(element.first).type.shape.isScalar() && m_emission.scalars[element.first] != nullptr) {
    return m_emission.scalars[element.first];
  }
  const auto found = m_values.find(element);
  return found == m_values.end() ? nullptr : found->second;
}

std::vector<Evaluator::Element> Evaluator::operandsOf(const Element &element) {
  std::vector<Element> operands;
  if (!isComputedHere(element.first)) {
    return operands;
  }
  for (const NodeIndex operand : m_emission.node(element.first).operands) {
    const bool isScalar = m_emission.node(operand).type.shape.isScalar();
    // By value: interning may move the indices.
    const ElementIndex index = m_indices[element.second];
    operands.emplace_back(operand, isScalar ? 0 : intern(m_map.ofOperand(element.first, operand, index)));
  }
  return operands;
}

llvm::Value *Evaluator::compute(const Element &element, const std::vector<Element> &operands) {
  const auto &[index, place] = element;
  const Node &node = m_emission.node(index);
  m_emission.locate(index);
  if (!isComputedHere(index)) {
    return m_emission.memory.load(index, m_map.linear(m_emission.dims(index), m_indices[place]));
  }
  if (node.op == Op::Iota) {
    return m_emission.code.convert(m_map.linear(m_emission.dims(index), m_indices[place]), DType::S64, node.type.dtype);
  }
  Values values;
  for (const Element &operand : operands) {
    values.push_back(known(operand));
  }
  return emitOperation(m_emission, index, values);
}

llvm::Value *Evaluator::at(NodeIndex node, const ElementIndex &index) {
  // A stack of its own: a script can chain more operations than calls fit on the machine's.
  const Element wanted{node, intern(index)};
  std::vector<Element> pending{wanted};
  while (!pending.empty()) {
    const Element element = pending.back();
    if (known(element) != nullptr) {
      pending.pop_back();
      continue;
    }
    const std::vector<Element> operands = operandsOf(element);
    const std::size_t before = pending.size();
    // The first operand ends up on top, and its code first.
    std::ranges::copy_if(operands | std::views::reverse, std::back_inserter(pending),
                         [&](const Element &operand) { return known(operand) == nullptr; });
    if (pending.size() == before) {
      m_values[element] = compute(element, operands);
      pending.pop_back();
    }
  }
  return known(wanted);
}

} // namespace jitscope::lower
