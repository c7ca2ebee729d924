// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/storm_text.h"

#include "analysis/calls/storm_advice.h"
#include "base/units.h"
#include "base/utf8.h"
#include "report/document/bounded_rows.h"
#include "report/document/summary_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace jitscope::report {

namespace {

using analysis::RecompileStorm;

std::string shortened(const std::string &text, std::size_t bytes) {
  return text.size() <= bytes ? text : text.substr(0, base::characterStart(text, bytes)) + "…";
}

} // namespace

std::string stormText(const RecompileStorm &storm) {
  std::string scope;
  if (storm.otherCalls > 0 || storm.otherCompiles > 0) {
    scope = storm.isForAllSizes ? " (only templates for all sizes counted)" : " (only templates of certain sizes counted)";
  }
  std::string reason(nameOf(storm.reason));
  if (storm.reasonCompiles < storm.againCompiles) {
    reason = fmt::format("mostly {} ({} of {})", reason, base::formatCount(storm.reasonCompiles),
                         base::formatCount(storm.againCompiles));
  }
  constexpr std::size_t kNameBytes = 60;
  const std::string varying = analysis::varyingSentence(storm.varying);
  return fmt::format("{} was compiled {} for {}{}; compiling took {}. Reason: {}.{}",
                     functionText(shortened(storm.functionName, kNameBytes), 0, storm.eager), countOf(storm.compiles, "time"),
                     countOf(storm.calls, "call"), scope, base::formatNs(storm.compileNs), reason,
                     varying.empty() ? varying : " " + varying);
}

std::string stormsLeftOut(const std::vector<RecompileStorm> &storms, std::size_t shown) {
  const BoundedRows<RecompileStorm> rows = boundedRows(storms, shown, &RecompileStorm::compileNs);
  return leftOutText(rows.leftOut.size(), "storm", "storms",
                     {fmt::format("{} for {}", countOf(rows.sumLeftOut(&RecompileStorm::compiles), "compile"),
                                  countOf(rows.sumLeftOut(&RecompileStorm::calls), "call")),
                      base::formatNs(rows.sumLeftOut(&RecompileStorm::compileNs))});
}

} // namespace jitscope::report
