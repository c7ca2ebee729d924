// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// Everything that a session says about one call.
struct CallDetails {
  event::CallEvent call;
  base::FunctionId functionId;
  std::string functionName;
  int functionLine = 0;
  bool eager = false;
  std::string signature;
  std::string section;
  base::StudyId studyId;                          ///< that compiled; none for calls
  std::string caseName;                           ///< empty outside of `bench`
  std::string caseInput;                          ///< empty without `inputs`
  std::optional<event::CompileEvent> compile;     ///< for a miss
  std::optional<event::RetrievalEvent> retrieval; ///< for what was traced, yet not compiled
  std::string nearestSignature;                   ///< of the compile or retrieval
};

/// Empty where there is no such call.
[[nodiscard]] base::Result<std::optional<CallDetails>> readCallDetails(session::Database &database, base::CallId id);

/// The same for a compile that no call waited for: ahead of time, or of a study. The call then has no id and no times. Empty where
/// there is no such compile.
[[nodiscard]] base::Result<std::optional<CallDetails>> readCompileDetails(session::Database &database, base::CompileId id);

/// The first of the longest calls of a selection between two ids, inclusive; none if there is none.
[[nodiscard]] base::Result<base::CallId> longestCall(session::Database &database, const Selection &selection,
                                                     std::pair<base::CallId, base::CallId> ids);

} // namespace jitscope::analysis
