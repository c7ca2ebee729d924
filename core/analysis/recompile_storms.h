// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/optimizer_tables.h"
#include "analysis/selection.h"
#include "analysis/varying_arguments.h"
#include "base/error.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::session {
class SessionReader;
}

namespace jitscope::analysis {

struct FunctionSummary;

/// Whether a signature is of a template that serves all sizes, as "f32[?,?]".
[[nodiscard]] bool servesAllSizes(std::string_view signature);

/// A function that is compiled again and again: at least `kStormCompiles` times after the first, and for more than half of the time
/// that its calls took. Templates of certain sizes and those for all sizes are counted apart, for the latter are what helps against
/// a storm of the former.
struct RecompileStorm {
  base::FunctionId functionId;
  std::string functionName;
  std::uint64_t calls = 0;
  std::uint64_t compiles = 0;
  std::uint64_t compileNs = 0;
  event::MissReason reason = event::MissReason::NewShape; ///< the most frequent one but for "new function"
  bool isForAllSizes = false;                             ///< the storm is among templates for all sizes
  std::uint64_t otherCalls = 0;                           ///< of the function's templates of the other kind
  std::uint64_t otherCompiles = 0;
  std::vector<VaryingPart> varying; ///< what tells the templates of the storm apart
  std::uint64_t reasonCompiles = 0; ///< of the compiles those for `reason`
  std::uint64_t againCompiles = 0;  ///< of the compiles those but for "new function"
};
inline constexpr std::uint64_t kStormCompiles = 5;

/// The storms among some functions, the most expensive first.
[[nodiscard]] std::vector<RecompileStorm> findStorms(const std::vector<FunctionSummary> &functions,
                                                     const std::map<base::TemplateId, ReasonCounts> &reasons);

/// The storms among the selected calls of a session. Reads calls only where enough was compiled for one.
[[nodiscard]] base::Result<std::vector<RecompileStorm>> readStorms(session::SessionReader &reader, const Selection &selection);

} // namespace jitscope::analysis
