// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "pipeline/observe/loop_recorder.h"
#include "pipeline/observe/pass_recorder.h"
#include "pipeline/pipeline.h"
#include "pipeline/recipe/pass_stages.h"
#include "pipeline/recipe/redundant_work_log.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace jitscope::pipeline {

class ContextDiagnostics;

/// The steps of which every recipe consists: stages over units, linking, caching, emitting. It takes the times and records what the
/// observation asks for. One for each run of a pipeline; `input` and `tools` must outlive it.
class StageRunner {
public:
  StageRunner(const PipelineInput &input, const PipelineTools &tools);
  ~StageRunner();
  StageRunner(const StageRunner &) = delete;
  StageRunner &operator=(const StageRunner &) = delete;

  /// Optimizes the unit's module.
  void run(PassList list, Unit &unit);
  /// Moves everything in `source` into the unit's module. CompileOptimize names a symbol that both define.
  base::Result<void> link(Unit &unit, std::unique_ptr<llvm::Module> source);
  /// The same with a copy of `source`, which stays usable.
  base::Result<void> linkCopy(Unit &unit, const llvm::Module &source);
  /// Copies the functions of `source` into the unit's module for inlining only; they are gone after its next optimization.
  base::Result<void> borrow(Unit &unit, const llvm::Module &source);
  /// Makes everything in the unit's module invisible from outside but `exported`, so that the optimizer may inline, change and drop
  /// it.
  void internalize(Unit &unit, const std::vector<std::string> &exported);
  /// A copy of the unit's module for callers to link in. Its definitions are linkonce_odr: inlined or not, they can go afterwards.
  std::unique_ptr<llvm::Module> copyForCallers(Unit &unit);

  /// Replaces the unit's module by cached work; false if there is none.
  base::Result<bool> reuse(std::string_view pipeline, Unit &unit);
  /// Caches the unit's current module for other compiles.
  void keep(std::string_view pipeline, const Unit &unit);

  /// Machine code for the unit's module, which this uses up. ScriptInterrupted after a stop was requested, because the module may
  /// not have gone through all passes.
  base::Result<ObjectCode> emit(Unit &unit);

  /// Times and everything that was written down, with `objects` to be linked into the process.
  base::Result<PipelineOutput> finish(std::vector<ObjectCode> objects);

private:
  template <typename Action> auto timed(event::Stage stage, const Unit &unit, std::string_view what, Action action);
  void countLinked(const llvm::Module &source);
  [[nodiscard]] base::FunctionId idOf(std::string_view symbol) const;
  [[nodiscard]] std::string_view nameOfSymbol(std::string_view symbol) const;
  [[nodiscard]] bool isStopped() const;
  void snapshotOwn(const Unit &unit, event::Stage stage);
  void repeatLatest(const Unit &unit, event::Stage stage);
  bool snapshot(const llvm::Function &function, base::FunctionId id, event::Stage stage, std::uint32_t passSeq);
  [[nodiscard]] std::string keyOf(std::string_view pipeline, const Unit &unit) const;

  const PipelineTools &m_tools;
  struct SymbolHash {
    using is_transparent = void; ///< views are looked up without a copy
    std::size_t operator()(std::string_view symbol) const { return std::hash<std::string_view>()(symbol); }
  };
  template <typename Value> using BySymbol = std::unordered_map<std::string, Value, SymbolHash, std::equal_to<>>;
  BySymbol<base::FunctionId> m_ids;
  BySymbol<std::string> m_names; ///< what people know functions by; empty where nobody listens
  std::string m_errors;          ///< what LLVM complained about
  CompileTrace m_trace;
  RedundantWorkLog m_work;
  PassRecorder m_passes;
  std::unique_ptr<LoopRecorder> m_loops; ///< null: loops are not recorded
  std::vector<std::string> m_roots;      ///< the symbols that a caller of the finished code may use
  base::FunctionId m_rootUnit;
  event::Stage m_stage = event::Stage::None; ///< that is running
  base::FunctionId m_unit;                   ///< whose module it works on
  /// The latest snapshot of each function, as a place in the trace's.
  std::unordered_map<base::FunctionId, std::size_t> m_latest;
  const llvm::Module *m_shown = nullptr; ///< the module whose latest snapshots show it as it is now
  std::uint64_t m_optimizeNs = 0;
  std::uint64_t m_codegenNs = 0;
  std::uint64_t m_objects = 0;
  std::unique_ptr<ContextDiagnostics> m_diagnostics; ///< the context's come here while this lives
};

/// One unit of all: the input's units linked together, with the entry wrapper where there is one. The root's unit becomes the
/// whole.
base::Result<Unit> linkAll(StageRunner &stages, PipelineInput &input);

/// Optimizes the entry wrapper on its own and emits it; nothing if there is none.
base::Result<void> finishEntry(StageRunner &stages, PipelineInput &input, std::vector<ObjectCode> &objects);

} // namespace jitscope::pipeline
