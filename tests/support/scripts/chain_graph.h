// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/builder/builder.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace jitscope::test {

/// How many elements each function of a chain works on.
constexpr std::int64_t kUnrolledElements = 9; ///< the loops become straight code, and inlined all of the chain is one block
constexpr std::int64_t kRunTimeElements = -1; ///< as many as the argument turns out to have
constexpr std::int64_t kLoopElements = 256;   ///< the loops stay loops, which vectorizer and unroller take on one by one

/// A chain of functions with ids 1 … `length`: each calls the one before and then multiplies and adds, element by element, so that
/// nothing folds away. The root comes last.
inline std::shared_ptr<const graph::Graph> chainGraph(std::uint32_t length, std::int64_t elements = kUnrolledElements) {
  const graph::Shape shape = elements == kRunTimeElements ? graph::Shape::dynamic(1) : graph::Shape{elements};
  const graph::TensorType type{graph::DType::F64, shape, false};
  std::shared_ptr<const graph::Graph> current;
  for (std::uint32_t i = 1; i <= length; ++i) {
    graph::GraphBuilder builder("link" + std::to_string(i), static_cast<int>(i), base::FunctionId(i), {type});
    graph::NodeIndex value = 0;
    if (current) {
      const std::array<graph::NodeIndex, 1> argument{0};
      value = (*builder.call(current, argument))[0];
    }
    const graph::NodeIndex product = *builder.binary(graph::Op::Multiply, value, 0);
    const graph::NodeIndex sum = *builder.binary(graph::Op::Add, product, builder.number(0.5 * i));
    current = *builder.finish({sum});
  }
  return current;
}

} // namespace jitscope::test
