// SPDX-License-Identifier: GPL-3.0-or-later
// Generated kernels over 1 M f32 beside the same loops by clang, and dot beside the bare CBLAS call. The generated ones are whole
// calls: key, lookup, allocation of the result and recording into a sink that keeps nothing.
#include "baseline_kernels.h"

#include "event/sink.h"
#include "support/engine_fixture.h"

#include <cblas.h>

#include <benchmark/benchmark.h>

using namespace jitscope;
using graph::DType;
using graph::GraphBuilder;
using graph::NodeIndex;
using graph::Op;
using graph::Shape;

namespace {

constexpr std::int64_t kCount = 1'000'000;
constexpr std::int64_t kRows = 1000;
constexpr std::int64_t kColumns = 1000;

/// An engine that records nothing, and one function on it.
class Kernel {
public:
  using Build = std::function<NodeIndex(GraphBuilder &)>;
  using BuildSeveral = std::function<std::vector<NodeIndex>(GraphBuilder &)>;
  Kernel(const Build &build, std::vector<script::Argument> arguments)
      : Kernel(BuildSeveral([build](GraphBuilder &builder) { return std::vector<NodeIndex>{build(builder)}; }),
               std::move(arguments)) {}
  Kernel(const BuildSeveral &build, std::vector<script::Argument> arguments) : m_arguments(std::move(arguments)) {
    m_function = s_engine().defineFunction("kernel", 1, false,
                                           std::make_unique<test::BuiltGraphs>(
                                               [build](const graph::Template &tmpl) {
                                                 GraphBuilder builder("kernel", 1, base::FunctionId(1), test::tensorTypes(tmpl));
                                                 return builder.finish(build(builder));
                                               },
                                               nullptr));
  }
  void call() { benchmark::DoNotOptimize(s_engine().call(m_function, m_arguments)); }

  static graph::Tensor filled(const Shape &shape, DType dtype = DType::F32) {
    graph::Tensor tensor = *s_engine().tensors().allocate(dtype, shape);
    for (std::int64_t i = 0; i < shape.elementCount(); ++i) {
      const double value = static_cast<double>(i % 1013) * 0.001;
      if (dtype == DType::F32) {
        tensor.elements<float>()[static_cast<std::size_t>(i)] = static_cast<float>(value);
      } else {
        tensor.elements<double>()[static_cast<std::size_t>(i)] = value;
      }
    }
    return tensor;
  }

private:
  static runtime::Engine &s_engine() {
    static const std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
    static event::NullSink sink;
    static test::SilentObserver observer;
    static std::atomic<bool> stop{false};
    static const std::unique_ptr<runtime::Engine> engine =
        std::move(*runtime::Engine::create(runtime::EngineSetup{*clock, sink, observer, stop}));
    return *engine;
  }
  std::vector<script::Argument> m_arguments;
  base::FunctionId m_function;
};

void generated(benchmark::State &state, const Kernel::Build &build, const std::vector<script::Argument> &arguments) {
  Kernel kernel(build, arguments);
  kernel.call();
  for (auto _ : state) {
    kernel.call();
  }
}

void multiplyAddGenerated(benchmark::State &state) {
  const graph::Tensor input = Kernel::filled({kCount});
  generated(state, [](GraphBuilder &b) { return *b.binary(Op::Add, *b.binary(Op::Multiply, 0, 1), 2); },
            {input, Kernel::filled({kCount}), Kernel::filled({kCount})});
}
BENCHMARK(multiplyAddGenerated)->Unit(benchmark::kMicrosecond);

void multiplyAddClang(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kCount});
  const graph::Tensor b = Kernel::filled({kCount});
  const graph::Tensor c = Kernel::filled({kCount});
  const graph::Tensor result = Kernel::filled({kCount});
  for (auto _ : state) {
    baselineMultiplyAdd(a.elements<float>().data(), b.elements<float>().data(), c.elements<float>().data(),
                        result.elements<float>().data(), kCount);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(multiplyAddClang)->Unit(benchmark::kMicrosecond);

void scaleShiftGenerated(benchmark::State &state) {
  generated(state,
            [](GraphBuilder &b) {
              return *b.unary(Op::Sqrt, *b.binary(Op::Add, *b.binary(Op::Multiply, 0, b.number(0.5)), b.number(1.5)));
            },
            {Kernel::filled({kCount})});
}
BENCHMARK(scaleShiftGenerated)->Unit(benchmark::kMicrosecond);

void scaleShiftClang(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kCount});
  const graph::Tensor result = Kernel::filled({kCount});
  for (auto _ : state) {
    baselineScaleShift(a.elements<float>().data(), result.elements<float>().data(), kCount);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(scaleShiftClang)->Unit(benchmark::kMicrosecond);

void sumGenerated(benchmark::State &state) {
  generated(state, [](GraphBuilder &b) { return *b.reduce(Op::ReduceSum, 0, {}); }, {Kernel::filled({kCount})});
}
BENCHMARK(sumGenerated)->Unit(benchmark::kMicrosecond);

void sumClang(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kCount});
  for (auto _ : state) {
    benchmark::DoNotOptimize(baselineSum(a.elements<float>().data(), kCount));
  }
}
BENCHMARK(sumClang)->Unit(benchmark::kMicrosecond);

void maxGenerated(benchmark::State &state) {
  generated(state, [](GraphBuilder &b) { return *b.reduce(Op::ReduceMax, 0, {}); }, {Kernel::filled({kCount})});
}
BENCHMARK(maxGenerated)->Unit(benchmark::kMicrosecond);

void maxClang(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kCount});
  for (auto _ : state) {
    benchmark::DoNotOptimize(baselineMax(a.elements<float>().data(), kCount));
  }
}
BENCHMARK(maxClang)->Unit(benchmark::kMicrosecond);

void argMaxGenerated(benchmark::State &state) {
  generated(state, [](GraphBuilder &b) { return *b.reduce(Op::ArgMax, 0, {}); }, {Kernel::filled({kCount})});
}
BENCHMARK(argMaxGenerated)->Unit(benchmark::kMicrosecond);

void argMaxClang(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kCount});
  for (auto _ : state) {
    benchmark::DoNotOptimize(baselineArgMax(a.elements<float>().data(), kCount));
  }
}
BENCHMARK(argMaxClang)->Unit(benchmark::kMicrosecond);

void sumOfExpGenerated(benchmark::State &state) {
  generated(state, [](GraphBuilder &b) { return *b.reduce(Op::ReduceSum, *b.binary(Op::Multiply, *b.unary(Op::Exp, 0), 1), {}); },
            {Kernel::filled({kCount}), Kernel::filled({kCount})});
}
BENCHMARK(sumOfExpGenerated)->Unit(benchmark::kMicrosecond);

void sumOfExpClang(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kCount});
  const graph::Tensor b = Kernel::filled({kCount});
  for (auto _ : state) {
    benchmark::DoNotOptimize(baselineSumOfExp(a.elements<float>().data(), b.elements<float>().data(), kCount));
  }
}
BENCHMARK(sumOfExpClang)->Unit(benchmark::kMicrosecond);

/// A function of scalars with two results, mapped over 10,000 elements: the deferred pipeline inlines it and vectorizes the loop.
std::vector<NodeIndex> twoExps(GraphBuilder &builder) {
  const graph::TensorType scalar{DType::F64, Shape{}, false};
  GraphBuilder inner("inner", 1, base::FunctionId(2), {scalar, scalar, scalar});
  const NodeIndex quotient = *inner.binary(Op::Divide, 0, 1);
  const NodeIndex first = *inner.unary(Op::Exp, *inner.binary(Op::Divide, quotient, 1));
  const NodeIndex second = *inner.unary(Op::Exp, *inner.binary(Op::Divide, *inner.binary(Op::Multiply, quotient, 2), 1));
  return *builder.map(*inner.finish({first, second}), std::array<NodeIndex, 3>{0, 1, 2});
}
constexpr std::int64_t kMapped = 10'000;

void twoExpsGenerated(benchmark::State &state) {
  const graph::Tensor input = Kernel::filled({kMapped}, DType::F64);
  Kernel kernel(Kernel::BuildSeveral(twoExps), {input, input, input});
  kernel.call();
  for (auto _ : state) {
    kernel.call();
  }
}
BENCHMARK(twoExpsGenerated)->Unit(benchmark::kMicrosecond);

void twoExpsClang(benchmark::State &state) {
  const graph::Tensor input = Kernel::filled({kMapped}, DType::F64);
  const graph::Tensor first = Kernel::filled({kMapped}, DType::F64);
  const graph::Tensor second = Kernel::filled({kMapped}, DType::F64);
  const double *values = input.elements<double>().data();
  for (auto _ : state) {
    baselineTwoExps(values, values, values, first.elements<double>().data(), second.elements<double>().data(), kMapped);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(twoExpsClang)->Unit(benchmark::kMicrosecond);

void columnSumGenerated(benchmark::State &state) {
  generated(state, [](GraphBuilder &b) { return *b.reduce(Op::ReduceSum, 0, std::vector<std::int64_t>{0}); },
            {Kernel::filled({kRows, kColumns})});
}
BENCHMARK(columnSumGenerated)->Unit(benchmark::kMicrosecond);

void columnSumClang(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kRows, kColumns});
  const graph::Tensor result = Kernel::filled({kColumns});
  for (auto _ : state) {
    baselineColumnSum(a.elements<float>().data(), result.elements<float>().data(), kRows, kColumns);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(columnSumClang)->Unit(benchmark::kMicrosecond);

void rowSumGenerated(benchmark::State &state) {
  generated(state, [](GraphBuilder &b) { return *b.reduce(Op::ReduceSum, 0, std::vector<std::int64_t>{1}); },
            {Kernel::filled({kRows, kColumns})});
}
BENCHMARK(rowSumGenerated)->Unit(benchmark::kMicrosecond);

void rowSumClang(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kRows, kColumns});
  const graph::Tensor result = Kernel::filled({kRows});
  for (auto _ : state) {
    baselineRowSum(a.elements<float>().data(), result.elements<float>().data(), kRows, kColumns);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(rowSumClang)->Unit(benchmark::kMicrosecond);

constexpr int kDot = 256;

void dotGenerated(benchmark::State &state, DType dtype) {
  generated(state, [](GraphBuilder &b) { return *b.dot(0, 1); },
            {Kernel::filled({kDot, kDot}, dtype), Kernel::filled({kDot, kDot}, dtype)});
}
BENCHMARK_CAPTURE(dotGenerated, f32, DType::F32)->Unit(benchmark::kMicrosecond);

void dotCblasF32(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kDot, kDot});
  const graph::Tensor b = Kernel::filled({kDot, kDot});
  const graph::Tensor c = Kernel::filled({kDot, kDot});
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kDot, kDot, kDot, 1, a.elements<float>().data(), kDot,
                b.elements<float>().data(), kDot, 0, c.elements<float>().data(), kDot);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(dotCblasF32)->Unit(benchmark::kMicrosecond);

BENCHMARK_CAPTURE(dotGenerated, f64, DType::F64)->Unit(benchmark::kMicrosecond);

void dotCblasF64(benchmark::State &state) {
  const graph::Tensor a = Kernel::filled({kDot, kDot}, DType::F64);
  const graph::Tensor b = Kernel::filled({kDot, kDot}, DType::F64);
  const graph::Tensor c = Kernel::filled({kDot, kDot}, DType::F64);
  for (auto _ : state) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kDot, kDot, kDot, 1, a.elements<double>().data(), kDot,
                b.elements<double>().data(), kDot, 0, c.elements<double>().data(), kDot);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(dotCblasF64)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
