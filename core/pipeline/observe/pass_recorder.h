// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/activity.h"
#include "event/event.h"
#include "pipeline/observe/observation.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class Any;
class Function;
class Module;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace jitscope::base {
class Clock;
} // namespace jitscope::base

namespace jitscope::pipeline {

/// Follows every pass of one compile through LLVM's pass instrumentation and records its time and effect. Times are exclusive: what
/// runs inside a pass counts for itself. Pass managers and adaptors are no passes of their own; what they take belongs to the
/// stage.
class PassRecorder {
public:
  struct Setup {
    const base::Clock &clock;
    const Observation &observation;
    CompileTrace &trace;
    /// The id of a function of the compile; none for others.
    std::function<base::FunctionId(const llvm::Function &)> idOf;
    /// Keeps the function's text as of now, where the observation asks for it after passes; says whether it differs from the last.
    std::function<bool(const llvm::Function &, std::uint32_t passSeq)> snapshot;
    event::CompileActivity *activity = nullptr; ///< notified of the running pass; may be null
    /// The name that people know a function by, for `activity`.
    std::function<std::string_view(const llvm::Function &)> nameOf = {};
  };
  explicit PassRecorder(Setup setup) : m_setup(std::move(setup)) {}

  /// Registers itself; `callbacks` and everything that they run must not outlive the recorder.
  void attach(llvm::PassInstrumentationCallbacks &callbacks);
  /// Only reports which pass runs: for compiles whose passes are not recorded.
  void attachActivity(llvm::PassInstrumentationCallbacks &callbacks);

  /// The stage and unit that passes belong to from now on. Forgets the time counted so far.
  void beginStage(event::Stage stage, base::FunctionId unit);
  /// Time that the passes of this stage took so far.
  [[nodiscard]] std::uint64_t stageNs() const { return m_stageNs; }
  /// Writes down work that no pass of LLVM's did, e.g. "(linking)".
  void add(std::string_view name, std::uint64_t durationNs);
  /// The pass that is running; 0: none, or passes are not recorded.
  [[nodiscard]] std::uint32_t currentSeq() const { return m_running.empty() ? 0 : m_running.back().seq; }

private:
  struct Running {
    std::uint32_t seq = 0;
    base::FunctionId function;
    std::uint64_t startNs = 0;
    std::uint64_t insideNs = 0; ///< of the passes that ran inside this one
  };
  struct Pass {
    std::string name;       ///< as pipelines are written, "sroa"
    bool isManager = false; ///< runs passes, or does bookkeeping for them
  };
  /// What the class of a pass is; `className` is one of LLVM's constants. Until the next call.
  const Pass &passOf(std::string_view className, llvm::PassInstrumentationCallbacks &callbacks);
  void tell(const Pass &pass, const llvm::Any &ir);
  void begin(const llvm::Any &ir);
  void end(const std::string &name, const llvm::Any *ir, bool changed);
  /// Calls `action` with each function of the compile that `module` defines, and its id.
  template <typename Action> void forEachOwn(const llvm::Module &module, const Action &action);
  [[nodiscard]] bool watchesCode() const;
  /// Takes the fingerprint of a function; returns whether it changed.
  bool isNews(const llvm::Function &function, base::FunctionId id, event::PassRun &run);
  /// Writes down which functions a pass over a whole module changed.
  void addChanged(const event::PassRun &whole, const llvm::Module &module);

  Setup m_setup;
  std::vector<Running> m_running;
  /// By the address of the class's name, since callbacks come thousands of times for each of some hundred classes.
  llvm::DenseMap<const char *, Pass> m_passes;
  event::Stage m_stage = event::Stage::None;
  base::FunctionId m_unit;
  std::uint32_t m_seq = 0;
  /// Of functions in the modules of units, where fingerprints are taken.
  std::map<std::pair<base::FunctionId, base::FunctionId>, std::uint64_t> m_fingerprints;
  std::uint64_t m_stageNs = 0;
};

} // namespace jitscope::pipeline
