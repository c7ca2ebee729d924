// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline.h"
#include "pipeline/recipes.h"
#include "pipeline/stage_runner.h"

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
      base::Result<bool> isReused = stages.reuse("per-function", unit);
      if (!isReused) {
        return std::unexpected(std::move(isReused.error()));
      }
      if (!*isReused) {
        stages.run(Stage::Function, unit);
        for (const std::size_t callee : callees[i]) {
          if (base::Result<void> linked = stages.linkCopy(unit, *finished[callee]); !linked) {
            return std::unexpected(std::move(linked.error()).within("while linking into " + unit.name));
          }
        }
        stages.run(Stage::Cheap, unit);
        stages.run(Stage::Module, unit);
        stages.keep("per-function", unit);
      }
      if (!isRoot) {
        finished[i] = stages.copyForCallers(unit);
      }
      // What an earlier compile has kept was emitted then. The process needs the root's object alone, for it holds copies of what
      // the root still calls.
      if (isRoot || !*isReused) {
        base::Result<ObjectCode> object = stages.emit(unit);
        if (!object) {
          return std::unexpected(std::move(object.error()));
        }
        if (isRoot) {
          objects.push_back(std::move(*object));
        }
      }
    }
    if (base::Result<void> entryFinished = finishEntry(stages, input, objects); !entryFinished) {
      return std::unexpected(std::move(entryFinished.error()));
    }
    return stages.finish(std::move(objects));
  }
};

} // namespace

std::unique_ptr<Pipeline> makePerFunction() { return std::make_unique<PerFunction>(); }

} // namespace jitscope::pipeline
