// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/clock.h"
#include "graph/builder/builder.h"
#include "runtime/dispatch/run_observer.h"
#include "runtime/engine.h"
#include "support/sessions/recording_sink.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::test {

/// Hears nothing.
class SilentObserver final : public runtime::RunObserver {
public:
  void printed(std::string_view /*text*/) override {}
  void sectionBegan(std::string_view /*name*/) override {}
  void legBegan(std::string_view /*caseName*/, std::string_view /*inputName*/, event::Leg /*leg*/,
                std::uint64_t /*plannedNs*/) override {}
  void legEnded() override {}
  void studyStep(std::string_view /*function*/, std::string_view /*pipeline*/, std::uint32_t /*repetition*/,
                 std::uint32_t /*repetitions*/) override {}
  void studyEnded() override {}
};

using BuildGraph = std::function<base::Result<std::shared_ptr<const graph::Graph>>(const graph::Template &)>;

/// A function whose graphs a test builds itself. Counts how often it was traced.
class BuiltGraphs final : public script::GraphSource {
public:
  BuiltGraphs(BuildGraph build, std::atomic<int> *traces) : m_build(std::move(build)), m_traces(traces) {}
  base::Result<std::shared_ptr<const graph::Graph>> trace(const graph::Template &tmpl,
                                                          std::span<const script::Argument> /*arguments*/) override {
    if (m_traces != nullptr) {
      ++*m_traces;
    }
    return m_build(tmpl);
  }
  void forget(const graph::Template & /*tmpl*/) override {}

private:
  BuildGraph m_build;
  std::atomic<int> *m_traces;
};

/// The tensor types of a template without static arguments.
inline std::vector<graph::TensorType> tensorTypes(const graph::Template &tmpl) {
  std::vector<graph::TensorType> types;
  for (const graph::ArgumentType &argument : tmpl.arguments) {
    if (const auto *type = std::get_if<graph::TensorType>(&argument)) {
      types.push_back(*type);
    }
  }
  return types;
}

/// first * second + 1, for whatever types the two have.
inline base::Result<std::shared_ptr<const graph::Graph>> multiplyAddOne(const graph::Template &tmpl) {
  graph::GraphBuilder builder("multiplyAddOne", 1, base::FunctionId(1), tensorTypes(tmpl));
  auto product = builder.binary(graph::Op::Multiply, 0, 1);
  if (!product) {
    return std::unexpected(product.error());
  }
  auto sum = builder.binary(graph::Op::Add, *product, builder.number(1.0));
  return sum ? builder.finish({*sum}) : std::unexpected(sum.error());
}

/// An engine with nothing but memory around it.
class EngineFixture {
public:
  explicit EngineFixture(const std::vector<std::string> &settings = {}, std::filesystem::path diskFolder = {},
                         runtime::ColdLegLauncher *coldLegs = nullptr) {
    runtime::EngineSetup setup{*clock, sink, observer, stop, coldLegs, nullptr};
    setup.diskFolder = std::move(diskFolder);
    for (const std::string &setting : settings) {
      if (auto set = runtime::setOptionFromText(setup.options, setting); !set) {
        error = base::describe(set.error());
      }
    }
    auto made = runtime::Engine::create(std::move(setup));
    if (made) {
      engine = std::move(*made);
    } else {
      error = base::describe(made.error());
    }
  }

  base::FunctionId define(const std::string &name, BuildGraph build, std::atomic<int> *traces = nullptr) {
    return engine->defineFunction(name, 1, false, std::make_unique<BuiltGraphs>(std::move(build), traces));
  }

  template <typename T> graph::Tensor tensor(graph::DType dtype, const graph::Shape &shape, T first = T{1}) {
    graph::Tensor result = *engine->tensors().allocate(dtype, shape);
    T value = first;
    for (T &element : result.elements<T>()) {
      element = value;
      value = static_cast<T>(value + T{1});
    }
    return result;
  }

  std::unique_ptr<base::Clock> clock = base::makeClock(base::ClockEpoch::now());
  RecordingSink sink;
  SilentObserver observer;
  std::atomic<bool> stop{false};
  std::unique_ptr<runtime::Engine> engine;
  std::string error; ///< why there is no engine
};

} // namespace jitscope::test
