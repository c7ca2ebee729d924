// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "lower/compile_options.h"
#include "pipeline/object_code.h"
#include "pipeline/observe/observation.h"
#include "pipeline/recipe/unit.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class TargetLibraryInfoImpl;
class TargetMachine;
} // namespace llvm

namespace jitscope::base {
class Clock;
} // namespace jitscope::base
namespace jitscope::event {
class CompileActivity;
} // namespace jitscope::event

namespace jitscope::pipeline {

class KeptModules;

/// What a pipeline starts from. All modules live in one context.
struct PipelineInput {
  std::vector<Unit> units;             ///< callees before callers; the root last
  std::unique_ptr<llvm::Module> entry; ///< the wrapper that the runtime calls; null: none
  std::vector<std::string> exported;   ///< the symbols that must stay visible, the root's and the wrapper's among them

  PipelineInput();
  PipelineInput(PipelineInput &&) noexcept;
  PipelineInput &operator=(PipelineInput &&) noexcept;
  ~PipelineInput();
};

struct PipelineOutput {
  std::vector<ObjectCode> objects;  ///< to be linked into the process
  std::uint64_t emittedObjects = 0; ///< how many objects were made, those included that the process has no use for
  std::uint64_t optimizeNs = 0;     ///< passes, and the linking and keeping of modules
  std::uint64_t codegenNs = 0;
  CompileTrace trace;
};

/// What a pipeline borrows for one run.
struct PipelineTools {
  llvm::TargetMachine &machine;
  const llvm::TargetLibraryInfoImpl &libraryInfo;
  const lower::CompileOptions &options;
  const base::Clock &clock;
  /// Makes an object of a module, which it uses up.
  std::function<base::Result<ObjectCode>(llvm::Module &)> emit;
  Observation observation = {};
  KeptModules *kept = nullptr;                ///< the cache of earlier compiles' work; null: none
  event::CompileActivity *activity = nullptr; ///< notified of the current step; may be null
  /// When it becomes true, passes are skipped where LLVM allows it, and the run ends with ScriptInterrupted. Null: never stopped.
  const std::atomic<bool> *stopRequested = nullptr;
};

/// An order in which functions are optimized, linked and emitted. Stateless: may be shared between threads.
class Pipeline {
public:
  virtual ~Pipeline() = default;
  /// CompileOptimize or CompileCodegen, naming the function; ScriptInterrupted when it was asked to stop.
  [[nodiscard]] virtual base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const = 0;
};

/// The pipeline of that name; RuntimeOption, offering the names, if there is none.
base::Result<std::unique_ptr<Pipeline>> makePipeline(std::string_view name);

/// The names that `makePipeline` takes, in the order in which they are usually compared: what callers see finished first.
std::vector<std::string_view> pipelineNames();

} // namespace jitscope::pipeline
