// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline.h"
#include "pipeline/recipes.h"
#include "pipeline/stage_runner.h"

#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

class Deferred final : public Pipeline {
public:
  [[nodiscard]] base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const override {
    StageRunner stages(input, tools);
    for (Unit &unit : input.units) {
      stages.run(Stage::Function, unit);
    }
    base::Result<Unit> whole = linkAll(stages, input);
    if (!whole) {
      return std::unexpected(std::move(whole.error()));
    }
    stages.run(Stage::Program, *whole);
    base::Result<ObjectCode> object = stages.emit(*whole);
    if (!object) {
      return std::unexpected(std::move(object.error()));
    }
    return stages.finish({std::move(*object)});
  }
};

} // namespace

std::unique_ptr<Pipeline> makeDeferred() { return std::make_unique<Deferred>(); }

} // namespace jitscope::pipeline
