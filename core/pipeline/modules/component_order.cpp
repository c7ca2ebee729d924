// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/modules/component_order.h"

#include <algorithm>

#include <llvm/ADT/GraphTraits.h>
#include <llvm/ADT/SCCIterator.h>

namespace jitscope::pipeline {

namespace {

struct Node {
  std::size_t index = 0;
  std::vector<Node *> needs;
};

} // namespace

} // namespace jitscope::pipeline

template <> struct llvm::GraphTraits<jitscope::pipeline::Node *> {
  using NodeRef = jitscope::pipeline::Node *;
  using ChildIteratorType = std::vector<jitscope::pipeline::Node *>::iterator;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  // NOLINTBEGIN(readability-identifier-naming): LLVM's names
  static ChildIteratorType child_begin(NodeRef node) { return node->needs.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->needs.end(); }
  // NOLINTEND(readability-identifier-naming)
};

namespace jitscope::pipeline {

std::vector<std::vector<std::size_t>> componentsCalleesFirst(const std::vector<std::vector<std::size_t>> &needs) {
  std::vector<Node> nodes(needs.size());
  Node start; // needs everything, so that the walk meets it
  for (std::size_t i = 0; i < needs.size(); ++i) {
    nodes[i].index = i;
    start.needs.push_back(&nodes[i]);
    for (const std::size_t needed : needs[i]) {
      nodes[i].needs.push_back(&nodes[needed]);
    }
  }
  std::vector<std::vector<std::size_t>> components;
  for (auto component = llvm::scc_begin(&start); !component.isAtEnd(); ++component) {
    std::vector<std::size_t> members;
    for (const Node *node : *component) {
      if (node != &start) {
        members.push_back(node->index);
      }
    }
    std::ranges::sort(members);
    if (!members.empty()) {
      components.push_back(std::move(members));
    }
  }
  return components;
}

} // namespace jitscope::pipeline
