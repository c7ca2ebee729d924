// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/template.h"

namespace jitscope::graph {

std::string signatureOf(const Template &tmpl) {
  std::string text;
  for (const ArgumentType &argument : tmpl.arguments) {
    if (!text.empty()) {
      text += ", ";
    }
    if (const auto *tensor = std::get_if<TensorType>(&argument)) {
      text += toString(*tensor);
    } else {
      text += std::get<StaticValue>(argument).text;
    }
  }
  return text;
}

Template withDynamicSizes(const Template &tmpl) {
  Template result = tmpl;
  for (ArgumentType &argument : result.arguments) {
    if (auto *tensor = std::get_if<TensorType>(&argument)) {
      tensor->shape = Shape::dynamic(tensor->shape.rank());
    }
  }
  return result;
}

} // namespace jitscope::graph
