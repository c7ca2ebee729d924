// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/builder/builder.h"
#include "graph/text.h"
#include "script/host.h"
#include "script/lua_script.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

/// An engine for tests of the script module: traces graphs, keeps everything it is asked, and computes nothing (results are zeros).
namespace jitscope::test {

/// Plain aligned memory, counted and bounded.
class FakeAllocator final : public graph::TensorAllocator {
public:
  std::uint64_t limitBytes = std::uint64_t{1} << 30U;

  base::Result<graph::Tensor> allocate(graph::DType dtype, const graph::Shape &shape) override {
    const base::Result<std::int64_t> bytes = graph::checkedByteSize(dtype, shape);
    if (!bytes) {
      return std::unexpected(bytes.error());
    }
    const auto size = static_cast<std::size_t>(*bytes);
    if (m_counts->live + size > limitBytes) {
      ++refusals;
      return base::fail(base::ErrorCode::RuntimeMemory, fmt::format("tensors need more than {} bytes", limitBytes));
    }
    return graph::Tensor{dtype, shape, false, std::make_shared<FakeBuffer>(size, m_counts)};
  }

  [[nodiscard]] std::uint64_t liveBytes() const { return m_counts->live; }
  [[nodiscard]] std::uint64_t liveTensors() const { return m_counts->tensors; }
  int refusals = 0;

private:
  struct Counts {
    std::atomic<std::uint64_t> live = 0;
    std::atomic<std::uint64_t> tensors = 0;
  };
  class FakeBuffer final : public graph::Buffer {
  public:
    FakeBuffer(std::size_t size, std::shared_ptr<Counts> counts)
        : Buffer(static_cast<std::byte *>(std::aligned_alloc(graph::kBufferAlignment, roundUp(size))), size),
          m_counts(std::move(counts)) {
      std::fill_n(data(), size, std::byte{0});
      m_counts->live += size;
      ++m_counts->tensors;
    }
    ~FakeBuffer() override {
      m_counts->live -= byteSize();
      --m_counts->tensors;
      std::free(data());
    }
    FakeBuffer(const FakeBuffer &) = delete;
    FakeBuffer &operator=(const FakeBuffer &) = delete;

  private:
    static std::size_t roundUp(std::size_t size) { return (size / graph::kBufferAlignment + 1) * graph::kBufferAlignment; }
    std::shared_ptr<Counts> m_counts;
  };
  std::shared_ptr<Counts> m_counts = std::make_shared<Counts>();
};

class FakeHost final : public script::Host {
public:
  struct Function {
    std::string name;
    int line = 0;
    bool eager = false;
    std::unique_ptr<script::GraphSource> source;
    std::map<std::string, std::shared_ptr<const graph::Graph>> graphs; ///< by signature
  };

  FakeAllocator allocator;
  std::vector<Function> functions; ///< place = id - 1
  std::vector<std::string> calls;  ///< "name(signature) outcome"
  std::vector<std::string> sections;
  std::vector<std::string> options; ///< "name=value"
  std::vector<event::ExpectationEvent> expectations;
  std::vector<script::BenchRequest> benches;
  std::vector<script::StudyRequest> studies;
  std::vector<script::StudyPipeline> studyResults; ///< what `study` gives
  std::optional<base::Error> studyError;
  std::vector<event::LoopResult> loops; ///< what `vectorizedLoops` gives
  std::optional<base::Error> loopsError;
  std::vector<std::string> vectorizedQuestions; ///< "function pipeline"
  std::string printed;
  bool useRankTemplates = false;
  bool traceOnAnotherThread = false;
  script::EngineCounters counts;
  /// What `bench` gives; by default every case, input and leg has the samples 1, 2, … 100 ms.
  std::optional<base::Error> benchError;
  std::vector<event::Outcome> sampleOutcomes;       ///< of the first samples of each leg; the others are hits
  std::vector<std::string> foundFindings;           ///< what `findings` gives
  std::vector<script::FindingQuery> findingQueries; ///< what it was asked for
  std::vector<script::FunctionTemplate> templates;  ///< what `templatesOf` gives
  bool replays = false;

  base::FunctionId defineFunction(std::string name, int line, bool eager, std::unique_ptr<script::GraphSource> source) override {
    functions.push_back({std::move(name), line, eager, std::move(source), {}});
    return base::FunctionId(static_cast<std::uint32_t>(functions.size()));
  }

  base::Result<script::CallResult> call(base::FunctionId id, std::span<const script::Argument> arguments) override {
    const graph::Template tmpl = templateOf(arguments);
    base::Result<event::CallEvent> event = ready(id, tmpl, arguments);
    if (!event) {
      return std::unexpected(event.error());
    }
    ++counts.calls;
    ++(event->outcome == event::Outcome::Hit ? counts.hits : counts.misses);
    Function &function = functionOf(id);
    calls.push_back(fmt::format("{}({}) {}", function.name, signatureOf(tmpl), nameOf(event->outcome)));
    script::CallResult result;
    result.event = *event;
    const graph::Graph &graph = *function.graphs.at(signatureOf(tmpl));
    for (std::size_t i = 0; i < graph.results().size(); ++i) {
      graph::TensorType type = graph.resultType(i);
      for (std::size_t axis = 0; axis < type.shape.rank(); ++axis) {
        type.shape.setSize(axis, std::abs(type.shape[axis])); // an unknown size becomes 1
      }
      base::Result<graph::Tensor> tensor = allocator.allocate(type.dtype, type.shape);
      if (!tensor) {
        return std::unexpected(tensor.error());
      }
      result.results.push_back(std::move(*tensor));
    }
    return result;
  }

  base::Result<event::CallEvent> compile(base::FunctionId id, std::span<const script::Argument> arguments) override {
    return ready(id, templateOf(arguments), arguments);
  }
  bool contains(base::FunctionId id, std::span<const script::Argument> arguments) override {
    return functionOf(id).graphs.contains(signatureOf(templateOf(arguments)));
  }
  void clearCache() override {
    for (Function &function : functions) {
      std::map<std::string, std::shared_ptr<const graph::Graph>> graphs = std::move(function.graphs);
      function.graphs.clear();
      for (const auto &[signature, tmpl] : m_templates) {
        if (graphs.contains(signature)) {
          function.source->forget(tmpl);
        }
      }
    }
  }

  graph::TensorAllocator &tensors() override { return allocator; }
  [[nodiscard]] script::EngineCounters counters() const override {
    script::EngineCounters result = counts;
    result.tensorLiveBytes = allocator.liveBytes();
    return result;
  }

  base::Result<void> setOption(std::string_view name, const script::OptionValue &value) override {
    if (name == "slpp") {
      return base::fail(base::ErrorCode::RuntimeOption, "there is no option \"slpp\"; did you mean \"slp\"?");
    }
    options.push_back(fmt::format("{}={}", name, std::visit([](const auto &plain) { return fmt::format("{}", plain); }, value)));
    return {};
  }
  void beginSection(std::string name) override {
    sections.push_back(std::move(name));
    counts.compilesInSection = 0;
  }

  base::Result<std::vector<script::BenchLegResult>> bench(const script::BenchRequest &request) override {
    benches.push_back(request);
    if (benchError) {
      return std::unexpected(*benchError);
    }
    std::vector<script::BenchLegResult> results;
    for (const script::BenchCase &benchCase : request.cases) {
      for (const script::BenchInput &input : benchCase.inputs) {
        if (!input.isBroken) {
          if (base::Result<script::CallResult> called = call(benchCase.function, input.arguments); !called) {
            return std::unexpected(called.error());
          }
        }
        for (const event::Leg leg : request.legs) {
          script::BenchLegResult result{{}, benchCase.name, input.name, leg, {}, input.isBroken};
          for (std::uint64_t ms = 1; ms <= 100 && !input.isBroken && !replays; ++ms) {
            result.samples.push_back({ms * 1'000'000, ms <= sampleOutcomes.size() ? sampleOutcomes[ms - 1] : event::Outcome::Hit});
          }
          results.push_back(std::move(result));
        }
      }
    }
    return results;
  }

  base::Result<std::vector<script::StudyPipeline>> study(const script::StudyRequest &request) override {
    studies.push_back(request);
    if (studyError) {
      return std::unexpected(*studyError);
    }
    return studyResults;
  }
  base::Result<std::vector<event::LoopResult>> vectorizedLoops(base::FunctionId function, std::string_view pipeline) override {
    vectorizedQuestions.push_back(fmt::format("{} {}", functionOf(function).name, pipeline));
    if (loopsError) {
      return std::unexpected(*loopsError);
    }
    return loops;
  }
  std::vector<script::FunctionTemplate> templatesOf(base::FunctionId function) override {
    return functionOf(function).graphs.empty() ? std::vector<script::FunctionTemplate>() : templates;
  }
  base::Result<std::vector<std::string>> findings(const script::FindingQuery &query) override {
    findingQueries.push_back(query);
    return foundFindings;
  }
  [[nodiscard]] bool isReplay() const override { return replays; }
  void expectation(event::ExpectationEvent expectation) override { expectations.push_back(std::move(expectation)); }
  void log(event::LogLevel /*level*/, std::string /*message*/) override {}
  void print(std::string_view text) override { printed += text; }

  /// The function of that name that was defined last; null if there is none.
  Function *find(std::string_view name) {
    const auto found =
        std::find_if(functions.rbegin(), functions.rend(), [&](const Function &function) { return function.name == name; });
    return found == functions.rend() ? nullptr : &*found;
  }
  /// The text of the one graph that the function was traced to.
  std::string graphText(std::string_view name, bool withPlaces = false) {
    Function *function = find(name);
    if (function == nullptr || function->graphs.size() != 1) {
      return fmt::format("{} has {} graphs", name, function == nullptr ? 0 : function->graphs.size());
    }
    return toText(*function->graphs.begin()->second, withPlaces);
  }

private:
  Function &functionOf(base::FunctionId id) { return functions[id.value - 1]; }

  graph::Template templateOf(std::span<const script::Argument> arguments) const {
    graph::Template tmpl;
    for (const script::Argument &argument : arguments) {
      if (const auto *tensor = std::get_if<graph::Tensor>(&argument)) {
        tmpl.arguments.emplace_back(tensor->type());
      } else {
        tmpl.arguments.emplace_back(std::get<script::StaticArgument>(argument).value);
      }
    }
    return useRankTemplates ? withDynamicSizes(tmpl) : tmpl;
  }

  base::Result<event::CallEvent> ready(base::FunctionId id, const graph::Template &tmpl,
                                       std::span<const script::Argument> arguments) {
    const std::string signature = signatureOf(tmpl);
    event::CallEvent event;
    event.executeNs = 1000;
    if (functionOf(id).graphs.contains(signature)) {
      return event;
    }
    script::GraphSource &source = *functionOf(id).source;
    base::Result<std::shared_ptr<const graph::Graph>> graph;
    if (traceOnAnotherThread) {
      std::thread([&] { graph = source.trace(tmpl, arguments); }).join();
    } else {
      graph = source.trace(tmpl, arguments);
    }
    if (!graph) {
      return std::unexpected(graph.error());
    }
    functionOf(id).graphs[signature] = *graph; // looked up again: tracing may have defined functions
    m_templates[signature] = tmpl;
    event.outcome = event::Outcome::Miss;
    event.compileNs = 2'000'000;
    ++counts.compiles;
    ++counts.compilesInSection;
    return event;
  }

  std::map<std::string, graph::Template> m_templates; // by signature
};

/// One script run in a host of its own.
struct ScriptRun {
  FakeHost host;
  std::atomic<bool> stop = false;
  base::Result<void> result;

  explicit ScriptRun(std::string text, script::LuaOptions options = {}) { run(std::move(text), options); }
  ScriptRun() = default;

  void run(std::string text, script::LuaOptions options = {}) {
    base::Result<script::ScriptSource> source = script::makeScript("script.lua", std::move(text));
    if (!source) {
      result = std::unexpected(source.error());
      return;
    }
    result = script::LuaScript(std::move(*source), host, stop, options).run();
  }
  /// The error's message, "" when there is none.
  [[nodiscard]] std::string error() const { return result ? std::string() : result.error().message; }
  /// The whole error, with the lines of its context.
  [[nodiscard]] std::string description() const { return result ? std::string() : describe(result.error()); }
  /// What was printed and what went wrong, in one text.
  [[nodiscard]] std::string output() const { return host.printed + description(); }
};

} // namespace jitscope::test
