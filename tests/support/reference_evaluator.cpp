// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/reference_evaluator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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
/// Wide enough for every result before it wraps.
__extension__ using Wide = __int128;

template <typename T> T valueOf(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<double>(bits);
  } else if constexpr (std::is_same_v<T, bool>) {
    return bits != 0;
  } else {
    return static_cast<T>(bits);
  }
}

template <typename T> std::uint64_t bitsOfValue(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::is_same_v<T, std::int32_t>) {
    return static_cast<std::uint32_t>(value);
  } else {
    return static_cast<std::uint64_t>(value);
  }
}

/// Calls `action` with a value of the C++ type of `dtype`.
template <typename Action> auto withType(DType dtype, Action action) {
  switch (dtype) {
  case DType::Pred:
    return action(bool{});
  case DType::U8:
    return action(std::uint8_t{});
  case DType::S32:
    return action(std::int32_t{});
  case DType::S64:
    return action(std::int64_t{});
  case DType::F32:
    return action(float{});
  case DType::F64:
    break;
  }
  return action(double{});
}

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

template <typename To, typename From> To converted(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(value);
  } else {
    if constexpr (std::is_floating_point_v<From>) {
      if (std::isnan(value)) {
        return 0;
      }
      const auto wide = static_cast<long double>(value);
      if (wide >= static_cast<long double>(std::numeric_limits<To>::max())) {
        return std::numeric_limits<To>::max();
      }
      if (wide <= static_cast<long double>(std::numeric_limits<To>::min())) {
        return std::numeric_limits<To>::min();
      }
      return static_cast<To>(wide);
    } else {
      const auto wide = static_cast<std::int64_t>(value);
      return static_cast<To>(std::clamp<std::int64_t>(wide, std::numeric_limits<To>::min(), std::numeric_limits<To>::max()));
    }
  }
}

std::uint64_t convertBits(std::uint64_t bits, DType from, DType to) {
  return withType(from, [&](auto source) {
    return withType(to, [&](auto target) { return bitsOfValue(converted<decltype(target)>(valueOf<decltype(source)>(bits))); });
  });
}

template <typename T> T unaryValue(Op op, T x) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (op) {
    case Op::Negate:
      return -x;
    case Op::Abs:
      return std::fabs(x);
    case Op::Exp:
      return std::exp(x);
    case Op::Log:
      return std::log(x);
    case Op::Sqrt:
      return std::sqrt(x);
    case Op::Rsqrt:
      return T{1} / std::sqrt(x);
    case Op::Sin:
      return std::sin(x);
    case Op::Cos:
      return std::cos(x);
    case Op::Tanh:
      return std::tanh(x);
    case Op::Sigmoid:
      return T{1} / (T{1} + std::exp(-x));
    case Op::Floor:
      return std::floor(x);
    default:
      return x;
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    return x;
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    const T negated = static_cast<T>(Unsigned{0} - static_cast<Unsigned>(x));
    switch (op) {
    case Op::Negate:
      return negated;
    case Op::Abs:
      return std::is_signed_v<T> && x < 0 ? negated : x;
    default:
      return x;
    }
  }
}

template <typename T> T floatMinimum(T x, T y, bool wantsLarger) {
  if (std::isnan(x) || std::isnan(y)) {
    return std::numeric_limits<T>::quiet_NaN();
  }
  if (x == 0 && y == 0) {
    return std::signbit(x) == wantsLarger ? y : x;
  }
  return (x < y) == wantsLarger ? y : x;
}

/// NumPy's `divmod`.
template <typename T> std::pair<T, T> floatDivision(T x, T y) {
  T rest = std::fmod(x, y);
  if (y == 0) {
    return {x / y, rest};
  }
  T quotient = (x - rest) / y;
  if (rest != 0) {
    if ((y < 0) != (rest < 0)) {
      rest += y;
      quotient -= 1;
    }
  } else {
    rest = std::copysign(T{0}, y);
  }
  T whole = std::copysign(T{0}, x / y);
  if (quotient != 0) {
    whole = std::floor(quotient);
    whole += quotient - whole > T{0.5} ? T{1} : T{0};
  }
  return {whole, rest};
}

template <typename T> T integerPower(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      return base == 1 ? T{1} : base == -1 ? (exponent % 2 == 0 ? T{1} : T{-1}) : T{0};
    }
  }
  // Squaring is needed to come to an end; that it wraps alike follows from arithmetic modulo 2^n.
  std::uint64_t result = 1;
  auto square = static_cast<std::uint64_t>(base);
  for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left /= 2) {
    result *= left % 2 == 1 ? square : 1;
    square *= square;
  }
  return static_cast<T>(result);
}

template <typename T> T integerValue(Op op, T x, T y) {
  const auto wideX = static_cast<Wide>(x);
  const auto wideY = static_cast<Wide>(y);
  switch (op) {
  case Op::Add:
    return static_cast<T>(wideX + wideY);
  case Op::Subtract:
    return static_cast<T>(wideX - wideY);
  case Op::Multiply:
    return static_cast<T>(wideX * wideY);
  case Op::FloorDivide:
  case Op::Modulo: {
    if (y == 0) {
      return 0;
    }
    Wide quotient = wideX / wideY;
    if (quotient * wideY != wideX && (wideX < 0) != (wideY < 0)) {
      --quotient;
    }
    return static_cast<T>(op == Op::FloorDivide ? quotient : wideX - quotient * wideY);
  }
  case Op::Power:
    return integerPower(x, y);
  case Op::Minimum:
    return std::min(x, y);
  default:
    return std::max(x, y);
  }
}

template <typename T> T binaryValue(Op op, T x, T y) {
  if constexpr (std::is_same_v<T, bool>) {
    return op == Op::Add || op == Op::Maximum ? x || y : x && y;
  } else if constexpr (std::is_floating_point_v<T>) {
    switch (op) {
    case Op::Add:
      return x + y;
    case Op::Subtract:
      return x - y;
    case Op::Multiply:
      return x * y;
    case Op::Divide:
      return x / y;
    case Op::FloorDivide:
      return floatDivision(x, y).first;
    case Op::Modulo:
      return floatDivision(x, y).second;
    case Op::Power:
      return std::pow(x, y);
    case Op::Minimum:
      return floatMinimum(x, y, false);
    default:
      return floatMinimum(x, y, true);
    }
  } else {
    return integerValue(op, x, y);
  }
}

template <typename T> bool compared(Op op, T x, T y) {
  switch (op) {
  case Op::Less:
    return x < y;
  case Op::LessEqual:
    return x <= y;
  case Op::Greater:
    return x > y;
  case Op::GreaterEqual:
    return x >= y;
  case Op::Equal:
    return x == y;
  default:
    return x != y;
  }
}

std::uint64_t binaryBits(Op op, DType dtype, std::uint64_t left, std::uint64_t right) {
  return withType(dtype, [&](auto type) {
    using T = decltype(type);
    const T x = valueOf<T>(left);
    const T y = valueOf<T>(right);
    return graph::isComparison(op) ? bitsOfValue(compared(op, x, y)) : bitsOfValue(binaryValue(op, x, y));
  });
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
    return withType(operands[0]->dtype,
                    [&](auto type) { return bitsOfValue(unaryValue(node.op, valueOf<decltype(type)>(values[0]))); });
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

double numberOf(DType dtype, std::uint64_t bits) {
  return withType(dtype, [&](auto type) { return static_cast<double>(valueOf<decltype(type)>(bits)); });
}

std::uint64_t bitsOf(DType dtype, double number) { return convertBits(std::bit_cast<std::uint64_t>(number), DType::F64, dtype); }

std::uint64_t ulpsBetween(DType dtype, std::uint64_t left, std::uint64_t right) {
  const bool isLeftNaN = std::isnan(numberOf(dtype, left));
  const bool isRightNaN = std::isnan(numberOf(dtype, right));
  if (isLeftNaN || isRightNaN) {
    return isLeftNaN && isRightNaN ? 0 : std::numeric_limits<std::uint64_t>::max();
  }
  // Sign and magnitude become one scale on which -0 and +0 are neighbours.
  const auto onScale = [&](std::uint64_t bits) {
    const std::uint64_t sign = dtype == DType::F32 ? 1ULL << 31U : 1ULL << 63U;
    const auto magnitude = static_cast<Wide>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
  };
  const Wide distance = onScale(left) - onScale(right);
  return static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
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
