// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/pipeline.h"

namespace jitscope::pipeline {

/// Function passes on each function alone; then everything linked at the root, made internal, optimized once and emitted once.
class DeferredPipeline final : public Pipeline {
public:
  [[nodiscard]] base::Result<PipelineOutput> run(PipelineInput input, const PipelineTools &tools) const override;
};

} // namespace jitscope::pipeline
