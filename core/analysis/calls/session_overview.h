// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/statistics/case_statistics.h"
#include "base/error.h"

#include <string>
#include <vector>

namespace jitscope::session {
class Database;
}

namespace jitscope::analysis {

/// The facts that distinguish sessions in a list. Cheap where the session has the spans of its calls, which are not read then.
struct SessionOverview {
  OutcomeCounts outcomes;             ///< of all calls
  std::vector<std::string> pipelines; ///< that calls and studies compiled under, in the order of their first compile
  /// Whether the run used Jitscope at all: a script with a mistake may end earlier.
  bool hasRecords = false;
};

[[nodiscard]] base::Result<SessionOverview> readSessionOverview(session::Database &database);

} // namespace jitscope::analysis
