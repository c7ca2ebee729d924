// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/ids.h"
#include "script/host.h"

#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace jitscope::runtime {

class IdRegistry;

/// The functions of a run and where their graphs come from. Any thread.
class FunctionTable {
public:
  struct Function {
    std::string name;
    std::unique_ptr<script::GraphSource> source;
  };

  /// Announces a function whose graphs `source` gives.
  base::FunctionId add(IdRegistry &ids, std::string name, int line, bool eager, std::unique_ptr<script::GraphSource> source);
  /// A function that was added; stays where it is.
  [[nodiscard]] Function &of(base::FunctionId id);

private:
  std::mutex m_mutex;
  std::deque<Function> m_functions; ///< by id; a deque, since it grows while others hold references
};

} // namespace jitscope::runtime
