// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/query/selection.h"
#include "base/error.h"
#include "event/event.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace jitscope::session {
class Database;
}

/// What the optimizer did in the selected compiles, added up for tables.
namespace jitscope::analysis {

/// All runs of one pass.
struct PassSum {
  std::string name;
  std::uint64_t runs = 0;
  std::uint64_t changed = 0; ///< runs that may have changed the code
  std::uint64_t totalNs = 0;
};

/// Passes by time, the longest first: of one compile, or of all selected ones.
[[nodiscard]] base::Result<std::vector<PassSum>> readPassSums(session::Database &database, const Selection &selection,
                                                              base::CompileId compile = {});

/// How often one pipeline worked on one function.
struct WorkTotal {
  std::string pipeline;
  base::FunctionId functionId;
  std::string functionName;
  std::uint64_t compiles = 0; ///< in which it took part
  std::uint64_t optimized = 0;
  std::uint64_t linked = 0;
  std::uint64_t emitted = 0;
  std::uint64_t reused = 0;
  std::uint64_t optimizeNs = 0;
  std::uint64_t emitNs = 0;
  std::uint64_t codeBytes = 0;
  std::uint64_t repeatNs = 0; ///< optimizing and emitting of copies, part of the above
};

/// The redundant work of the selected compiles, by pipeline and function. Repetitions of a study that only time is taken of do
/// not count.
[[nodiscard]] base::Result<std::vector<WorkTotal>> readWorkTotals(session::Database &database, const Selection &selection);

/// Which compiles are meant; those of studies are in no case.
enum class CompilesOf : std::uint8_t {
  All,  ///< by calls and ahead of time
  Calls ///< those that a call paid for
};

/// Why the templates of a selection were compiled, by template: reasons and how often.
using ReasonCounts = std::map<event::MissReason, std::uint64_t>;
[[nodiscard]] base::Result<std::map<base::TemplateId, ReasonCounts>>
readReasons(session::Database &database, const Selection &selection, CompilesOf which = CompilesOf::All);

} // namespace jitscope::analysis
