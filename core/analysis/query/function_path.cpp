// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/query/function_path.h"

#include <algorithm>
#include <iterator>

namespace jitscope::analysis {

bool hasOwnModule(const event::CompileEvent &compile, base::FunctionId function) {
  return std::ranges::any_of(compile.passes, [function](const event::PassRun &pass) {
    return pass.unitId == function && pass.functionId == function &&
           (pass.stage == event::Stage::Module || pass.stage == event::Stage::Cheap);
  });
}

std::vector<event::PassRun> changesOf(const event::CompileEvent &compile, base::FunctionId function) {
  const bool isOwn = hasOwnModule(compile, function);
  std::vector<event::PassRun> changes;
  for (const event::PassRun &pass : compile.passes) {
    const bool isOnWay = pass.functionId == function && pass.fingerprint != 0 && (!isOwn || pass.unitId == function);
    // Passes say that they may have changed something; the fingerprint tells whether they did.
    if (isOnWay && (changes.empty() || changes.back().fingerprint != pass.fingerprint)) {
      changes.push_back(pass);
    }
  }
  return changes;
}

std::vector<event::Remark> remarksOf(const event::CompileEvent &compile, base::FunctionId function) {
  const bool isOwn = hasOwnModule(compile, function);
  std::vector<event::Remark> remarks;
  std::ranges::copy_if(compile.remarks, std::back_inserter(remarks), [&](const event::Remark &remark) {
    return remark.functionId == function && (!isOwn || remark.unitId == function);
  });
  return remarks;
}

} // namespace jitscope::analysis
