// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/per_function.h"

#include "base/try.h"
#include "pipeline/pipeline.h"
#include "pipeline/recipe/stage_runner.h"

#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

/// How Numba compiles a function: it is simplified, its callees' finished modules are linked in (each holds copies of what it still
/// calls), then comes the whole optimizer, then code generation. See `CPUCodeLibrary.finalize` in numba/core/codegen.py.
class PerFunction final : public Pipeline {
public:
  [[nodiscard]] base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const override {
    StageRunner stages(input, tools);
    const std::vector<std::vector<std::size_t>> callees = calleesOf(input.units);
    std::vector<std::unique_ptr<llvm::Module>> finished(input.units.size());
    std::vector<ObjectCode> objects;
    for (std::size_t i = 0; i < input.units.size(); ++i) {
      Unit &unit = input.units[i];
      const bool isRoot = i + 1 == input.units.size();
      JITSCOPE_TRY(bool isReused, stages.reuse("per-function", unit));
      if (!isReused) {
        stages.run(PassList::Function, unit);
        for (const std::size_t callee : callees[i]) {
          if (base::Result<void> linked = stages.linkCopy(unit, *finished[callee]); !linked) {
            return std::unexpected(std::move(linked.error()).within("while linking into " + unit.name));
          }
        }
        stages.run(PassList::Cheap, unit);
        stages.run(PassList::Module, unit);
        stages.keep("per-function", unit);
      }
      if (!isRoot) {
        finished[i] = stages.copyForCallers(unit);
      }
      // What an earlier compile has kept was emitted then. The process needs the root's object alone, for it holds copies of what
      // the root still calls.
      if (isRoot || !isReused) {
        JITSCOPE_TRY(ObjectCode object, stages.emit(unit));
        if (isRoot) {
          objects.push_back(std::move(object));
        }
      }
    }
    JITSCOPE_TRY_VOID(finishEntry(stages, input, objects));
    return stages.finish(std::move(objects));
  }
};

} // namespace

std::unique_ptr<Pipeline> makePerFunction() { return std::make_unique<PerFunction>(); }

} // namespace jitscope::pipeline
