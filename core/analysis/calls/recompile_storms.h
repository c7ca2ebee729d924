// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/calls/varying_arguments.h"
#include "analysis/compiles/optimizer_tables.h"
#include "analysis/query/selection.h"
#include "base/error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

struct FunctionSummary;

/// A function that its own calls compile again and again: at least `kStormCompiles` times after the first, once in
/// `kStormCallsPerCompile` calls or more often, and for more than half of the time that the calls took. Only compiles that calls
/// paid for count: neither those ahead of time, nor those after the cache was emptied on purpose, as for each cold leg. Templates
/// for fixed sizes and templates for all sizes are counted separately, because the latter are the remedy for a storm of the former.
struct RecompileStorm {
  base::FunctionId functionId;
  std::string functionName;
  std::uint64_t calls = 0;
  std::uint64_t compiles = 0;
  std::uint64_t compileNs = 0;
  event::MissReason reason = event::MissReason::NewShape; ///< the most frequent one except for "new function"
  bool isForAllSizes = false;                             ///< the storm is among templates for all sizes
  std::uint64_t otherCalls = 0;                           ///< of the function's templates of the other kind
  std::uint64_t otherCompiles = 0;
  std::vector<VaryingPart> varying; ///< what tells the templates of the storm apart
  std::uint64_t reasonCompiles = 0; ///< of the compiles those for `reason`
  std::uint64_t againCompiles = 0;  ///< of the compiles those that count as compiled again
  std::size_t templates = 0;        ///< of the storm that were compiled
  std::size_t rankTemplates = 0;    ///< as many would have served the same calls with options{template="rank"}
  bool eager = false;               ///< the function is an eager operation
};
inline constexpr std::uint64_t kStormCompiles = 5;
inline constexpr std::uint64_t kStormCallsPerCompile = 100;

/// The storms among some functions, the most expensive first. `reasons` are of the compiles that calls paid for.
[[nodiscard]] std::vector<RecompileStorm> findStorms(const std::vector<FunctionSummary> &functions,
                                                     const std::map<base::TemplateId, ReasonCounts> &reasons);

/// The storms among the selected calls of a session: what reports and every page of the window show. Counts calls only where enough
/// was compiled for one.
[[nodiscard]] base::Result<std::vector<RecompileStorm>> readStorms(session::SessionReader &reader, const Selection &selection);
/// The same where the functions of the selection are known already.
[[nodiscard]] base::Result<std::vector<RecompileStorm>> readStorms(session::SessionReader &reader, const Selection &selection,
                                                                   const std::vector<FunctionSummary> &functions);

} // namespace jitscope::analysis
