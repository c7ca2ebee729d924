// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event/event.h"
#include "pipeline/object_code.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::pipeline {

/// Counts what a compile did to each function. Work repeats where a stage, or code generation, meets a body that it has met in
/// another unit before.
class RedundantWorkLog {
public:
  /// `function`'s body is in a module of `unit` that is about to go through `stage`.
  void optimized(base::FunctionId function, base::FunctionId unit, event::Stage stage);
  void linked(base::FunctionId function) { ++m_work[function].linked; }
  void reused(base::FunctionId function) { ++m_work[function].reused; }
  /// An object was made in `emitNs`, which its functions share by bytes of code.
  void emitted(const ObjectCode &object, std::uint64_t emitNs, const std::function<base::FunctionId(const std::string &)> &idOf);

  /// Everything, by function; optimization times are those of `passes`.
  [[nodiscard]] std::vector<event::FunctionWork> finish(const std::vector<event::PassRun> &passes) const;

private:
  std::map<base::FunctionId, event::FunctionWork> m_work;
  std::map<std::pair<base::FunctionId, event::Stage>, base::FunctionId> m_firstUnit; ///< of a function in a stage
  std::set<std::pair<base::FunctionId, base::FunctionId>> m_optimizedIn;             ///< function, unit
  std::set<base::FunctionId> m_emitted;
};

} // namespace jitscope::pipeline
