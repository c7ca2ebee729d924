// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline.h"
#include "pipeline/recipes.h"
#include "pipeline/stage_runner.h"

#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

class Separate final : public Pipeline {
public:
  [[nodiscard]] base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const override {
    StageRunner stages(input, tools);
    std::vector<ObjectCode> objects;
    for (Unit &unit : input.units) {
      stages.run(Stage::Module, unit);
      base::Result<ObjectCode> object = stages.emit(unit);
      if (!object) {
        return std::unexpected(std::move(object.error()));
      }
      objects.push_back(std::move(*object));
    }
    if (base::Result<void> finished = finishEntry(stages, input, objects); !finished) {
      return std::unexpected(std::move(finished.error()));
    }
    return stages.finish(std::move(objects));
  }
};

} // namespace

std::unique_ptr<Pipeline> makeSeparate() { return std::make_unique<Separate>(); }

} // namespace jitscope::pipeline
