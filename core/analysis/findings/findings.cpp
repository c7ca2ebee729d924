// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/findings/findings.h"

#include "analysis/findings/finding_kinds.h"
#include "base/try.h"
#include "session/session_reader.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace jitscope::analysis {

namespace {

/// From the most to the least specific, since each compile counts once.
constexpr auto kSearches = std::to_array<FindingSearch>(
    {findStaleCaptures, findSmallCache, findDiskCacheProblems, findFunctionsMadeAnew, findRecompileStorms, findFlipFlops,
     findWaiting, findSlowPhases, findNeverPaidBack, findScalarLoops, findRedundantWork, findColdStart, findMeasurementProblems});

} // namespace

base::Result<std::vector<Finding>> readFindings(session::SessionReader &reader) {
  JITSCOPE_TRY(const auto snapshot, reader.snapshot());
  JITSCOPE_TRY(FindingEvidence evidence, FindingEvidence::read(reader));
  FindingList list;
  for (const FindingSearch search : kSearches) {
    JITSCOPE_TRY_VOID(search(evidence, list));
  }
  std::vector<Finding> findings = list.take();
  for (Finding &finding : findings) {
    evidence.complete(finding);
  }
  std::ranges::stable_sort(findings, [](const Finding &one, const Finding &other) {
    return std::tuple(!isAboutCorrectness(one.kind), other.costNs) < std::tuple(!isAboutCorrectness(other.kind), one.costNs);
  });
  return findings;
}

} // namespace jitscope::analysis
