// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/import/renamed_compile.h"

#include "base/try.h"

#include <vector>

namespace jitscope::session {

base::Result<void> renameFunctions(event::CompileEvent &compile,
                                   const std::function<base::Result<base::FunctionId>(base::FunctionId)> &rename) {
  std::vector<base::FunctionId *> ids;
  ids.reserve(compile.work.size() + 2 * compile.passes.size() + 2 * compile.remarks.size() + 3 * compile.loops.size() +
              compile.snapshots.size());
  for (event::FunctionWork &work : compile.work) {
    ids.push_back(&work.functionId);
  }
  for (event::PassRun &pass : compile.passes) {
    ids.insert(ids.end(), {&pass.functionId, &pass.unitId});
  }
  for (event::Remark &remark : compile.remarks) {
    ids.insert(ids.end(), {&remark.functionId, &remark.unitId});
  }
  for (event::LoopResult &loop : compile.loops) {
    ids.insert(ids.end(), {&loop.functionId, &loop.holderId, &loop.unitId});
  }
  for (event::IrSnapshot &snapshot : compile.snapshots) {
    ids.push_back(&snapshot.functionId);
  }
  for (base::FunctionId *id : ids) {
    JITSCOPE_TRY(const base::FunctionId function, rename(*id));
    *id = function;
  }
  return {};
}

} // namespace jitscope::session
