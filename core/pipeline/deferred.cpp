// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/deferred.h"

#include "base/clock.h"
#include "pipeline/module_linking.h"
#include "pipeline/pass_stages.h"

#include <llvm/IR/Module.h>

namespace jitscope::pipeline {

base::Result<PipelineOutput> DeferredPipeline::run(PipelineInput input, const PipelineTools &tools) const {
  PipelineOutput output;
  const std::uint64_t startNs = tools.clock.nowNs();
  llvm::Module &root = *input.entry;
  for (FunctionModule &function : input.functions) {
    runFunctionStage(*function.module, tools);
    if (base::Result<void> linked = linkInto(root, std::move(function.module)); !linked) {
      return std::unexpected(std::move(linked.error()).within("while linking " + function.symbol));
    }
  }
  internalizeAllBut(root, input.entrySymbol);
  runModuleStage(root, tools);
  const std::uint64_t optimizedNs = tools.clock.nowNs();
  base::Result<ObjectCode> object = tools.emit(root);
  if (!object) {
    return std::unexpected(std::move(object.error()));
  }
  output.objects.push_back(std::move(*object));
  output.optimizeNs = optimizedNs - startNs;
  output.codegenNs = tools.clock.nowNs() - optimizedNs;
  return output;
}

} // namespace jitscope::pipeline
