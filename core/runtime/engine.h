// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "runtime/bench/cold_leg.h"
#include "runtime/engine_options.h"
#include "runtime/finding_source.h"
#include "runtime/study/module_study.h"
#include "script/host.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::base {
class Clock;
} // namespace jitscope::base
namespace jitscope::event {
class ActivityBoard;
class Sink;
} // namespace jitscope::event

namespace jitscope::runtime {

class IdRegistry;
class RunObserver;
struct BenchPlace;

/// What one run of a script needs from outside. The references must outlive the engine.
struct EngineSetup {
  const base::Clock &clock;
  event::Sink &sink;
  RunObserver &observer;
  const std::atomic<bool> &stopRequested;
  ColdLegLauncher *coldLegs = nullptr;          ///< null: `bench` refuses cold legs
  ModuleStudyLauncher *moduleStudies = nullptr; ///< null: `study` refuses modules
  FindingSource *findings = nullptr;            ///< null: there is no session to look at
  EngineOptions options = {};
  std::string scriptPath = "script.lua";      ///< what debug locations name
  std::string version = "0";                  ///< of Jitscope; part of the disk cache's key
  std::filesystem::path diskFolder = {};      ///< empty: no disk cache, whatever the options say
  std::optional<ColdTarget> coldTarget = {};  ///< set in the process of a cold leg: the one leg that is measured and recorded
  std::optional<std::uint64_t> seed = {};     ///< set: benches measure their legs in an order drawn by it
  event::ActivityBoard *activities = nullptr; ///< where compiles say what they are doing; may be null
};

/// The engine: everything from a script's wish to native code, tied together. One for each run.
class Engine final : public script::Host {
public:
  /// CompileLink, CompileTarget or RuntimeOption when this process cannot honour the options.
  static base::Result<std::unique_ptr<Engine>> create(EngineSetup setup);
  ~Engine() override;
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  base::FunctionId defineFunction(std::string name, int line, bool eager, std::unique_ptr<script::GraphSource> source) override;
  base::Result<script::CallResult> call(base::FunctionId function, std::span<const script::Argument> arguments) override;
  base::Result<event::CallEvent> compile(base::FunctionId function, std::span<const script::Argument> arguments) override;
  bool contains(base::FunctionId function, std::span<const script::Argument> arguments) override;
  std::shared_ptr<const script::FrozenValues> frozenIn(base::FunctionId function,
                                                       std::span<const script::Argument> arguments) override;
  void clearCache() override;
  graph::TensorAllocator &tensors() override;
  [[nodiscard]] script::EngineCounters counters() const override;
  base::Result<void> setOption(std::string_view name, const script::OptionValue &value) override;
  void beginSection(std::string name) override;
  base::Result<std::vector<script::BenchLegResult>> bench(const script::BenchRequest &request) override;
  base::Result<std::vector<script::StudyPipeline>> study(const script::StudyRequest &request) override;
  base::Result<std::vector<event::LoopResult>> vectorizedLoops(base::FunctionId function, std::string_view pipeline) override;
  std::vector<script::FunctionTemplate> templatesOf(base::FunctionId function) override;
  [[nodiscard]] base::Result<std::vector<std::string>> findings(const script::FindingQuery &query) override;
  [[nodiscard]] bool isReplay() const override;
  void expectation(event::ExpectationEvent expectation) override;
  void log(event::LogLevel level, std::string message) override;
  void print(std::string_view text) override;

  [[nodiscard]] std::uint64_t failedExpectations() const;
  /// In the process of a cold leg: whether the leg was measured. The script is stopped right after it.
  [[nodiscard]] bool coldLegDone() const;

private:
  struct State;
  explicit Engine(std::unique_ptr<State> state);
  base::Result<MeasuredLeg> measureLeg(const script::BenchRequest &request, const BenchPlace &place, base::CaseId caseId);
  base::Result<MeasuredLeg> measureColdTarget(const script::BenchRequest &request, const BenchPlace &place, base::CaseId caseId);
  void recordLeg(const script::BenchRequest &request, const event::BenchLegEvent &place, const MeasuredLeg &measured);

  std::unique_ptr<State> m_state;
};

} // namespace jitscope::runtime
