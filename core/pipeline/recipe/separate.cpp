// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/separate.h"

#include "base/try.h"
#include "pipeline/pipeline.h"
#include "pipeline/recipe/stage_runner.h"

#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

class Separate final : public Pipeline {
public:
  [[nodiscard]] base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const override {
    StageRunner stages(input, tools);
    std::vector<ObjectCode> objects;
    for (Unit &unit : input.units) {
      stages.run(PassList::Module, unit);
      JITSCOPE_TRY(ObjectCode object, stages.emit(unit));
      objects.push_back(std::move(object));
    }
    JITSCOPE_TRY_VOID(finishEntry(stages, input, objects));
    return stages.finish(std::move(objects));
  }
};

} // namespace

std::unique_ptr<Pipeline> makeSeparate() { return std::make_unique<Separate>(); }

} // namespace jitscope::pipeline
