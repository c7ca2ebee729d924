// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/scripts/reference_evaluator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace jitscope::testing {

using graph::DType;
using graph::Graph;
using graph::Node;
using graph::NodeIndex;
using graph::Op;
using graph::Shape;

namespace {

using Index = std::vector<std::int64_t>;
std::int64_t flat(const Shape &shape, const Index &index) {
  std::int64_t place = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    place = place * shape[axis] + index[axis];
  }
  return place;
}

Index unflat(const Shape &shape, std::int64_t place) {
  Index index(shape.rank(), 0);
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    index[axis] = place % shape[axis];
    place /= shape[axis];
  }
  return index;
}

/// The element of `array` that is broadcast to `index` of a larger shape.
std::uint64_t broadcastElement(const ReferenceArray &array, const Index &index) {
  const std::size_t missing = index.size() - array.shape.rank();
  Index own;
  for (std::size_t axis = 0; axis < array.shape.rank(); ++axis) {
    own.push_back(array.shape[axis] == 1 ? 0 : index[axis + missing]);
  }
  return array.bits[static_cast<std::size_t>(flat(array.shape, own))];
}

Shape broadcastShape(const std::vector<const ReferenceArray *> &operands) {
  std::size_t rank = 0;
  for (const ReferenceArray *operand : operands) {
    rank = std::max(rank, operand->shape.rank());
  }
  Index sizes(rank, 1);
  for (const ReferenceArray *operand : operands) {
    const std::size_t missing = rank - operand->shape.rank();
    for (std::size_t axis = 0; axis < operand->shape.rank(); ++axis) {
      if (operand->shape[axis] != 1) {
        sizes[axis + missing] = operand->shape[axis];
      }
    }
  }
  return Shape(sizes);
}

ReferenceArray filled(DType dtype, const Shape &shape) {
  return {dtype, shape, std::vector<std::uint64_t>(static_cast<std::size_t>(shape.elementCount()), 0)};
}

/// An array whose elements `element` gives by index.
template <typename Element> ReferenceArray made(DType dtype, const Shape &shape, Element element) {
  ReferenceArray array = filled(dtype, shape);
  for (std::size_t i = 0; i < array.bits.size(); ++i) {
    array.bits[i] = element(unflat(shape, static_cast<std::int64_t>(i)));
  }
  return array;
}

bool isReduced(const Node &node, std::size_t axis) {
  return std::ranges::find(node.axes(), static_cast<std::uint32_t>(axis)) != node.axes().end();
}

ReferenceArray reduced(const Node &node, const ReferenceArray &operand) {
  Shape shape;
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < operand.shape.rank(); ++axis) {
    if (isReduced(node, axis)) {
      count *= operand.shape[axis];
    } else {
      shape.append(operand.shape[axis]);
    }
  }
  ReferenceArray result = filled(node.type.dtype, shape);
  std::vector<std::vector<std::uint64_t>> elements(result.bits.size());
  for (std::size_t i = 0; i < operand.bits.size(); ++i) {
    const Index index = unflat(operand.shape, static_cast<std::int64_t>(i));
    Index kept;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      if (!isReduced(node, axis)) {
        kept.push_back(index[axis]);
      }
    }
    elements[static_cast<std::size_t>(flat(shape, kept))].push_back(operand.bits[i]);
  }
  for (std::size_t i = 0; i < result.bits.size(); ++i) {
    const std::vector<std::uint64_t> &group = elements[i];
    std::uint64_t total = 0;
    if (node.op == Op::ReduceSum || node.op == Op::ReduceMean) {
      for (const std::uint64_t bits : group) {
        total = binaryBits(Op::Add, node.type.dtype, total, convertBits(bits, operand.dtype, node.type.dtype));
      }
      if (node.op == Op::ReduceMean) {
        const std::uint64_t divisor = convertBits(static_cast<std::uint64_t>(count), DType::S64, node.type.dtype);
        total = binaryBits(Op::Divide, node.type.dtype, total, divisor);
      }
    } else if (node.op == Op::ArgMax) {
      std::size_t best = 0;
      for (std::size_t j = 1; j < group.size(); ++j) {
        const double known = numberOf(operand.dtype, group[best]);
        const bool isLarger = binaryBits(Op::Greater, operand.dtype, group[j], group[best]) != 0;
        const bool isFirstNaN = std::isnan(numberOf(operand.dtype, group[j])) && !std::isnan(known);
        best = isFirstNaN || isLarger ? j : best;
      }
      total = best;
    } else {
      total = group.at(0);
      for (const std::uint64_t bits : group) {
        total = binaryBits(node.op == Op::ReduceMax ? Op::Maximum : Op::Minimum, operand.dtype, total, bits);
      }
    }
    result.bits[i] = total;
  }
  return result;
}

ReferenceArray dot(const Node &node, const ReferenceArray &left, const ReferenceArray &right) {
  Index sizes(left.shape.sizes().begin(), left.shape.sizes().end() - 1);
  sizes.insert(sizes.end(), right.shape.sizes().begin() + 1, right.shape.sizes().end());
  const std::size_t leftRank = left.shape.rank() - 1;
  return made(node.type.dtype, Shape(sizes), [&](const Index &index) {
    std::uint64_t sum = 0;
    for (std::int64_t k = 0; k < right.shape[0]; ++k) {
      Index a(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(leftRank));
      a.push_back(k);
      Index b{k};
      b.insert(b.end(), index.begin() + static_cast<std::ptrdiff_t>(leftRank), index.end());
      const std::uint64_t product =
          binaryBits(Op::Multiply, node.type.dtype, left.bits[static_cast<std::size_t>(flat(left.shape, a))],
                     right.bits[static_cast<std::size_t>(flat(right.shape, b))]);
      sum = binaryBits(Op::Add, node.type.dtype, sum, product);
    }
    return sum;
  });
}

ReferenceArray concatenated(const Node &node, const std::vector<const ReferenceArray *> &operands) {
  const std::size_t axis = node.axes()[0];
  Shape shape = operands[0]->shape;
  std::int64_t joined = 0;
  for (const ReferenceArray *operand : operands) {
    joined += operand->shape[axis];
  }
  shape.setSize(axis, joined);
  return made(node.type.dtype, shape, [&](Index index) {
    std::size_t part = 0;
    while (index[axis] >= operands[part]->shape[axis]) {
      index[axis] -= operands[part++]->shape[axis];
    }
    return operands[part]->bits[static_cast<std::size_t>(flat(operands[part]->shape, index))];
  });
}

ReferenceArray reshaped(const Node &node, const ReferenceArray &operand) {
  Shape shape = node.type.shape;
  std::int64_t known = 1;
  for (const std::int64_t size : shape.sizes()) {
    known *= size == graph::kDynamic ? 1 : size;
  }
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == graph::kDynamic) {
      shape.setSize(axis, static_cast<std::int64_t>(operand.bits.size()) / known);
    }
  }
  return {operand.dtype, shape, operand.bits};
}

/// Values of nodes; of calls and maps all their results.
using NodeValues = std::vector<std::vector<ReferenceArray>>;

std::vector<ReferenceArray> mapped(const Node &node, const std::vector<const ReferenceArray *> &operands) {
  const Shape shape = operands.empty() ? Shape{} : broadcastShape(operands);
  std::vector<ReferenceArray> results;
  for (std::size_t i = 0; i < node.callee().results().size(); ++i) {
    results.push_back(filled(node.callee().resultType(i).dtype, shape));
  }
  for (std::int64_t place = 0; place < shape.elementCount(); ++place) {
    std::vector<ReferenceArray> inputs;
    for (const ReferenceArray *operand : operands) {
      inputs.push_back({operand->dtype, Shape{}, {broadcastElement(*operand, unflat(shape, place))}});
    }
    const std::vector<ReferenceArray> values = evaluate(node.callee(), inputs);
    for (std::size_t i = 0; i < values.size(); ++i) {
      results[i].bits[static_cast<std::size_t>(place)] = values[i].bits[0];
    }
  }
  return results;
}

ReferenceArray elementwise(const Node &node, const std::vector<const ReferenceArray *> &operands) {
  return made(node.type.dtype, broadcastShape(operands), [&](const Index &index) {
    std::vector<std::uint64_t> values;
    for (const ReferenceArray *operand : operands) {
      values.push_back(broadcastElement(*operand, index));
    }
    if (node.op == Op::Select) {
      return values[0] != 0 ? values[1] : values[2];
    }
    if (node.op == Op::Convert) {
      return convertBits(values[0], operands[0]->dtype, node.type.dtype);
    }
    if (graph::isBinary(node.op)) {
      return binaryBits(node.op, operands[0]->dtype, values[0], values[1]);
    }
    return unaryBits(node.op, operands[0]->dtype, values[0]);
  });
}

ReferenceArray single(const Node &node, const std::vector<const ReferenceArray *> &operands) {
  const DType dtype = node.type.dtype;
  switch (node.op) {
  case Op::Constant:
    return {dtype, Shape{}, {node.bits()}};
  case Op::Iota: {
    std::uint64_t next = 0;
    return made(dtype, node.type.shape, [&](const Index &) { return convertBits(next++, DType::S64, dtype); });
  }
  case Op::Reshape:
    return reshaped(node, *operands[0]);
  case Op::Transpose: {
    Shape shape;
    for (const std::uint32_t axis : node.axes()) {
      shape.append(operands[0]->shape[axis]);
    }
    return made(dtype, shape, [&](const Index &index) {
      Index source(index.size());
      for (std::size_t axis = 0; axis < index.size(); ++axis) {
        source[node.axes()[axis]] = index[axis];
      }
      return operands[0]->bits[static_cast<std::size_t>(flat(operands[0]->shape, source))];
    });
  }
  case Op::Broadcast:
    return made(dtype, node.type.shape, [&](const Index &index) { return broadcastElement(*operands[0], index); });
  case Op::Slice:
    return made(dtype, node.type.shape, [&](Index index) {
      for (std::size_t axis = 0; axis < index.size(); ++axis) {
        index[axis] += node.starts()[axis];
      }
      return operands[0]->bits[static_cast<std::size_t>(flat(operands[0]->shape, index))];
    });
  case Op::Concat:
    return concatenated(node, operands);
  case Op::Dot:
    return dot(node, *operands[0], *operands[1]);
  default:
    return graph::isReduction(node.op) ? reduced(node, *operands[0]) : elementwise(node, operands);
  }
}

} // namespace

std::vector<ReferenceArray> evaluate(const Graph &graph, const std::vector<ReferenceArray> &inputs) {
  NodeValues values;
  for (const Node &node : graph.nodes()) {
    std::vector<const ReferenceArray *> operands;
    std::vector<ReferenceArray> arguments;
    for (const NodeIndex operand : node.operands) {
      operands.push_back(&values[operand].front());
    }
    switch (node.op) {
    case Op::Parameter:
      values.push_back({inputs.at(node.index())});
      break;
    case Op::Capture:
      values.push_back({inputs.at(graph.parameterTypes().size() + node.index())});
      break;
    case Op::Result:
      values.push_back({values[node.operands[0]].at(node.index())});
      break;
    case Op::Call:
      for (const ReferenceArray *operand : operands) {
        arguments.push_back(*operand);
      }
      values.push_back(evaluate(node.callee(), arguments));
      break;
    case Op::Map:
      values.push_back(mapped(node, operands));
      break;
    default:
      values.push_back({single(node, operands)});
    }
  }
  std::vector<ReferenceArray> results;
  for (const NodeIndex result : graph.results()) {
    results.push_back(values[result].front());
  }
  return results;
}

std::string firstDifference(const std::vector<ReferenceArray> &actual, const std::vector<ReferenceArray> &expected, double ulps) {
  if (actual.size() != expected.size()) {
    return fmt::format("{} results instead of {}", actual.size(), expected.size());
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (actual[i].dtype != expected[i].dtype || actual[i].shape != expected[i].shape) {
      return fmt::format("result {} is {}{} instead of {}{}", i, nameOf(actual[i].dtype), toString(actual[i].shape),
                         nameOf(expected[i].dtype), toString(expected[i].shape));
    }
    const DType dtype = actual[i].dtype;
    for (std::size_t j = 0; j < actual[i].bits.size(); ++j) {
      const std::uint64_t a = actual[i].bits[j];
      const std::uint64_t b = expected[i].bits[j];
      const bool isEqual = graph::isFloat(dtype) ? static_cast<double>(ulpsBetween(dtype, a, b)) <= ulps : a == b;
      if (!isEqual) {
        return fmt::format("result {}, element {} of {}{}: {} ({:#x}) instead of {} ({:#x})", i, j, nameOf(dtype),
                           toString(actual[i].shape), numberOf(dtype, a), a, numberOf(dtype, b), b);
      }
    }
  }
  return "";
}

} // namespace jitscope::testing
