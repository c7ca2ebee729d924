// SPDX-License-Identifier: GPL-3.0-or-later
#include "script/trace/graph_parameters.h"

namespace jitscope::script {

std::vector<graph::TensorType> tensorTypesOf(const graph::Template &tmpl) {
  std::vector<graph::TensorType> types;
  for (const graph::ArgumentType &argument : tmpl.arguments) {
    if (const auto *type = std::get_if<graph::TensorType>(&argument)) {
      types.push_back(*type);
    }
  }
  return types;
}

std::vector<graph::NodeIndex> parameterNodes(std::size_t count) {
  std::vector<graph::NodeIndex> nodes(count);
  for (std::size_t i = 0; i < count; ++i) {
    nodes[i] = static_cast<graph::NodeIndex>(i);
  }
  return nodes;
}

} // namespace jitscope::script
