// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/pipeline.h"

#include "pipeline/recipe/deferred.h"
#include "pipeline/recipe/per_function.h"
#include "pipeline/recipe/pre_link.h"
#include "pipeline/recipe/separate.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

namespace {

struct Recipe {
  std::string_view name;
  std::unique_ptr<Pipeline> (*make)();
};

/// Every pipeline, by how early callers see finished code.
constexpr std::array kRecipes{
    Recipe{"per-function", makePerFunction},
    Recipe{"deferred", makeDeferred},
    Recipe{"pre-link", makePreLink},
    Recipe{"separate", makeSeparate},
};

} // namespace

PipelineInput::PipelineInput() = default;
PipelineInput::PipelineInput(PipelineInput &&) noexcept = default;
PipelineInput &PipelineInput::operator=(PipelineInput &&) noexcept = default;
PipelineInput::~PipelineInput() = default;

base::Result<std::unique_ptr<Pipeline>> makePipeline(std::string_view name) {
  for (const Recipe &recipe : kRecipes) {
    if (recipe.name == name) {
      return recipe.make();
    }
  }
  return base::fail(base::ErrorCode::RuntimeOption,
                    fmt::format("there is no pipeline '{}'; there are: {}", name, fmt::join(pipelineNames(), ", ")));
}

std::vector<std::string_view> pipelineNames() {
  std::vector<std::string_view> names;
  for (const Recipe &recipe : kRecipes) {
    names.push_back(recipe.name);
  }
  return names;
}

} // namespace jitscope::pipeline
