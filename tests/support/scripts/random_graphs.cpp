// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/scripts/random_graphs.h"

#include <algorithm>
#include <numeric>

namespace jitscope::testing {

using base::Result;
using graph::DType;
using graph::GraphBuilder;
using graph::NodeIndex;
using graph::Op;
using graph::Shape;

namespace {

using Kind = RandomStep::Kind;
/// The values made so far.
using Pool = std::vector<NodeIndex>;

constexpr std::int64_t kMaxElements = 600;

Result<std::shared_ptr<const graph::Graph>> buildSteps(const std::string &name, const std::vector<graph::TensorType> &parameters,
                                                       const std::vector<RandomStep> &steps,
                                                       const std::vector<std::size_t> &results);

Result<std::vector<NodeIndex>> single(Result<NodeIndex> node) {
  if (!node) {
    return std::unexpected(node.error());
  }
  return std::vector{*node};
}

Result<std::vector<NodeIndex>> call(const RandomStep &step, GraphBuilder &builder, const std::vector<NodeIndex> &operands) {
  std::vector<graph::TensorType> types;
  for (const NodeIndex operand : operands) {
    const graph::TensorType &type = builder.typeOf(operand);
    types.push_back({type.dtype, step.kind == Kind::Map ? Shape{} : type.shape, false});
  }
  auto callee = buildSteps("callee", types, step.callee, step.calleeResults);
  if (!callee) {
    return std::unexpected(callee.error());
  }
  return step.kind == Kind::Map ? builder.map(*callee, operands) : builder.call(*callee, operands);
}

Result<std::vector<NodeIndex>> take(const RandomStep &step, GraphBuilder &builder, const Pool &pool) {
  std::vector<NodeIndex> operands;
  for (const std::size_t place : step.operands) {
    operands.push_back(pool.at(place));
  }
  const std::size_t half = step.numbers.size() / 2;
  switch (step.kind) {
  case Kind::Unary:
    return single(builder.unary(step.op, operands[0]));
  case Kind::Binary:
    return single(builder.binary(step.op, operands[0], operands[1]));
  case Kind::Select:
    return single(builder.select(operands[0], operands[1], operands[2]));
  case Kind::Convert:
    return single(builder.convert(operands[0], step.dtype));
  case Kind::Transpose:
    return single(builder.transpose(operands[0], step.numbers));
  case Kind::Reshape:
    return single(builder.reshape(operands[0], step.shape));
  case Kind::Broadcast:
    return single(builder.broadcast(operands[0], step.shape));
  case Kind::Slice:
    return single(builder.slice(operands[0], std::span(step.numbers).first(half), std::span(step.numbers).subspan(half)));
  case Kind::Concat:
    return single(builder.concat(operands, step.numbers[0]));
  case Kind::Reduce:
    return single(builder.reduce(step.op, operands[0], step.numbers));
  case Kind::Dot:
    return single(builder.dot(operands[0], operands[1]));
  case Kind::Iota:
    return single(builder.iota(step.shape, step.dtype));
  case Kind::Number:
    return std::vector{builder.number(static_cast<double>(step.numbers[0]) / 2)};
  default:
    return call(step, builder, operands);
  }
}

Result<std::shared_ptr<const graph::Graph>> buildSteps(const std::string &name, const std::vector<graph::TensorType> &parameters,
                                                       const std::vector<RandomStep> &steps,
                                                       const std::vector<std::size_t> &results) {
  GraphBuilder builder(name, 1, base::FunctionId(1), parameters);
  Pool pool(parameters.size());
  std::iota(pool.begin(), pool.end(), NodeIndex{0});
  int line = 1;
  for (const RandomStep &step : steps) {
    builder.setLine(++line);
    auto made = take(step, builder, pool);
    if (!made) {
      return std::unexpected(made.error());
    }
    pool.insert(pool.end(), made->begin(), made->end());
  }
  std::vector<NodeIndex> returned;
  for (const std::size_t place : results) {
    returned.push_back(pool.at(place));
  }
  return builder.finish(returned);
}

/// Adds random steps to one function.
class Generator {
public:
  Generator(std::mt19937_64 &engine, std::vector<graph::TensorType> parameters, bool isScalar, int depth)
      : m_engine(engine), m_builder("f", 1, base::FunctionId(1), parameters), m_pool(parameters.size()), m_isScalar(isScalar),
        m_depth(depth) {
    std::iota(m_pool.begin(), m_pool.end(), NodeIndex{0});
  }

  std::vector<RandomStep> run(std::size_t count) {
    std::vector<RandomStep> steps;
    for (std::size_t attempt = 0; steps.size() < count && attempt < count * 20; ++attempt) {
      RandomStep step = propose();
      auto made = take(step, m_builder, m_pool);
      if (!made) {
        continue;
      }
      m_pool.insert(m_pool.end(), made->begin(), made->end());
      steps.push_back(std::move(step));
    }
    return steps;
  }

  /// Places of values to return; the last one always, so that there is something to compute.
  std::vector<std::size_t> results(std::size_t most) {
    std::vector<std::size_t> places{m_pool.size() - 1};
    for (std::size_t i = below(most); i > 0; --i) {
      places.push_back(below(m_pool.size()));
    }
    return places;
  }

  [[nodiscard]] bool areScalars(const std::vector<std::size_t> &places) const {
    return std::ranges::all_of(places, [&](std::size_t place) { return shapeOf(place).isScalar(); });
  }

private:
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(m_engine() % bound); }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low + 1)));
  }
  [[nodiscard]] Shape shapeOf(std::size_t place) const { return m_builder.typeOf(m_pool[place]).shape; }
  /// Late values are likelier, so that graphs become deep.
  std::size_t anyPlace() { return std::max(below(m_pool.size()), below(m_pool.size())); }
  DType anyDType() { return static_cast<DType>(below(graph::kDTypeCount)); }

  template <std::size_t N> Op oneOf(const std::array<Op, N> &ops) { return ops[below(N)]; }

  std::vector<std::int64_t> axesOf(std::size_t rank) {
    std::vector<std::int64_t> axes(rank);
    std::iota(axes.begin(), axes.end(), 0);
    std::ranges::shuffle(axes, m_engine);
    return axes;
  }

  RandomStep propose() {
    // Power is left out: for floats the optimizer may turn constant exponents into products.
    constexpr std::array kUnary{Op::Negate, Op::Abs, Op::Exp,  Op::Log,     Op::Sqrt,
                                Op::Rsqrt,  Op::Sin, Op::Tanh, Op::Sigmoid, Op::Floor};
    constexpr std::array kBinary{Op::Add,     Op::Subtract, Op::Multiply, Op::Divide, Op::FloorDivide, Op::Modulo,
                                 Op::Minimum, Op::Maximum,  Op::Less,     Op::Equal,  Op::Multiply,    Op::Add};
    constexpr std::array kReductions{Op::ReduceSum, Op::ReduceMean, Op::ReduceMax, Op::ReduceMin, Op::ArgMax};
    const std::size_t place = anyPlace();
    const Shape shape = shapeOf(place);
    RandomStep step{.operands = {place}};
    const std::size_t choice = below(m_isScalar ? 8 : 22);
    if (choice < 2) {
      step.op = oneOf(kUnary);
    } else if (choice < 6) {
      step = {.kind = Kind::Binary, .op = oneOf(kBinary), .operands = {place, anyPlace()}};
    } else if (choice == 6) {
      step = {.kind = Kind::Select, .operands = {anyPlace(), place, anyPlace()}};
    } else if (choice == 7) {
      step = below(2) == 0 ? RandomStep{.kind = Kind::Convert, .dtype = anyDType(), .operands = {place}}
                           : RandomStep{.kind = Kind::Number, .numbers = {between(-7, 7)}};
    } else if (choice < 10) {
      step = {.kind = Kind::Transpose, .operands = {place}, .numbers = axesOf(shape.rank())};
    } else if (choice < 12) {
      step = {.kind = Kind::Reshape, .operands = {place}, .shape = regrouped(shape)};
    } else if (choice == 12) {
      step = {.kind = Kind::Broadcast, .operands = {place}, .shape = enlarged(shape)};
    } else if (choice == 13) {
      step = cut(place, shape);
    } else if (choice == 14) {
      step = {.kind = Kind::Concat,
              .operands = {place, below(2) == 0 ? place : anyPlace()},
              .numbers = {static_cast<std::int64_t>(below(std::max<std::size_t>(shape.rank(), 1)))}};
    } else if (choice < 18) {
      std::vector<std::int64_t> axes = axesOf(shape.rank());
      axes.resize(below(axes.size() + 1));
      step = {.kind = Kind::Reduce, .op = oneOf(kReductions), .operands = {place}, .numbers = axes};
    } else if (choice == 18) {
      step = {.kind = Kind::Dot, .operands = {place, anyPlace()}};
    } else if (choice == 19) {
      step = {.kind = Kind::Iota, .dtype = anyDType(), .shape = Shape{between(1, 4), between(1, 5)}};
    } else {
      step = invocation(choice == 20 ? Kind::Call : Kind::Map);
    }
    return step;
  }

  /// The same number of elements in other sizes.
  Shape regrouped(const Shape &shape) {
    std::vector<std::int64_t> factors;
    std::int64_t rest = shape.elementCount();
    for (std::int64_t factor = 2; rest > 1; ++factor) {
      while (rest % factor == 0) {
        factors.push_back(factor);
        rest /= factor;
      }
    }
    if (shape.elementCount() == 0) {
      return {0, 3};
    }
    std::ranges::shuffle(factors, m_engine);
    const std::size_t rank = 1 + below(4);
    std::vector<std::int64_t> sizes(rank, 1);
    for (const std::int64_t factor : factors) {
      sizes[below(rank)] *= factor;
    }
    return Shape(sizes);
  }

  Shape enlarged(const Shape &shape) {
    std::vector<std::int64_t> sizes(shape.sizes().begin(), shape.sizes().end());
    for (std::int64_t &size : sizes) {
      size = size == 1 ? between(1, 4) : size;
    }
    if (sizes.size() < 4 && below(2) == 0) {
      sizes.insert(sizes.begin(), between(1, 3));
    }
    const Shape larger(sizes);
    return larger.elementCount() > kMaxElements ? shape : larger;
  }

  RandomStep cut(std::size_t place, const Shape &shape) {
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> sizes;
    for (const std::int64_t size : shape.sizes()) {
      const bool isWhole = below(2) == 0;
      starts.push_back(isWhole ? 0 : between(0, size));
      sizes.push_back(isWhole ? size : between(0, size - starts.back()));
    }
    std::vector<std::int64_t> numbers = starts;
    numbers.insert(numbers.end(), sizes.begin(), sizes.end());
    return {.kind = Kind::Slice, .operands = {place}, .numbers = numbers};
  }

  /// A call or map of a random function of a few of the values.
  RandomStep invocation(Kind kind) {
    RandomStep step{.kind = kind, .operands = {anyPlace()}};
    if (m_depth >= 2) {
      return {.op = Op::Negate, .operands = {anyPlace()}};
    }
    for (std::size_t i = below(3); i > 0; --i) {
      step.operands.push_back(anyPlace());
    }
    std::vector<graph::TensorType> types;
    for (const std::size_t place : step.operands) {
      types.push_back({m_builder.typeOf(m_pool[place]).dtype, kind == Kind::Map ? Shape{} : shapeOf(place), false});
    }
    Generator inner(m_engine, types, kind == Kind::Map, m_depth + 1);
    step.callee = inner.run(1 + below(6));
    step.calleeResults = inner.results(3);
    return step;
  }

  std::mt19937_64 &m_engine;
  GraphBuilder m_builder;
  Pool m_pool;
  bool m_isScalar;
  int m_depth;
};

} // namespace

RandomFunction randomFunction(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(engine() % bound); };
  // A few sizes only, so that shapes meet.
  constexpr std::array<std::int64_t, 6> kSizes{1, 2, 3, 5, 9, 3};
  RandomFunction function;
  for (std::size_t i = 1 + below(3); i > 0; --i) {
    Shape shape;
    for (std::size_t rank = below(4); rank > 0; --rank) {
      shape.append(kSizes[below(kSizes.size())]);
    }
    function.parameters.push_back({static_cast<DType>(below(graph::kDTypeCount)), shape, false});
  }
  Generator generator(engine, function.parameters, false, 0);
  function.steps = generator.run(4 + below(14));
  function.results = generator.results(4);
  return function;
}

Result<std::shared_ptr<const graph::Graph>> build(const RandomFunction &function, std::vector<graph::TensorType> parameters) {
  return buildSteps("f", parameters, function.steps, function.results);
}

} // namespace jitscope::testing
