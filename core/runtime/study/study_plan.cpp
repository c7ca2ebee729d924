// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/study/study_plan.h"

#include "base/percentile.h"
#include "base/try.h"
#include "pipeline/pipeline.h"

#include <algorithm>

#include <fmt/format.h>

namespace jitscope::runtime {

base::Result<std::vector<std::string>> studiedPipelines(const std::vector<std::string> &named) {
  std::vector<std::string> pipelines = named;
  if (pipelines.empty()) {
    for (const std::string_view name : pipeline::pipelineNames()) {
      pipelines.emplace_back(name);
    }
  }
  for (auto name = pipelines.begin(); name != pipelines.end(); ++name) {
    JITSCOPE_TRY_VOID(pipeline::makePipeline(*name));
    if (std::find(pipelines.begin(), name, *name) != name) {
      return base::fail(base::ErrorCode::RuntimeOption, fmt::format("the pipeline {} is named twice", *name));
    }
  }
  return pipelines;
}

pipeline::Observation inDetail(pipeline::Observation observation) {
  observation.passes = true;
  observation.fingerprints = true;
  if (observation.ir == pipeline::IrDetail::Off) {
    observation.ir = pipeline::IrDetail::Stages;
  }
  if (!observation.allRemarks && observation.remarkPasses.empty()) {
    observation.remarkPasses = pipeline::Observation::defaultRemarkPasses();
  }
  return observation;
}

std::string optionsWithoutPipeline(const lower::CompileOptions &options) {
  const std::string text = lower::toText(options);
  return text.substr(std::min(text.find(' ') + 1, text.size()));
}

void addCompileTime(std::vector<double> &timesNs, std::uint32_t repetition, std::uint64_t ns) {
  if (repetition <= 1) {
    timesNs.clear();
  }
  timesNs.push_back(static_cast<double>(ns));
}

double medianOf(std::vector<double> values) {
  std::ranges::sort(values);
  return base::medianOf(values);
}

} // namespace jitscope::runtime
