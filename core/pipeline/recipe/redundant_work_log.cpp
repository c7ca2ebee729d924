// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/recipe/redundant_work_log.h"

namespace jitscope::pipeline {

void RedundantWorkLog::optimized(base::FunctionId function, base::FunctionId unit, event::Stage stage) {
  m_firstUnit.try_emplace({function, stage}, unit);
  if (m_optimizedIn.emplace(function, unit).second) {
    ++m_work[function].optimized;
  }
}

void RedundantWorkLog::emitted(const ObjectCode &object, std::uint64_t emitNs,
                               const std::function<base::FunctionId(const std::string &)> &idOf) {
  std::uint64_t allBytes = 0;
  for (const FunctionCode &function : object.functions) {
    allBytes += function.codeBytes;
  }
  for (const FunctionCode &function : object.functions) {
    const base::FunctionId id = idOf(function.symbol);
    if (!id.isValid()) {
      continue;
    }
    const double share =
        allBytes == 0 ? 0 : static_cast<double>(function.codeBytes) / static_cast<double>(allBytes) * static_cast<double>(emitNs);
    const auto shareNs = static_cast<std::uint64_t>(share);
    event::FunctionWork &work = m_work[id];
    ++work.emitted;
    work.emitNs += shareNs;
    work.codeBytes += function.codeBytes;
    if (!m_emitted.insert(id).second) {
      work.repeatEmitNs += shareNs;
      work.repeatCodeBytes += function.codeBytes;
    }
  }
}

std::vector<event::FunctionWork> RedundantWorkLog::finish(const std::vector<event::PassRun> &passes) const {
  std::map<base::FunctionId, event::FunctionWork> work = m_work;
  for (const event::PassRun &pass : passes) {
    if (!pass.functionId.isValid()) {
      continue;
    }
    event::FunctionWork &entry = work[pass.functionId];
    entry.optimizeNs += pass.durationNs;
    const auto first = m_firstUnit.find({pass.functionId, pass.stage});
    if (first != m_firstUnit.end() && first->second != pass.unitId) {
      entry.repeatOptimizeNs += pass.durationNs;
    }
  }
  std::vector<event::FunctionWork> rows;
  for (auto &[id, entry] : work) {
    entry.functionId = id;
    rows.push_back(entry);
  }
  return rows;
}

} // namespace jitscope::pipeline
