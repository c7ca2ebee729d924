// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jitscope::session {
class Database;
}

/// What the optimizer did, over all compiles of a session.
namespace jitscope::analysis {

/// Remarks of one kind, pass and name.
struct RemarkCount {
  std::string kind; ///< "passed", "missed" or "analysis"
  std::string pass;
  std::string name;
  std::uint64_t count = 0;
};

/// Why something was not done at a place of the script.
struct MissedRemark {
  std::string pass;
  std::string name;
  std::string function;
  int line = 0; ///< 0 where the remark has no place
  int column = 0;
  std::string message;
  std::uint64_t count = 0; ///< compiles that said so
};

/// How often one function was worked on, and what the repeats cost.
struct FunctionWorkSummary {
  std::string name;
  bool eager = false;
  std::uint64_t compiles = 0; ///< that it was part of
  std::uint64_t optimized = 0;
  std::uint64_t linked = 0;
  std::uint64_t emitted = 0;
  std::uint64_t optimizeNs = 0;
  std::uint64_t emitNs = 0;
  std::uint64_t codeBytes = 0;

  /// Time that would not have been spent had each stage been done once, if every time took equally long.
  [[nodiscard]] double repeatsNs() const;
};

struct OptimizerSummary {
  std::uint64_t remarks = 0;
  std::vector<RemarkCount> remarkCounts; ///< the most frequent first
  std::vector<MissedRemark> missed;      ///< of the vectorizers, by line
  std::vector<FunctionWorkSummary> work; ///< the longest repeats first
};

/// Reads tables `remark` and `function_work`.
[[nodiscard]] base::Result<OptimizerSummary> readOptimizerSummary(session::Database &database);

} // namespace jitscope::analysis
