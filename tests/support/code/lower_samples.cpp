// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/code/lower_samples.h"

#include <bit>
#include <limits>
#include <random>
#include <stdexcept>

namespace jitscope::testing {

using graph::DType;
using graph::Shape;

std::vector<std::uint64_t> awkwardValues(DType dtype) {
  std::vector<std::uint64_t> values;
  if (!graph::isFloat(dtype)) {
    for (const double number : {0.0, 1.0, 2.0, 3.0, 7.0, 31.0, 127.0, 128.0, 255.0, -1.0, -2.0, -3.0, -7.0, -100.0, 46341.0}) {
      if (dtype != DType::Pred || number == 0.0 || number == 1.0) {
        values.push_back(bitsOf(dtype, number));
      }
    }
    // Saturated: the ends of the range.
    values.push_back(bitsOf(dtype, -1e30));
    values.push_back(bitsOf(dtype, 1e30));
    return values;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double number : {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, -3.5, 7.25, 100.0, -1e10, 1e-3, kInfinity, -kInfinity,
                              2147483647.0, -2147483648.0, 9.3e18, 255.5}) {
    values.push_back(bitsOf(dtype, number));
  }
  values.push_back(1);                                                     // the smallest denormal
  values.push_back(dtype == DType::F32 ? 0x007fffff : 0x000fffffffffffff); // the largest
  values.push_back(dtype == DType::F32 ? 0x7f7fffff : 0x7fefffffffffffff); // the largest number
  values.push_back(bitsOf(dtype, std::numeric_limits<double>::quiet_NaN()));
  return values;
}

ReferenceArray repeating(DType dtype, const Shape &shape, const std::vector<std::uint64_t> &values) {
  ReferenceArray array{dtype, shape, {}};
  for (std::int64_t i = 0; i < shape.elementCount(); ++i) {
    array.bits.push_back(values[static_cast<std::size_t>(i) % values.size()]);
  }
  return array;
}

std::pair<ReferenceArray, ReferenceArray> allPairs(DType dtype, const std::vector<std::uint64_t> &values) {
  const auto count = static_cast<std::int64_t>(values.size());
  const Shape shape{count * count + 5};
  ReferenceArray left{dtype, shape, {}};
  ReferenceArray right{dtype, shape, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape.elementCount()); ++i) {
    left.bits.push_back(values[i / values.size() % values.size()]);
    right.bits.push_back(values[i % values.size()]);
  }
  return {left, right};
}

ReferenceArray randomArray(DType dtype, const Shape &shape, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> real(-4, 4);
  ReferenceArray array{dtype, shape, {}};
  for (std::int64_t i = 0; i < shape.elementCount(); ++i) {
    const double number = real(engine);
    const bool isTruth = dtype == DType::Pred;
    array.bits.push_back(isTruth ? (number > 0 ? 1 : 0) : bitsOf(dtype, graph::isFloat(dtype) ? number : number * 10));
  }
  return array;
}

std::vector<ReferenceArray> randomArrays(std::span<const graph::TensorType> types, std::uint64_t seed) {
  std::vector<ReferenceArray> arrays;
  for (const graph::TensorType &type : types) {
    arrays.push_back(randomArray(type.dtype, type.shape, seed + arrays.size()));
  }
  return arrays;
}

graph::TensorType typeOf(DType dtype, const Shape &shape) { return {dtype, shape, false}; }

std::shared_ptr<const graph::Graph> graphOf(std::vector<graph::TensorType> parameters, const Body &body, const std::string &name,
                                            int line) {
  graph::GraphBuilder builder(name, line, base::FunctionId(1), std::move(parameters));
  auto graph = builder.finish(body(builder));
  if (!graph) {
    throw std::runtime_error(base::describe(graph.error()));
  }
  return *graph;
}

std::vector<graph::TensorType> dynamicTypes(std::vector<graph::TensorType> types) {
  for (graph::TensorType &type : types) {
    type.shape = Shape::dynamic(type.shape.rank());
  }
  return types;
}

} // namespace jitscope::testing
