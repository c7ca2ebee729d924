// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "event/event.h"
#include "graph/graph.h"
#include "graph/template.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// What scripts ask of the engine. The script module knows only this; `runtime` implements it. That keeps Lua away from LLVM and
/// the way of the data one-way.
namespace jitscope::script {

/// The script's own value behind a static argument; kept alive with the argument, opaque to everybody else.
class StaticHandle {
public:
  virtual ~StaticHandle() = default;
};

struct StaticArgument {
  graph::StaticValue value;
  std::shared_ptr<const StaticHandle> handle;
};

/// The numbers, strings and booleans that a traced body read from outside: constants of the code. Opaque to everybody but the
/// script.
class FrozenValues {
public:
  virtual ~FrozenValues() = default;
};

/// One argument of a call: a tensor, or a value that is part of the template.
using Argument = std::variant<graph::Tensor, StaticArgument>;

/// Gives the graph of one function for a template: a traced Lua body, or a ready-made one-operation graph. One `trace` runs at a
/// time in the whole process; the caller sees to it.
class GraphSource {
public:
  virtual ~GraphSource() = default;
  /// `tmpl` says the types to trace with (its sizes may be unknown); only the static values of `arguments` are used.
  virtual base::Result<std::shared_ptr<const graph::Graph>> trace(const graph::Template &tmpl,
                                                                  std::span<const Argument> arguments) = 0;
  /// What the graph that `trace` gave for `tmpl` has frozen; null where there is nothing.
  virtual std::shared_ptr<const FrozenValues> frozenIn(const graph::Template & /*tmpl*/) { return nullptr; }
  /// The executable of `tmpl` has left the cache: trace again when it is next asked for.
  virtual void forget(const graph::Template &tmpl) = 0;
};

struct CallResult {
  std::vector<graph::Tensor> results;
  event::CallEvent event;                     ///< as it was recorded
  std::shared_ptr<const FrozenValues> frozen; ///< in the code that served the call; null: nothing
};

/// One column of arguments that cases run on. Without `inputs` in the script there is one, with an empty name.
struct BenchInput {
  std::string name;
  std::vector<Argument> arguments;
  bool isBroken = false; ///< the case failed its check on it: it is not measured
};

struct BenchCase {
  std::string name;
  base::FunctionId function;
  std::vector<BenchInput> inputs; ///< the case is measured on each
};

struct BenchRequest {
  double warmupSeconds = 2; ///< as Benchee
  double timeSeconds = 5;   ///< as Benchee
  std::uint32_t parallel = 1;
  std::vector<event::Leg> legs = {event::Leg::Cold, event::Leg::Warm};
  std::optional<std::uint64_t> maxSamples; ///< of a leg, all threads together; empty: `kMaxSamples`
  std::vector<BenchCase> cases;
};

/// What a leg keeps at most unless the script says otherwise: 16 bytes each here, 34 in the session.
inline constexpr std::uint64_t kMaxSamples = 2'000'000;

/// A sample as `expect.percentile` and the tables need it.
struct Sample {
  std::uint64_t totalNs = 0;
  event::Outcome outcome = event::Outcome::Hit;
};

struct BenchLegResult {
  base::CaseId caseId;
  std::string caseName;
  std::string inputName;
  event::Leg leg = event::Leg::Warm;
  std::vector<Sample> samples;
  bool isBroken = false; ///< not measured, since the case failed its check
};

/// A template that a function was compiled for.
struct FunctionTemplate {
  std::string signature;
  std::uint64_t codeBytes = 0; ///< of its latest executable
};

/// LLVM modules from elsewhere, as `modules{}` names them.
struct ModuleSet {
  std::vector<std::string> paths; ///< of .bc and .ll files; relative ones are relative to the script
  std::string root;               ///< a symbol; empty: the module that no other needs
  std::string triple;             ///< empty: the modules' own
};

/// The same input under several pipelines.
struct StudyRequest {
  base::FunctionId function; ///< of a graph study
  std::string name;
  std::vector<Argument> arguments;
  std::optional<ModuleSet> modules;   ///< set: a study of modules, which are never executed
  std::vector<std::string> pipelines; ///< in the order of the table; empty: all
  std::uint32_t repetitions = 5;      ///< compiles that are timed, beside the one recorded in detail
  int line = 0;
};

/// The result of a study that the script gets; everything else is in the session.
struct StudyPipeline {
  std::string pipeline;
  double compileNs = 0; ///< median, without tracing
  double executeNs = 0; ///< median of a call; 0 where nothing was executed
  std::uint64_t codeBytes = 0;
  std::vector<event::LoopResult> loops; ///< the vectorized ones
  bool isEqual = false;                 ///< results agree with the first pipeline's
  std::string error;                    ///< why there is nothing; empty: there is
};

/// Which findings a script asks for; see docs/findings.md.
struct FindingQuery {
  std::vector<std::string> kinds; ///< by their names; none: every kind
  double aboveMs = 0;             ///< findings that cost no more are left out, but for those that cost no time at all
};

/// Counts since the run began, unless a member says otherwise.
struct EngineCounters {
  std::uint64_t calls = 0;
  std::uint64_t hits = 0;
  std::uint64_t retraces = 0;
  std::uint64_t disk = 0;
  std::uint64_t misses = 0;
  std::uint64_t waits = 0;
  std::uint64_t bypasses = 0;
  std::uint64_t compiles = 0; ///< misses and ahead-of-time compiles
  std::uint64_t compilesInSection = 0;
  std::uint64_t compileNs = 0;
  std::uint64_t evictions = 0;
  std::uint64_t cacheEntries = 0;    ///< now
  std::uint64_t cacheCodeBytes = 0;  ///< now
  std::uint64_t tensorLiveBytes = 0; ///< now
  std::uint64_t tensorPeakBytes = 0;
};

using OptionValue = std::variant<bool, std::int64_t, double, std::string>;

/// The engine as a script sees it. `call` may come from several threads at once, the rest from the script's thread.
class Host {
public:
  virtual ~Host() = default;

  /// Announces a function. `line` is 0 for eager operations.
  virtual base::FunctionId defineFunction(std::string name, int line, bool eager, std::unique_ptr<GraphSource> source) = 0;

  /// Calls it: by the cache, tracing and compiling where that must be. Errors of the trace come back unchanged.
  virtual base::Result<CallResult> call(base::FunctionId function, std::span<const Argument> arguments) = 0;
  /// Compiles for the template of these arguments and runs nothing. The event is that of the call it stands for (its id is none).
  virtual base::Result<event::CallEvent> compile(base::FunctionId function, std::span<const Argument> arguments) = 0;
  /// Whether a call would be a hit.
  virtual bool contains(base::FunctionId function, std::span<const Argument> arguments) = 0;
  /// What the code that a call would be served by has frozen; null where there is no such code, or nothing.
  virtual std::shared_ptr<const FrozenValues> frozenIn(base::FunctionId /*function*/, std::span<const Argument> /*arguments*/) {
    return nullptr;
  }
  virtual void clearCache() = 0;

  virtual graph::TensorAllocator &tensors() = 0;
  [[nodiscard]] virtual EngineCounters counters() const = 0;

  /// RuntimeOption for an unknown name (the names are offered) or an impossible value.
  virtual base::Result<void> setOption(std::string_view name, const OptionValue &value) = 0;
  virtual void beginSection(std::string name) = 0;
  /// Measures every case on every input in every leg. The results come in this order, whatever the order of measuring.
  virtual base::Result<std::vector<BenchLegResult>> bench(const BenchRequest &request) = 0;

  /// Compiles the request's input under each pipeline, compares what comes out, and records it all. RuntimeOption for an unknown
  /// pipeline; an error when no pipeline could compile it. Where one could not, its entry says why.
  virtual base::Result<std::vector<StudyPipeline>> study(const StudyRequest &request) = 0;
  /// The vectorized loops of the latest compile that `function` was part of, under `pipeline` ("": the one that is set).
  /// Of another function's compile those that are written in `function`. RuntimeOption where there was no such compile, or its
  /// loops were not recorded.
  virtual base::Result<std::vector<event::LoopResult>> vectorizedLoops(base::FunctionId function, std::string_view pipeline) = 0;

  /// The templates of `function` that code was made or fetched for, in the order in which they came up. Not those of calls within
  /// other functions, which are part of the others' code.
  [[nodiscard]] virtual std::vector<FunctionTemplate> templatesOf(base::FunctionId function) = 0;
  /// The findings about what the run has recorded so far, in their order: a line each, with cost, kind, reason and place.
  /// RuntimeOption for an unknown kind; RuntimeProcess where nothing is recorded.
  [[nodiscard]] virtual base::Result<std::vector<std::string>> findings(const FindingQuery &query) = 0;
  /// Whether the script runs again only to get to one cold leg: `bench` measures nothing else then, and nothing can be said of it.
  [[nodiscard]] virtual bool isReplay() const { return false; }

  /// Records it; a failed one makes the run's exit status 1, the script goes on.
  virtual void expectation(event::ExpectationEvent expectation) = 0;
  virtual void log(event::LogLevel level, std::string message) = 0;
  /// Text for the user's standard output, newline included.
  virtual void print(std::string_view text) = 0;
};

} // namespace jitscope::script
