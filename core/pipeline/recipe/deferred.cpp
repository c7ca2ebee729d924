// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/deferred.h"

#include "base/try.h"
#include "pipeline/pipeline.h"
#include "pipeline/recipe/stage_runner.h"

#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

class Deferred final : public Pipeline {
public:
  [[nodiscard]] base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const override {
    StageRunner stages(input, tools);
    for (Unit &unit : input.units) {
      stages.run(PassList::Function, unit);
    }
    JITSCOPE_TRY(Unit whole, linkAll(stages, input));
    stages.run(PassList::Program, whole);
    JITSCOPE_TRY(ObjectCode object, stages.emit(whole));
    return stages.finish({std::move(object)});
  }
};

} // namespace

std::unique_ptr<Pipeline> makeDeferred() { return std::make_unique<Deferred>(); }

} // namespace jitscope::pipeline
