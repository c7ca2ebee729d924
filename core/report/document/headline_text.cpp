// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/document/headline_text.h"

#include "analysis/summary.h"
#include "base/units.h"
#include "report/document/bounded_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace jitscope::report {

std::string headlineText(std::uint64_t calls, const analysis::CompileTotals &totals, std::uint64_t durationNs) {
  const analysis::CompileTimes &times = totals.times;
  if (totals.compiles == 0) {
    return calls == 0 ? "Nothing was called or compiled" : fmt::format("{}, and nothing was compiled", countOf(calls, "call"));
  }
  std::string text = calls == 0 ? countOf(totals.compiles, "compile")
                                : fmt::format("{} in {}", countOf(totals.compiles, "compile"), countOf(calls, "call"));
  text += fmt::format(" took {}", base::formatNs(times.totalNs));
  if (durationNs > 0) {
    text += fmt::format(" of {}", base::formatNs(durationNs));
    // Threads may compile at the same time, and then a share would be of nothing.
    if (times.totalNs <= durationNs) {
      text += fmt::format(" ({})", base::formatShare(base::shareOf(times.totalNs, durationNs)));
    }
  }
  const std::array<std::pair<std::uint64_t, const char *>, 5> phases{{{times.traceNs, "trace"},
                                                                      {times.lowerNs, "lower"},
                                                                      {times.optimizeNs, "optimize"},
                                                                      {times.codegenNs, "codegen"},
                                                                      {times.linkNs, "link"}}};
  if (const auto &[ns, name] = *std::ranges::max_element(phases); 2 * ns > times.totalNs) {
    text += fmt::format(", {} of it in {}", base::formatShare(base::shareOf(ns, times.totalNs)), name);
  }
  return text;
}

} // namespace jitscope::report
